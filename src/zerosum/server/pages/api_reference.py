"""The reference for programs, made from the same description that `/api/v1/openapi.json` gives; it needs no script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from zerosum.screens.line_of_play import capital
from zerosum.screens.rendering import render
from zerosum.server import limits
from zerosum.server.http.context import Context
from zerosum.tables.json_text import dumps
from zerosum.tables.problems import PROBLEMS

router = APIRouter(include_in_schema=False)

Document = Mapping[str, Any]
_PROBLEM: Final = "400"
"""From this status on an answer is a problem, and any call can have any."""
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_RANGES: Final = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)
_WIDE: Final = 2**31 - 1
"""A bound that only says how numbers are stored."""
_GROUPS: Final = (
    ("Games and positions", re.compile(r"\w+ /api/v1/(games|analyze)\b")),
    ("Getting a seat", re.compile(r"\w+ /api/v1/(keys|join|come-back)\b")),
    ("Commands", re.compile(r"post /api/v1/tables/\{table_id\}/")),
    ("Tables", re.compile("")),
)
"""The calls in groups: each goes to the first whose pattern fits its method and path."""


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter in some place of a request, or a member of a JSON object."""

    name: str
    type: Markup
    required: bool
    about: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ApiReply:
    """An answer that a call can get."""

    status: str
    about: str
    type: Markup


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One method of one path."""

    id: str
    method: str
    path: str
    about: str
    keyed: bool
    parameters: tuple[ApiField, ...]
    body: Markup
    replies: tuple[ApiReply, ...]


@dataclass(frozen=True, slots=True)
class ApiShape:
    """A JSON object with a name."""

    name: str
    about: str
    type: Markup
    fields: tuple[ApiField, ...]


@router.get("/api/v1/openapi.json")
async def description(request: Request, context: Context) -> Response:
    """Give the description of the API."""
    kept = await request.app.state.documents.get(("openapi",), context, lambda: dumps(request.app.openapi()))
    return kept.answer(request, context, "application/json")  # type: ignore[no-any-return]  # the state is untyped


@router.get("/api/v1/docs")
async def reference(request: Request, context: Context) -> Response:
    """Show the reference."""
    origin = str(request.base_url).rstrip("/")
    documents, described = request.app.state.documents, request.app.openapi
    kept = await documents.get(("docs", origin), context, lambda: _page(described(), origin))
    return kept.answer(request, context, "text/html")  # type: ignore[no-any-return]


def _page(described: Document, origin: str) -> str:
    return render(
        "reference.html",
        title=described["info"]["title"],
        version=described["info"]["version"],
        groups=groups(described),
        shapes=[_shape(name, one) for name, one in sorted(_schemas(described).items())],
        problems=[(code, status, title) for code, (status, title) in PROBLEMS.items()],
        origin=origin,
        limits=limits,
    )


def groups(described: Document) -> dict[str, list[ApiCall]]:
    """Return the calls in groups, each in the order they are described."""
    found: dict[str, list[ApiCall]] = {name: [] for name, _ in _GROUPS}
    for path, methods in described["paths"].items():
        for method in (one for one in _METHODS if one in methods):
            group = next(name for name, pattern in _GROUPS if pattern.match(f"{method} {path}"))
            found[group].append(_call(path, method, methods[method]))
    return found


def _call(path: str, method: str, call: Document) -> ApiCall:
    return ApiCall(
        id=f"call-{call['operationId']}",
        method=method.upper(),
        path=path,
        about=call.get("description", ""),
        keyed=all(call.get("security", ({},))),
        parameters=tuple(_parameter(one) for one in call.get("parameters", ())),
        body=_content(call.get("requestBody", {})),
        replies=tuple(
            ApiReply(status, reply.get("description", ""), _content(reply))
            for status, reply in call.get("responses", {}).items()
            if status < _PROBLEM
        ),
    )


def _parameter(one: Document) -> ApiField:
    schema = one.get("schema", {})
    about = one.get("description") or _about(schema)
    return ApiField(one["name"], type_of(schema), one.get("required", False), about, capital(one["in"]))


def _content(part: Document) -> Markup:
    """Return the types of a body or an answer; nothing if it has none."""
    kinds = part.get("content", {})
    parts = [_kind(kind, one.get("schema", {})) for kind, one in kinds.items()]
    return Markup(", or ").join(parts)


def _kind(kind: str, schema: Document) -> Markup:
    if kind in ("application/json", "application/problem+json") and schema:
        return type_of(schema)
    return Markup("<code>{}</code>").format(kind)


def type_of(schema: Document) -> Markup:
    """Return a schema in a few words, with links to those that have a name.

    >>> type_of({"anyOf": [{"type": "array", "items": {"$ref": "#/components/schemas/Move"}}, {"type": "null"}]})
    Markup('array of <a href="#shape-Move">Move</a> or null')
    """
    if "$ref" in schema:
        return Markup('<a href="#shape-{0}">{0}</a>').format(schema["$ref"].rpartition("/")[2])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema and "type" not in schema:
            return Markup(" or ").join(type_of(one) for one in schema[key])
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return Markup(" or ").join(Markup("<code>{}</code>").format(_value(one)) for one in values)
    return _plain_type(schema)


def _plain_type(schema: Document) -> Markup:
    kind = schema.get("type", "any value")
    if kind == "array":
        items = [type_of(one) for one in schema.get("prefixItems", ())] or [type_of(schema.get("items", {}))]
        return Markup("array of {}").format(Markup(" and ").join(items))
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return Markup("object of {}").format(type_of(schema["additionalProperties"]))
    return Markup("{}").format(" or ".join(kind) if isinstance(kind, list) else kind)


def _value(value: object) -> str:
    """Return a value as JSON writes it; a whole number is one, whatever its type.

    >>> [_value(one) for one in (1, True, None, 99.0, 0.5, "human")]
    ['1', 'true', 'null', '99', '0.5', '"human"']
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f'"{value}"' if isinstance(value, str) else dumps(value)


def _schemas(described: Document) -> dict[str, Any]:
    return dict(described.get("components", {}).get("schemas", {}))


def _shape(name: str, schema: Document) -> ApiShape:
    needed = schema.get("required", ())
    fields = tuple(
        ApiField(key, type_of(one), key in needed, _about(one)) for key, one in schema.get("properties", {}).items()
    )
    return ApiShape(name, schema.get("description", ""), Markup("") if fields else type_of(schema), fields)


def _about(schema: Document) -> str:
    """Return what a schema says of itself, and its bounds, as a sentence.

    >>> _about({"anyOf": [{"type": "string", "minLength": 1, "maxLength": 40}, {"type": "null"}], "default": "Ann"})
    '1 to 40 characters; "Ann" by default'
    """
    return " ".join(part for part in (schema.get("description", ""), "; ".join(_bounds(schema))) if part)


def _bounds(schema: Document) -> Iterator[str]:
    for one in (schema, *schema.get("anyOf", ())):
        for least, most, of_what in _RANGES:
            yield from _range(one.get(least), one.get(most), of_what)
        if "exclusiveMinimum" in one:
            yield f"more than {_value(one['exclusiveMinimum'])}"
        if "pattern" in one:
            yield f"matches {one['pattern']}"
    if "default" in schema:
        yield f"{_value(schema['default'])} by default"


def _range(least: float | None, most: float | None, of_what: str) -> Iterator[str]:
    """Say what is allowed.

    >>> [*_range(1, 180, ""), *_range(1, 2**31 - 1, ""), *_range(None, 9, " items")]
    ['1 to 180', 'at least 1', 'at most 9 items']
    """
    if most is None or most >= _WIDE:
        if least is not None:
            yield f"at least {_value(least)}{of_what}"
    else:
        yield f"{'at most' if least is None else f'{_value(least)} to'} {_value(most)}{of_what}"
