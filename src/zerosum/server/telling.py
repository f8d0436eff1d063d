"""Answers: documents as JSON, problems as problem JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from zerosum.server.problems import RETRY_AFTER, Problem

_COMPACT: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def dumps(document: object) -> str:
    """Return a document as compact JSON, in ASCII: no encoding can spoil it."""
    return _COMPACT.encode(document)


def joined(*objects: str) -> str:
    """Return objects that are JSON already as one object with the members of all.

    >>> joined('{"a":1}', '{"b":2,"c":3}')
    '{"a":1,"b":2,"c":3}'
    """
    return f"{{{','.join(one[1:-1] for one in objects)}}}"


def with_state(document: Mapping[str, object] | str, state: str) -> str:
    """Return a document, which may be JSON already, with a state, which is, as its last member."""
    text = document if isinstance(document, str) else dumps(document)
    return f'{text[:-1]},"state":{state}}}'


def json_answer(document: Mapping[str, object] | str, status: int = 200) -> Response:
    """Return a document, or one that is JSON already, as an answer."""
    text = document if isinstance(document, str) else dumps(document)
    return Response(text, status, media_type="application/json")


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
