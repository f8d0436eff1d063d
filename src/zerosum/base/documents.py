"""Values as JSON documents: a value class *is* its document, so no shape is written twice.

A frozen dataclass becomes an object with one key a field, in their order. `field(metadata=key("from"))` gives a field
another key, `field(metadata=OMITTED)` leaves it out, and `field(metadata=IF_SET)` leaves it out while it is None.
A method marked with `@member` becomes a key after the fields: what follows from a value is in its document too.
Enums become their values, mappings objects, sequences arrays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar

SCHEMA: Final = 1
"""The number that every document of a command or of the API carries as `schema`."""
OMITTED: Final = {"json": None}
"""Metadata of a field that is no part of the document."""
IF_SET: Final = {"if_set": True}
"""Metadata of a field that is left out while it is None."""
_MEMBER: Final = "__json_member__"
_Method = TypeVar("_Method", bound=Callable[[Any], object])


def key(name: str) -> dict[str, str]:
    """Return the metadata of a field whose key differs from its name."""
    return {"json": name}


def member(method: _Method) -> _Method:
    """Mark a method without arguments whose result is part of the document, under the method's name."""
    setattr(method, _MEMBER, True)
    return method


def to_json(value: Any) -> Any:  # noqa: ANN401 - any value in, plain JSON out
    """Return a value as plain JSON: None, numbers, text, lists and dictionaries.

    >>> from dataclasses import dataclass, field
    >>> @dataclass(frozen=True)
    ... class Line:
    ...     moves: tuple[int, ...]
    ...     start: int = field(default=0, metadata=key("from"))
    ...     note: str | None = field(default=None, metadata=IF_SET)
    ...     @member
    ...     def length(self) -> int:
    ...         return len(self.moves)
    >>> to_json(Line((3, 4)))
    {'moves': [3, 4], 'from': 0, 'length': 2}
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(to_json(name)): to_json(one) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _object(value)
    if isinstance(value, Collection):
        return [to_json(one) for one in value]
    raise TypeError(f"{type(value).__name__} is no part of a JSON document.")


def document(value: object) -> dict[str, Any]:
    """Return a value as a whole document, with the number of its schema."""
    return {"schema": SCHEMA, **to_json(value)}


def dumps(value: object) -> str:
    """Return a value as JSON text in ASCII: no encoding can spoil it and no terminal acts on it."""
    return json.dumps(to_json(value))


def _object(value: Any) -> dict[str, Any]:  # noqa: ANN401 - an instance of any dataclass
    found: dict[str, Any] = {}
    kind: Any = type(value)
    for name, label, if_set in _keys(kind):
        one = getattr(value, name)
        if not (if_set and one is None):
            found[label] = to_json(one)
    for name in _members(kind):
        found[name] = to_json(getattr(value, name)())
    return found


@cache
def _keys(kind: Any) -> tuple[tuple[str, str, bool], ...]:  # noqa: ANN401 - any dataclass
    """Return name, key and whether None is left out, for each field that is part of the document."""
    return tuple(
        (one.name, one.metadata.get("json", one.name), "if_set" in one.metadata)
        for one in fields(kind)
        if one.metadata.get("json", one.name) is not None
    )


@cache
def _members(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - any dataclass
    return tuple(name for name, one in vars(kind).items() if getattr(one, _MEMBER, False))
