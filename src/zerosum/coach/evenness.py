"""How even a game is: how often the first of two equal players wins, and up to which level that is about half."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Final, TypedDict

from zerosum.players.levels import STRENGTHS

MEASURED_PLAYERS: Final = tuple(who for who in STRENGTHS if who != "perfect")
"""The players whose matches are shown: between two perfect ones the seat decides."""
EVEN: Final = (0.4, 0.6)
"""How often the first of two equal players wins in a game that is even between them."""
EVEN_TO: Final = 3
"""The level up to which a good game is even, at least; in any other the seat decides."""


class ChangeDocument(TypedDict):
    """A change that makes a more even game, in words, and the rules file with it."""

    words: str
    text: str
    first: dict[str, float]
    score: float


def even_to(first: Mapping[str, float]) -> int | None:
    """Return the level up to which a game is even, from random and level 1 on: 0 for random alone, None for nobody.

    >>> even_to({"random": 0.5, "level:1": 0.6, "level:2": 0.61, "level:3": 0.5})
    1
    """
    least, most = EVEN
    even = list(takewhile(lambda who: who in first and least <= first[who] <= most, MEASURED_PLAYERS))
    return len(even) - 1 if even else None


def seat_decides(level: int | None) -> bool:
    """Return whether the seat decides too much in a game that is even up to a level."""
    return level is None or level < EVEN_TO


def even_words(level: int | None) -> str:
    """Return how even a game is, in words.

    >>> even_words(8), even_words(0), even_words(None)
    ('even up to level 8', 'even at random alone', 'not even at random')
    """
    if level is None:
        return "not even at random"
    return f"even up to level {level}" if level else "even at random alone"
