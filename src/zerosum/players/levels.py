"""How strong each player is: how far it sees, how often it slips, and how a score against it is written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from typing import Final

from zerosum.base.documents import member


@dataclass(frozen=True, slots=True)
class Level:
    """A strength, from random to perfect play."""

    sight: int
    """It knows every win and loss that is at most this many plies away."""
    slip: float
    """The chance that it moves without thinking: any legal move, all equally likely."""
    sure: bool = False
    """Whether it never misses a win at once, not even when it slips."""
    traps: bool = False
    """Whether it sets the best trap in a position it sees as lost, without ever slipping there."""


@dataclass(frozen=True, slots=True)
class Score:
    """The chance to beat an opponent, from either seat."""

    who: str
    as_first: float
    as_second: float

    @property
    @member
    def average(self) -> float:
        """The mean of both seats."""
        return (self.as_first + self.as_second) / 2


EVERYTHING: Final = 1 << 30
"""Sight that reaches the end of any game."""

LEVELS: Final[dict[int, Level]] = {
    1: Level(sight=2, slip=0.86),
    2: Level(sight=2, slip=0.72),
    3: Level(sight=2, slip=0.59, sure=True),
    4: Level(sight=3, slip=0.47, sure=True),
    5: Level(sight=4, slip=0.36, sure=True),
    6: Level(sight=5, slip=0.26, sure=True),
    7: Level(sight=8, slip=0.18, sure=True, traps=True),
    8: Level(sight=9, slip=0.10, sure=True, traps=True),
    9: Level(sight=16, slip=0.03, sure=True, traps=True),
}
"""Tuned on exact scores: see `zerosum levels`, and the tests, which compute the ladder of four games."""
STRENGTHS: Final[dict[str, Level]] = {
    "random": Level(sight=0, slip=1.0),
    **{f"level:{n}": level for n, level in LEVELS.items()},
    "perfect": Level(sight=EVERYTHING, slip=0.0, sure=True, traps=True),
}


@cache
def levels_version() -> str:
    """Return the version of the levels: figures computed for other levels are not read."""
    table = {who: asdict(level) for who, level in STRENGTHS.items()}
    return (
        f"levels {hashlib.sha256(json.dumps(table, sort_keys=True, separators=(',', ':')).encode()).hexdigest()[:16]}"
    )


def spoken_level(who: str) -> str:
    """Return a player of `STRENGTHS` as people say it: `level 3`."""
    return who.replace(":", " ")


def sight_words(who: str) -> str:
    """Return what a player of `STRENGTHS` can see, as the rest of a sentence about it.

    >>> sight_words("level:3")
    'looks 2 moves ahead, but makes 59 % of its moves blindly; it never overlooks a win at once'
    """
    level = STRENGTHS[who]
    if level.slip == 1:
        return "moves at random"
    if level.sight == EVERYTHING:
        return "sees everything and never errs"
    habits = ["never overlooks a win at once"] * level.sure + ["sets traps when it is losing"] * level.traps
    more = f"; it {' and '.join(habits)}" if habits else ""
    return f"looks {level.sight} moves ahead, but makes {100 * level.slip:.0f} % of its moves blindly{more}"
