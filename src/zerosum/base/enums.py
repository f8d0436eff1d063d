"""Enums whose repr is the code of the member, so that the repr of any value can be pasted; and how a word is read.

>>> class Colour(StrChoice):
...     RED = "red"
>>> Colour.RED, str(Colour.RED)
(Colour.RED, 'red')
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, StrEnum
from typing import TypeVar

from zerosum.base.errors import RulesError

_Word = TypeVar("_Word", bound=StrEnum)


class StrChoice(StrEnum):
    """One of a few words."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class IntChoice(IntEnum):
    """One of a few numbers."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def one_of(words: type[_Word]) -> Callable[[object], _Word]:
    """Return a reader that takes one of the words of an enum, as a rules file has it."""

    def read(value: object) -> _Word:
        if not isinstance(value, str) or value not in list(words):
            raise RulesError(f"must be one of {', '.join(words)}, in quotes.")
        return words(value)

    return read
