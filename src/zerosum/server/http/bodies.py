"""Bodies of requests and responses: checked fields in, documents and problems as JSON out.

The value classes of `tables` say what may stand in a body (`tables/fields.py`); pydantic checks programs by the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, is_dataclass
from functools import cache, partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, cast, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    StrictBool,
    TypeAdapter,
    ValidationError,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, from_json
from pydantic_core.core_schema import no_info_after_validator_function
from starlette.responses import Response

from zerosum.tables.fields import Text, Whole, limits_of, typed_fields
from zerosum.tables.json_text import dumps
from zerosum.tables.problems import RETRY_AFTER, Problem

T = TypeVar("T")
_FIELD: Final = re.compile(r"[a-z0-9_]{1,20}")
_TOLD: Final = 5
"""How many wrong fields are named."""


def limited(mark: Whole | Text) -> FieldInfo:
    """Return the limits of a field as pydantic takes them."""
    if isinstance(mark, Whole):
        made = Field(strict=True, ge=mark.least, le=mark.most, json_schema_extra=mark.schema)
    else:
        made = Field(
            strict=True,
            min_length=mark.least or None,
            max_length=mark.most,
            pattern=mark.pattern or None,
            json_schema_extra=mark.schema,
        )
    return cast("FieldInfo", made)


def public_name(kind: type[Any]) -> str:
    """Return the name of a type in the description of the API, which has always called a classroom a room."""
    return kind.__name__.replace("Classroom", "Room")


@cache
def body_model(kind: Any) -> type[BaseModel]:
    """Return the model that checks what programs send for a value class, and describes it to them."""
    config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=getattr(kind, "SCHEMA", None))
    parts: Any = {
        field.name: (_strict(hint), ... if field.default is MISSING else field.default)
        for field, hint in typed_fields(kind)
    }
    return create_model(public_name(kind), __config__=config, __doc__=kind.__doc__, **parts)


def _strict(hint: Any) -> Any:
    """Return the type of a field as pydantic checks it."""
    if get_origin(hint) is Annotated:
        marks = (Field(description=one) if isinstance(one, str) else limited(one) for one in hint.__metadata__)
        return Annotated[(_strict(hint.__origin__), *marks)]
    if get_origin(hint) is UnionType or get_origin(hint) is Union:
        return reduce(or_, map(_strict, get_args(hint)))
    part: Any = hint
    if is_dataclass(hint):
        return body_model(part)
    return StrictBool if hint is bool else hint


class CheckedBody:
    """Marks the body of a route: a value class, checked by its model."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the check: the model's, and after it the value class's own."""
        return no_info_after_validator_function(partial(_value, source), handler(body_model(source)))


def _value(kind: Any, model: BaseModel) -> Any:
    parts = {name: getattr(model, name) for name in model.model_fields_set}
    nested = {name: one for name, one in parts.items() if isinstance(one, BaseModel)}
    kinds = {field.name: limits_of(hint)[0] for field, hint in typed_fields(kind)} if nested else {}
    return kind(**{**parts, **{name: _value(kinds[name], one) for name, one in nested.items()}})


CHECKED: Final = CheckedBody()


def json_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text writes in JSON; None for all else."""
    try:
        document = from_json(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[kind, CHECKED])


def validate(kind: type[T], fields: Mapping[str, Any]) -> T:
    """Return fields as a checked value, or raise the problem of what is wrong with them."""
    plain: Any = kind
    try:
        made: T = _adapter(plain).validate_python(fields)
    except ValidationError as error:
        raise field_problem(error.errors(include_url=False, include_input=False)) from None
    return made


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
