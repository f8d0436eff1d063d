"""The levels: how far each sees, and how often it slips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """A strength between random and perfect play."""

    sight: int
    """It knows every win and loss that is at most so many plies away."""
    slip: float
    """The chance that it moves without thinking: any legal move, all as likely."""
    sure: bool
    """Whether it never misses a win at once, not even when it slips."""
    traps: bool
    """Whether it sets the best trap where it sees that it is lost."""


LEVELS: Final[dict[int, Level]] = {
    1: Level(sight=1, slip=0.80, sure=False, traps=False),
    2: Level(sight=1, slip=0.45, sure=False, traps=False),
    3: Level(sight=1, slip=0.25, sure=True, traps=False),
    4: Level(sight=2, slip=0.35, sure=True, traps=False),
    5: Level(sight=3, slip=0.25, sure=True, traps=False),
    6: Level(sight=4, slip=0.18, sure=True, traps=False),
    7: Level(sight=6, slip=0.12, sure=True, traps=True),
    8: Level(sight=8, slip=0.07, sure=True, traps=True),
    9: Level(sight=99, slip=0.03, sure=True, traps=True),
}
