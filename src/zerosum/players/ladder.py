"""The ladder of a game: what each level scores against the one below, and against perfect play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final

from zerosum.base.documents import IF_SET, inline, key
from zerosum.base.progress import Progress, silent
from zerosum.players.levels import LEVELS, STRENGTHS, Level, Score
from zerosum.players.odds import Odds, Pairing, odds_from
from zerosum.rules.model import Rules
from zerosum.rules.position import Position, start_position

RANDOM: Final = "random"
PERFECT: Final = "perfect"
FindOdds = Callable[[Position, Sequence[Pairing], Progress], Odds]
"""Finds the chances of pairings from a position."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A level as a player, how it plays, and its scores."""

    number: int = field(metadata=key("level"))
    who: str
    level: Level = field(metadata=inline("sure", "traps"))
    below: Score
    perfect: Score


@dataclass(frozen=True, slots=True)
class Ladder:
    """All levels of a game; `odds` has every pairing that was asked for."""

    rules: Rules
    rungs: tuple[Rung, ...]
    odds: Odds

    def rises(self, least: float = 0.5) -> bool:
        """Whether each level scores over `least` against the one below, and more than that one against perfect play."""
        against = [_score(self.odds, RANDOM, PERFECT).average, *(rung.perfect.average for rung in self.rungs)]
        climbs = all(low < high for low, high in pairwise(against))
        return climbs and all(rung.below.average > least for rung in self.rungs)


def ladder_of(rules: Rules, progress: Progress = silent, *, full: bool = False, find: FindOdds = odds_from) -> Ladder:
    """Return the ladder of a game; with `full`, also the odds of every player against every other.

    `find` finds the odds: a caller may have kept them.
    """
    players = list(STRENGTHS)
    pairings: list[Pairing] = [(RANDOM, RANDOM), (RANDOM, PERFECT)]
    pairings += zip(players[1:-1], players, strict=False)
    pairings += ((who, PERFECT) for who in players[1:-1])
    if full:
        pairings += product(players, players)
    both_ways = dict.fromkeys(way for one, two in pairings for way in ((one, two), (two, one)))
    odds = find(start_position(rules), list(both_ways), progress)
    rungs = (
        Rung(n, who, level, _score(odds, who, players[n - 1]), _score(odds, who, PERFECT))
        for n, (who, level) in enumerate(zip(players[1:-1], LEVELS.values(), strict=True), 1)
    )
    return Ladder(rules, tuple(rungs), odds)


def _score(odds: Odds, who: str, against: str) -> Score:
    return Score(against, odds.first_wins[who, against], 1 - odds.first_wins[against, who])


@dataclass(frozen=True, slots=True)
class MatrixDocument:
    """How often each player, moving first, beats each other."""

    players: list[str]
    first_wins: list[list[float]]


@dataclass(frozen=True, slots=True)
class LadderDocument:
    """How strong the levels of a game are."""

    game: str
    levels: Sequence[Rung]
    error: float
    matrix: MatrixDocument | None = field(default=None, metadata=IF_SET)

    @classmethod
    def of(cls, ladder: Ladder, *, full: bool) -> LadderDocument:
        """Return the document of a ladder; `full`: also how often each player beats each other."""
        wins = ladder.odds.first_wins
        rows = [[wins[one, two] for two in STRENGTHS] for one in STRENGTHS] if full else []
        matrix = MatrixDocument(list(STRENGTHS), rows) if full else None
        return cls(ladder.rules.id, ladder.rungs, ladder.odds.error, matrix)
