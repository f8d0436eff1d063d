"""The exact chance that one player beats another, by arithmetic and not by playing matches.

A player is a chance for every move, so the chance to win a position is the sum, over its moves, of the chance of the
move times the chance to win after it. One pass over the graph of the game, from the ends back to the start, finds it
for any number of pairings at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from types import MappingProxyType
from typing import Final

from zerosum.base.documents import IF_SET, inline, key
from zerosum.base.progress import Progress, silent
from zerosum.players.levels import LEVELS, STRENGTHS, Level, Score
from zerosum.players.policies import MovePolicy
from zerosum.players.sudden_death import ERROR, Chain
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError, Verdict, solution_of
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import ask
from zerosum.solver.graph_passes import Chooser

MOST_POSITIONS: Final = 1_000_000
"""More positions than this would take too much time and memory."""
_SECONDS_EACH: Final = 6e-5
_PLACES: Final = 14

Pairing = tuple[str, str]
"""Who sits in seat 1, and who in seat 2."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The chance that seat 1 wins, for each pairing; each is off by at most `error`, apart from rounding."""

    first_wins: dict[Pairing, float]
    error: float = 0.0


_NOBODY: Final[Mapping[str, MovePolicy]] = MappingProxyType({})


def _levels_in(pairings: Sequence[Pairing], policies: Iterable[str]) -> list[str]:
    return sorted({who for pairing in pairings for who in pairing} - set(policies))


def odds_from(
    start: Position,
    pairings: Iterable[Pairing],
    progress: Progress = silent,
    policies: Mapping[str, MovePolicy] = _NOBODY,
) -> Odds:
    """Return the exact chances of each pairing, and of the same two the other way round, from a position.

    A pairing may also name policies, players who are no levels.
    """
    pairings = list(pairings)
    _check_known(pairings, policies)
    both_ways = list(dict.fromkeys(way for one, two in pairings for way in ((one, two), (two, one))))
    names = [*_levels_in(both_ways, policies), *policies]
    if start.rules.tie is Tie.SUDDEN_DEATH:
        return _by_rounds(start, both_ways, names, policies, progress)
    _check_size(start.rules)
    graph = graph_of(start, mirrors=all(policy.mirrors for policy in policies.values()), progress=progress)
    passes, truth = passes_of(graph), truth_of(graph)
    players: list[Chooser] = [STRENGTHS[who] for who in names if who not in policies]
    players += [ask(graph, policy.chances) for policy in policies.values()]
    pairs = [(names.index(one), names.index(two)) for one, two in both_ways]
    meeting = passes.meet(graph, truth, players, pairs, progress=progress)
    chances = dict(zip(both_ways, meeting.starts[0], strict=True))
    if start.seat is Seat.SECOND:
        chances = {(one, two): 1 - chances[two, one] for one, two in both_ways}
    return Odds({pairing: clean(chance) for pairing, chance in chances.items()})


def certain(start: Position, pairing: Pairing) -> float | None:
    """Return seat 1's chance if one side is certain to win, None if that takes computing.

    Perfect play keeps any win, and a player who never misses a win at once keeps one that is at hand.
    """
    _check_known([pairing])
    value = solution_of(start.rules).value(start)
    if value.plies is None:
        return None
    wins = value.verdict is Verdict.WIN
    winner = start.seat if wins else start.seat.other
    level = STRENGTHS[pairing[winner - 1]]
    at_hand = level.sure and value.plies <= (1 if wins else 2)
    if not at_hand and level != STRENGTHS["perfect"]:
        return None
    return 1.0 if winner is Seat.FIRST else 0.0


def _check_known(pairings: Sequence[Pairing], policies: Iterable[str] = ()) -> None:
    unknown = [who for who in _levels_in(pairings, policies) if who not in STRENGTHS]
    if unknown:
        raise SolverError(f"Exact chances are known for {', '.join(STRENGTHS)}, not for {', '.join(unknown)}.")


def _check_size(rules: Rules) -> None:
    positions = solution_of(rules).count or 0
    if positions > MOST_POSITIONS:
        minutes = positions * _SECONDS_EACH / 60
        raise SolverError(
            f"{rules.name} has {positions:,} positions; computing exact chances would take about "
            f"{minutes:,.0f} minutes, and the limit is {MOST_POSITIONS:,} positions."
        )


def _by_rounds(
    start: Position,
    pairings: Sequence[Pairing],
    names: Sequence[str],
    policies: Mapping[str, MovePolicy],
    progress: Progress,
) -> Odds:
    levels = [STRENGTHS[who] for who in names if who not in policies]
    chain = Chain(start, solution_of(start.rules), levels, progress, tuple(policies.values()))
    found = {}
    for n, (one, two) in enumerate(pairings):
        progress(f"{n} of {len(pairings)} pairings")
        found[one, two] = clean(sum(chain.chance((names.index(one), names.index(two)))) / 2)
    return Odds(found, ERROR)


def clean(chance: float) -> float:
    """Return a chance without rounding errors, so that a certain win is exactly 1."""
    return min(1.0, max(0.0, round(chance, _PLACES)))


# The ladder of a game: what each level scores against the one below, and against perfect play

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
