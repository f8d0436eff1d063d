"""The exact chance that one player beats another, by arithmetic and not by playing matches.

A player is a chance for every move, so the chance to win a position is the sum, over its moves, of the chance of the
move times the chance to win after it. One pass from the ends back to the start finds it for any number of pairings
at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from types import MappingProxyType
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.players.graph import LOST, Guest, Known, Layer, Node, layers_of, weigh
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import chances_of
from zerosum.players.rounds import ERROR, Chain
from zerosum.players.symmetry import canon_of, plain
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position
from zerosum.solver import SolverError, Verdict, solution_of

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


class Pass:
    """The backward pass for some pairings; each pairing must be among them both ways round."""

    def __init__(self, pairings: Sequence[Pairing], guests: Sequence[str] = ()) -> None:
        names = [*_levels_in(pairings, guests), *guests]
        self._levels = [STRENGTHS[who] for who in names if who not in guests]
        # Which player moves in each pairing, for each seat.
        self._mover = [[names.index(pairing[seat]) for pairing in pairings] for seat in (0, 1)]
        self._other_way = [pairings.index((two, one)) for one, two in pairings]
        self._won = [1.0] * len(pairings)
        self._lost = [0.0] * len(pairings)

    def known(self, node: Node, following: Sequence[Known]) -> Known:
        """Return what is known of a node, given what is known of the nodes its moves lead to."""
        worths, traps = weigh(node.after, following)
        chances = [*chances_of(self._levels, worths, traps), *node.guests]
        ends = (self._won, self._lost) if node.seat == 0 else (self._lost, self._won)
        rows = [following[at].row if at >= 0 else ends[at == LOST] for at in node.after]
        if node.swaps:
            # The two people change seats, so seat 1's chance is now the other person's.
            rows[-1] = [1 - rows[-1][at] for at in self._other_way]
        mover = self._mover[node.seat]
        columns = zip(*rows, strict=True)
        row = [sum(map(mul, chances[who], column)) for who, column in zip(mover, columns, strict=True)]
        return Known(max(worths), sum(worth > 0 for worth in worths), row)

    def back(self, layers: Sequence[Layer], progress: Progress = silent) -> Known:
        """Return what is known of the start."""
        total = sum(map(len, layers))
        done = 0
        following: list[Known] = []
        for layer in reversed(layers):
            here = []
            for node in layer:
                here.append(self.known(node, following))
                done += 1
                if done % 1_000 == 0:
                    progress(f"{done:,} of {total:,} positions")
            following = here
        return following[0]


_NOBODY: Final[Mapping[str, Guest]] = MappingProxyType({})


def _levels_in(pairings: Sequence[Pairing], guests: Iterable[str]) -> list[str]:
    return sorted({who for pairing in pairings for who in pairing} - set(guests))


def odds_from(
    start: Position,
    pairings: Iterable[Pairing],
    progress: Progress = silent,
    guests: Mapping[str, Guest] = _NOBODY,
) -> Odds:
    """Return the exact chances of each pairing, and of the same two the other way round, from a position.

    A pairing may name guests too, players who are no levels.
    """
    pairings = list(pairings)
    _check_known(pairings, guests)
    both_ways = list(dict.fromkeys(way for one, two in pairings for way in ((one, two), (two, one))))
    if start.rules.tie is Tie.SUDDEN_DEATH:
        return _by_rounds(start, both_ways, progress, guests)
    _check_size(start.rules)
    canon = canon_of(start.rules) if all(guest.mirrors for guest in guests.values()) else plain
    layers, _ = layers_of([start], canon, progress=progress, guests=tuple(guests.values()))
    known = Pass(both_ways, tuple(guests)).back(layers, progress)
    return Odds(dict(zip(both_ways, map(clean, known.row), strict=True)))


def certain(start: Position, pairing: Pairing) -> float | None:
    """Return seat 1's chance where one side is certain to win, None where that takes computing.

    Perfect play keeps any win, and whoever never misses a win at once keeps one that is at hand.
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


def _check_known(pairings: Sequence[Pairing], guests: Iterable[str] = ()) -> None:
    unknown = [who for who in _levels_in(pairings, guests) if who not in STRENGTHS]
    if unknown:
        raise SolverError(f"Exact chances are known for {', '.join(STRENGTHS)}, not for {', '.join(unknown)}.")


def _check_size(rules: Rules) -> None:
    positions = solution_of(rules).positions or 0
    if positions > MOST_POSITIONS:
        minutes = positions * _SECONDS_EACH / 60
        raise SolverError(
            f"{rules.name} has {positions:,} positions; computing exact chances would take about "
            f"{minutes:,.0f} minutes, and the limit is {MOST_POSITIONS:,} positions."
        )


def _by_rounds(start: Position, pairings: Sequence[Pairing], progress: Progress, guests: Mapping[str, Guest]) -> Odds:
    levels = _levels_in(pairings, guests)
    names = [*levels, *guests]
    chosen = tuple(guests.values())
    chain = Chain(start, solution_of(start.rules), [STRENGTHS[who] for who in levels], progress, chosen)
    found = {}
    for n, (one, two) in enumerate(pairings):
        progress(f"{n} of {len(pairings)} pairings")
        found[one, two] = clean(sum(chain.chance((names.index(one), names.index(two)))) / 2)
    return Odds(found, ERROR)


def clean(chance: float) -> float:
    """Return a chance without rounding errors, so that a certain win is exactly 1."""
    return min(1.0, max(0.0, round(chance, _PLACES)))
