"""The description of the API, generated from what it serialises: the types of its documents and its problems."""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Final, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, ConfigDict, create_model

from zerosum.base.documents import key_types
from zerosum.server.http.bodies import public_name
from zerosum.tables.commands import COMMANDS
from zerosum.tables.problems import PROBLEMS, ProblemDocument
from zerosum.version import __version__

Responses = dict[int | str, dict[str, Any]]
Links = dict[str, dict[str, Any]]
_PROBLEM: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


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
"""What can be done with an answer, for programs that follow links."""


def route_responses(document: Any | None, status: int = 200, links: Links | None = None) -> Responses:
    """Return the description of a route's answers: its document, and every problem it may have instead."""
    good: dict[str, Any] = {"description": "Done."}
    if document is not None:
        good["model"] = model_of(document)
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


@cache
def model_of(document: Any) -> type[BaseModel]:
    """Return the type of a document as a model that can be described; members may be added, none will be renamed.

    (pydantic itself reads `TypedDict` only from Python 3.12 on.)
    """
    members = key_types(document) if is_dataclass(document) else _typed_members(document)
    fields: dict[str, Any] = {
        name: (_described(hint), None if optional else ...) for name, (hint, optional) in members.items()
    }
    config = ConfigDict(extra="allow")
    return create_model(public_name(document), __config__=config, __doc__=document.__doc__, **fields)


def _typed_members(document: Any) -> dict[str, tuple[Any, bool]]:
    members = {}
    for name, hint in get_type_hints(document, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        members[name] = (get_args(hint)[0] if optional else hint, optional)
    return members


def _described(hint: Any) -> Any:
    """Return a type with every document in it replaced by its model."""
    if is_typeddict(hint) or is_dataclass(hint):
        return model_of(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return type(next(iter(hint)).value)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is None:
        return hint
    within = tuple(_described(part) for part in parts)
    return Union[within] if origin in (Union, UnionType) else origin[within]  # noqa: UP007 - made of a tuple


def describe_api(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(title="zerosum", version=__version__, routes=app.routes, description=app.description)
        parts = schema.setdefault("components", {}).setdefault("schemas", {})
        parts["Problem"] = model_of(ProblemDocument).model_json_schema()
        for part in ("HTTPValidationError", "ValidationError"):
            parts.pop(part, None)
        app.openapi_schema = schema
    return app.openapi_schema
