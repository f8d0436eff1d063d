"""Value classes as JSON documents: members, classes that say themselves what they become, and the types of keys."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum

import pytest

from zerosum.base.documents import IF_SET, OMITTED, document, dumps, key, key_types, member, to_json


class Colour(Enum):
    RED = "red"


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y

    def __json__(self) -> str:
        return f"{self.x}/{self.y}"


@dataclass(frozen=True, slots=True)
class Shape:
    corners: tuple[Point, ...]
    colour: Colour = field(default=Colour.RED, metadata=key("color"))
    note: str | None = field(default=None, metadata=IF_SET)
    seen: int = field(default=0, metadata=OMITTED)

    @member
    def size(self) -> int:
        return len(self.corners)

    @property
    @member
    def empty(self) -> bool:
        return not self.corners

    @property
    def hidden(self) -> bool:
        return True


def test_fields_come_first_and_members_after_them() -> None:
    found = to_json(Shape((Point(1, 2), Point(3, 4)), seen=5))
    assert list(found.items()) == [("corners", ["1/2", "3/4"]), ("color", "red"), ("size", 2), ("empty", False)]
    assert to_json(Shape((), note="none"))["note"] == "none"


def test_the_key_types_a_class_are_those_of_its_documents() -> None:
    keys = key_types(Shape)
    whole = to_json(Shape((), note="all keys"))
    assert list(keys) == list(whole)
    assert {name for name, (_, optional) in keys.items() if optional} == {"note"}
    assert (keys["size"], keys["empty"]) == ((int, False), (bool, False))


def test_a_document_has_its_schema_and_is_ascii() -> None:
    text = dumps(document({"name": "Zoë", "shape": Shape(())}))
    assert text.isascii()
    assert json.loads(text) == {
        "schema": 1,
        "name": "Zoë",
        "shape": {"corners": [], "color": "red", "size": 0, "empty": True},
    }


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be written as JSON"):
        to_json({"a": object()})
