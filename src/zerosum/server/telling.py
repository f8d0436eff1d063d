"""Answers: documents as JSON, problems as problem JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from zerosum.server.problems import RETRY_AFTER, Problem


def dumps(document: object) -> str:
    """Return a document as compact JSON, in ASCII: no encoding can spoil it."""
    return json.dumps(document, separators=(",", ":"), allow_nan=False)


def json_answer(document: Mapping[str, object], status: int = 200) -> Response:
    """Return a document as an answer."""
    return Response(dumps(document), status, media_type="application/json")


def problem_answer(problem: Problem) -> Response:
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
