"""Values as JSON documents: a value class *is* its document, so no shape is written twice.

A frozen dataclass becomes an object with one key a field, in their order. `field(metadata=key("from"))` gives a field
another key, `field(metadata=OMITTED)` leaves it out, and `field(metadata=IF_SET)` leaves it out while it is None.
`field(metadata=inline())` puts the keys of a field's own document in its place. A method or property marked with
`@member` or `@member_as("key")` becomes a key after the fields: what follows from a value is in its document too. A
class with a method `__json__` says itself what it becomes. Enums become their values, mappings objects and sequences
arrays. `key_types` gives the type of each key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar, get_type_hints

SCHEMA: Final = 1
"""The number that every document of a command or of the API carries as `schema`."""
OMITTED: Final = {"json": None}
"""Metadata of a field that the document leaves out."""
IF_SET: Final = {"if_set": True}
"""Metadata of a field that is left out while it is None."""
_MEMBER: Final = "__json_member__"
Document = dict[str, Any]
"""A document as plain JSON: what `to_json` makes of a value class."""
_Method = TypeVar("_Method", bound=Callable[[Any], object])


def key(name: str) -> dict[str, str]:
    """Return the metadata of a field whose key differs from its name."""
    return {"json": name}


def inline(*without: str) -> dict[str, tuple[str, ...]]:
    """Return the metadata of a field whose document is part of this one; the keys `without` are left out."""
    return {"inline": without}


def member(method: _Method) -> _Method:
    """Mark a method without arguments whose result is part of the document, under the method's name."""
    return member_as(method.__name__)(method)


def member_as(name: str) -> Callable[[_Method], _Method]:
    """Return a decorator like `member`, for a key that differs from the method's name."""

    def mark(method: _Method) -> _Method:
        setattr(method, _MEMBER, name)
        return method

    return mark


def to_json(value: Any) -> Any:
    """Return a value as plain JSON: None, numbers, text, lists and dictionaries.

    >>> from dataclasses import dataclass, field
    >>> @dataclass(frozen=True)
    ... class Line:
    ...     moves: tuple[int, ...]
    ...     start: int = field(default=0, metadata=key("from"))
    ...     note: str | None = field(default=None, metadata=IF_SET)
    ...     @property
    ...     @member
    ...     def length(self) -> int:
    ...         return len(self.moves)
    >>> to_json(Line((3, 4)))
    {'moves': [3, 4], 'from': 0, 'length': 2}
    >>> @dataclass(frozen=True)
    ... class Named:
    ...     name: str
    ...     line: Line = field(metadata=inline("from"))
    >>> to_json(Named("a", Line((3, 4))))
    {'name': 'a', 'moves': [3, 4], 'length': 2}
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "__json__"):
        return to_json(value.__json__())
    if isinstance(value, Mapping):
        return {str(to_json(name)): to_json(one) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _object(value)
    if isinstance(value, Collection):
        return [to_json(one) for one in value]
    raise TypeError(f"{type(value).__name__} cannot be written as JSON.")


def document(value: object) -> dict[str, Any]:
    """Return a value as a whole document, with the number of its schema."""
    return {"schema": SCHEMA, **to_json(value)}


def dumps(value: object) -> str:
    """Return a value as JSON text in ASCII: no encoding can spoil it and no terminal acts on it."""
    return json.dumps(to_json(value))


def _object(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    kind: Any = type(value)
    for name, label, metadata in _keys(kind):
        one = getattr(value, name)
        if "inline" in metadata:
            found |= {key: part for key, part in to_json(one).items() if key not in metadata["inline"]}
        elif not ("if_set" in metadata and one is None):
            found[label] = to_json(one)
    for name, label in _members(kind):
        one = getattr(value, name)
        found[label] = to_json(one() if callable(one) else one)
    return found


def key_types(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Return the type of each key of a value class's document, and whether the key may be missing."""
    types = get_type_hints(kind)
    described: dict[str, tuple[Any, bool]] = {}
    for name, label, metadata in _keys(kind):
        if "inline" in metadata:
            inner = key_types(types[name])
            described |= {key: inner[key] for key in inner if key not in metadata["inline"]}
        else:
            described[label] = types[name], "if_set" in metadata
    for name, label in _members(kind):
        one = vars(kind)[name]
        returned = get_type_hints(one.fget if isinstance(one, property) else one)["return"]
        described[label] = returned, False
    return described


@cache
def _keys(kind: Any) -> tuple[tuple[str, str, Mapping[str, Any]], ...]:
    """Return name, key and metadata of each field that is part of the document."""
    return tuple(
        (field.name, field.metadata.get("json", field.name), field.metadata)
        for field in fields(kind)
        if field.metadata.get("json", field.name) is not None
    )


@cache
def _members(kind: Any) -> tuple[tuple[str, str], ...]:
    """Return the name and the key of each method and property that is a member."""
    methods = ((name, one.fget if isinstance(one, property) else one) for name, one in vars(kind).items())
    return tuple((name, getattr(one, _MEMBER)) for name, one in methods if hasattr(one, _MEMBER))
