"""Bodies of requests and responses: checked fields in, documents and problems as JSON out.

The same check serves JSON, live messages and forms. pydantic is the only validator; msgspec only encodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.responses import Response

from zerosum.tables.json_text import dumps
from zerosum.tables.problems import RETRY_AFTER, Problem

M = TypeVar("M", bound=BaseModel)
_FIELD: Final = re.compile(r"[a-z0-9_]{1,20}")
Tell = Callable[[Sequence[Any]], Problem]
_TOLD: Final = 5
"""How many wrong fields are named."""


def json_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text writes in JSON; None for all else."""
    try:
        document = from_json(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def validate(model: type[M], fields: Mapping[str, Any], tell: Tell | None = None) -> M:
    """Return fields as a checked value, or raise the problem that `tell` makes of what is wrong with them."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise (tell or field_problem)(error.errors(include_url=False, include_input=False)) from None


def field_problem(errors: Sequence[Any]) -> Problem:
    """Return what is wrong with which field; what was sent is not repeated."""
    parts = []
    for one in errors[:_TOLD]:
        where = ".".join(map(_part, one["loc"])).removeprefix("body.")
        parts.append(f"{where or 'body'}: {one['msg']}")
    return Problem("bad-field", "; ".join(parts)[:500].encode("ascii", "backslashreplace").decode() + ".")


def _part(part: object) -> str:
    """Return a part of the path of a field; a name that none of our fields could have is not repeated."""
    text = str(part)
    return text if _FIELD.fullmatch(text) else "..."


def json_response(document: object, status: int = 200) -> Response:
    """Return a document as an answer: a value class, a mapping, or text that is JSON already."""
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
