"""What may stand in a form, a message or a body: each field's limits are written once, beside the field.

A value class says it with `Annotated[int, Whole(1, 60)]`, `Annotated[str, Text(20)]`, `bool`, a `Literal` or another
value class, each of them `| None` if it may be missing. `read_value` reads forms; `server/http/bodies.py`
makes of the same class what checks programs and describes the API. The class's own `__post_init__` checks the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Schema = dict[str, Any]
"""Part of a JSON Schema."""


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A whole number."""

    least: int
    most: int
    schema: Schema | None = None
    """What else the description of the API says of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Text, by its number of characters; `pattern` is what all of it must match."""

    most: int | None = None
    least: int = 0
    pattern: str = ""
    schema: Schema | Callable[[Schema], None] | None = None
    """What else the description of the API says of it, or what adds that."""


class WrongFieldsError(ValueError):
    """What is wrong with some fields: of each its name (`loc`), the `type` and the limits (`ctx`), as in pydantic."""

    def __init__(self, *wrong: Mapping[str, Any]) -> None:
        self.wrong = wrong
        super().__init__(", ".join(f"{one.get('loc', ())}: {one['type']}" for one in wrong))


def _wrong(kind: str, **limits: int) -> dict[str, Any]:
    return {"type": kind, "ctx": limits}


def limits_of(hint: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Return the type of a field, its marks, and whether it may be None.

    >>> limits_of(Annotated[int, Whole(1, 2)] | None)
    (<class 'int'>, (Whole(least=1, most=2, schema=None),), True)
    """
    marks: tuple[Any, ...] = ()
    optional = False
    while True:
        if get_origin(hint) is Annotated:
            hint, marks = hint.__origin__, (*hint.__metadata__, *marks)
        elif NoneType in get_args(hint):
            hint, optional = next(one for one in get_args(hint) if one is not NoneType), True
        else:
            return hint, marks, optional


@cache
def typed_fields(kind: Any) -> tuple[tuple[Field[Any], Any], ...]:
    """Return the fields of a value class, each with its type."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((one, hints[one.name]) for one in fields(kind))


def read_value(kind: type[T], given: Mapping[str, Any]) -> T:
    """Return a value class read from what a form gives, or raise all that is wrong with it."""
    values: dict[str, Any] = {}
    wrong: list[Mapping[str, Any]] = []
    plain: Any = kind
    for field, hint in typed_fields(plain):
        if field.name not in given:
            wrong += [{"loc": (field.name,), **_wrong("missing")}] if field.default is MISSING else []
            continue
        try:
            values[field.name] = _read(hint, given[field.name])
        except WrongFieldsError as error:
            wrong += [{**one, "loc": (field.name, *one.get("loc", ()))} for one in error.wrong]
    if wrong:
        raise WrongFieldsError(*wrong)
    try:
        return kind(**values)
    except ValueError as error:
        raise WrongFieldsError({"loc": (), "type": "value_error", "msg": str(error)}) from None


def _read(hint: Any, value: Any) -> Any:
    kind, marks, optional = limits_of(hint)
    if value is None and optional:
        return None
    if is_dataclass(kind):
        return read_value(cast("type[Any]", kind), value)
    checks = (_CHECKS[type(mark)](mark, value) for mark in marks if type(mark) in _CHECKS)
    wrong = next(filter(None, checks), None)
    if get_origin(kind) is Literal and value not in get_args(kind):
        wrong = _wrong("literal_error")
    if wrong:
        raise WrongFieldsError(wrong)
    return value


def check_whole(limits: Whole, value: int) -> dict[str, Any] | None:
    """Return what is wrong with a whole number."""
    if value < limits.least:
        return _wrong("greater_than_equal", ge=limits.least)
    return _wrong("less_than_equal", le=limits.most) if value > limits.most else None


def check_text(limits: Text, value: str) -> dict[str, Any] | None:
    """Return what is wrong with a text."""
    if len(value) < limits.least:
        return _wrong("string_too_short", min_length=limits.least)
    if limits.most is not None and len(value) > limits.most:
        return _wrong("string_too_long", max_length=limits.most)
    unlike = limits.pattern and not re.fullmatch(limits.pattern, value)
    return _wrong("string_pattern_mismatch") if unlike else None


_CHECKS: Final[dict[type[Any], Callable[[Any, Any], dict[str, Any] | None]]] = {Whole: check_whole, Text: check_text}
