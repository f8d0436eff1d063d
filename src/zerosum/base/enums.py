"""Enums whose repr is the code of the member, so that the repr of any value can be pasted.

>>> class Colour(StrChoice):
...     RED = "red"
>>> Colour.RED, str(Colour.RED)
(Colour.RED, 'red')
"""

from enum import IntEnum, StrEnum


class StrChoice(StrEnum):
    """One of a few words."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class IntChoice(IntEnum):
    """One of a few numbers."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
