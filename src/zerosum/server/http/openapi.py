"""How the answers of the API are described in its reference."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from zerosum.server.domain.commands import COMMANDS
from zerosum.server.domain.problems import PROBLEMS
from zerosum.server.http.shapes import ProblemShape
from zerosum.version import __version__

Responses = dict[int | str, dict[str, Any]]
Links = dict[str, dict[str, Any]]
_PROBLEM: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemShape"}}}


_STATE: Final = "$response.body#/state"
_AT_TABLE: Final = {"table_id": f"{_STATE}/table"}
_AT_MATCH: Final = {**_AT_TABLE, "number": f"{_STATE}/match/number"}
_LOOKS: Final[Links] = {
    **{name: {"operationId": name, "parameters": _AT_TABLE} for name in ("table", "events", "values", "hint")},
    **{name: {"operationId": name, "parameters": _AT_MATCH} for name in ("record", "review")},
}
_ANSWERED: Final = {"version": f"{_STATE}/version"}
_COMMANDS: Final[Links] = {
    name: {"operationId": name, "parameters": _AT_TABLE, "requestBody": _ANSWERED} for name in COMMANDS
} | {
    "move": {
        "operationId": "move",
        "parameters": _AT_TABLE,
        "requestBody": {**_ANSWERED, "move": f"{_STATE}/match/legal_moves/0"},
    }
}
AFTER_GAMES: Final[Links] = {
    name: {"operationId": name, "parameters": {"game": "$response.body#/games/0/rules/id"}}
    for name in ("game", "solution")
}
AFTER_COMMAND: Final[Links] = _LOOKS | _COMMANDS
AFTER_TABLE: Final[Links] = AFTER_COMMAND | {
    "join": {"operationId": "join", "requestBody": {"invitation": "$response.body#/invitation"}},
    "come_back": {"operationId": "come_back", "requestBody": {"code": "$response.body#/codes/1"}},
}
"""What can be done with an answer, for programs that find their way by the reference."""


def answers(shape: type[BaseModel] | None, status: int = 200, links: Links | None = None) -> Responses:
    """Return the description of a route's answers: its document, and every problem it may have instead."""
    good: dict[str, Any] = {"description": "Done."}
    if shape is not None:
        good["model"] = shape
    if links:
        good["links"] = links
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
