"""How the answers of the API are described in its reference."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from zerosum.server.models import ProblemShape
from zerosum.server.problems import PROBLEMS
from zerosum.version import __version__

Responses = dict[int | str, dict[str, Any]]
_PROBLEM: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemShape"}}}


def answers(shape: type[BaseModel] | None, status: int = 200) -> Responses:
    """Return the description of a route's answers: its document, and every problem it may have instead."""
    good: dict[str, Any] = {"description": "Done."}
    if shape is not None:
        good["model"] = shape
    by_status: dict[int, list[str]] = {}
    for code, (number, _) in PROBLEMS.items():
        by_status.setdefault(number, []).append(code)
    problems: Responses = {
        number: {"description": f"A problem: {', '.join(codes)}.", "content": _PROBLEM}
        for number, codes in sorted(by_status.items())
    }
    return {status: good, **problems}


def describe_api(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(title="zerosum", version=__version__, routes=app.routes, description=app.description)
        parts = schema.setdefault("components", {}).setdefault("schemas", {})
        parts["ProblemShape"] = ProblemShape.model_json_schema()
        for part in ("HTTPValidationError", "ValidationError"):
            parts.pop(part, None)
        app.openapi_schema = schema
    return app.openapi_schema
