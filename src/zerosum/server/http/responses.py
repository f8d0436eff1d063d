"""Answers: documents as JSON, problems as problem JSON."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from zerosum.server.domain.json_text import dumps
from zerosum.server.domain.problems import RETRY_AFTER, Problem


def json_response(document: Mapping[str, object] | str, status: int = 200) -> Response:
    """Return a document, or one that is JSON already, as an answer."""
    text = document if isinstance(document, str) else dumps(document)
    return Response(text, status, media_type="application/json")


def problem_response(problem: Problem) -> Response:
    """Return a problem as an answer."""
    headers = {}
    wait = problem.more.get("retry_after", RETRY_AFTER.get(problem.code))
    if wait is not None:
        headers["Retry-After"] = str(wait)
    if problem.code == "no-key":
        headers["WWW-Authenticate"] = "Bearer"
    allowed = problem.more.get("allow")
    if isinstance(allowed, list):
        headers["Allow"] = ", ".join(allowed)
    return Response(dumps(problem.document()), problem.status, headers, "application/problem+json")
