"""Pairs of matches, foreseen: the exact chances of two players from a position, and the books that pairs start from.

A book is chosen by the solution, the same for the same seed:

`start`            the start of the game
`even`             as many won as lost for the side to move, alike in size and length, with real choices near for both
`hard`             where a winning move is hardest to find
`between A B`      where a pair tells most about which of two players is stronger
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import ceil, inf
from operator import itemgetter
from random import Random
from statistics import fmean, pvariance
from typing import Final

from zerosum.arena.strength.best_response import chances_on
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.base.statistics import normal_quantile
from zerosum.coach.puzzles import found_at_random, hardness, puzzles_at_random
from zerosum.players.odds import odds_from
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.solver.by_playing import PlayedNames
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph, NodeNames
from zerosum.solver.graph_codes import CodedNames, Codes
from zerosum.solver.graph_passes import Meeting
from zerosum.solver.supports import MOVE_CODES, unknown_key


@dataclass(frozen=True, slots=True)
class PairChance:
    """The chances of one player against another from a position: sitting in seat 1, and in seat 2."""

    as_first: float
    as_second: float

    @property
    def mean(self) -> float:
        """The share of a pair's points to expect."""
        return (self.as_first + self.as_second) / 2

    @property
    def variance(self) -> float:
        """The variance of that share, over pairs from this position."""
        return sum(chance * (1 - chance) for chance in (self.as_first, self.as_second)) / 4

    @property
    def information(self) -> float:
        """How much one pair tells about who is stronger: its distance from an even score, squared, by its variance."""
        return _information(self.mean, self.variance)


def _information(mean: float, variance: float) -> float:
    away = (mean - 0.5) ** 2
    if not away:
        return 0.0
    return away / variance if variance else inf


def question(chances: Sequence[PairChance]) -> tuple[float, float]:
    """Return mean and variance of a pair's share of points where the position is one of these, all equally likely."""
    means = [chance.mean for chance in chances]
    return fmean(means), fmean(chance.variance for chance in chances) + pvariance(means)


def pairs_needed(mean: float, variance: float, error: float = 0.05, power: float = 0.8) -> int | None:
    """Return how many pairs it takes to see who is stronger, None if that is never seen.

    With so many, the weaker is taken for the stronger with a chance of at most `error`, and the stronger is seen with a
    chance of `power`, as far as scores are normal.

    >>> pairs_needed(0.6311, 0.1160)
    42
    """
    information = _information(mean, variance)
    if not information:
        return None
    wanted = (normal_quantile(1 - error) + normal_quantile(power)) ** 2
    return max(1, ceil(wanted / information))


def pair_chances(starts: Sequence[Position], one: Policy, two: Policy, progress: Progress = silent) -> list[PairChance]:
    """Return the exact chances of `one` against `two` from each of some positions of one game."""
    _refuse_twins(one, two)
    if not starts:
        return []
    if starts[0].rules.tie is Tie.SUDDEN_DEATH:
        return [_by_rounds(start, one, two, progress) for start in starts]
    names = _names(starts, mirrors=_mirrors(one, two))
    graphs: dict[Hashable, dict[Hashable, Position]] = {}
    for start in starts:
        # The starts of one graph have equally many numbers left, and are no mirrors of each other.
        together = len(start.pool), start.swap_open, start.previous is None
        graphs.setdefault(together, {}).setdefault(names.key(start), start)
    found: dict[Hashable, Sequence[float]] = {}
    for group in graphs.values():
        graph = graph_of(*group.values(), mirrors=_mirrors(one, two), progress=progress)
        found |= zip(group, _meet(graph, one, two, progress).starts, strict=True)
    return [_chance(start, *found[names.key(start)]) for start in starts]


def _by_rounds(start: Position, one: Policy, two: Policy, progress: Progress) -> PairChance:
    guests = {policy.name: policy.guest for policy in (one, two) if not policy.is_level}
    pairings = [(one.name, two.name), (two.name, one.name)]
    wins = odds_from(start, pairings, progress, guests).first_wins
    return PairChance(wins[pairings[0]], 1 - wins[pairings[1]])


def chances_everywhere(
    rules: Rules, one: Policy, two: Policy, progress: Progress = silent
) -> list[tuple[Position, PairChance]]:
    """Return every position of a game, mirrors as one, with the exact chances of `one` against `two` from there."""
    if rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"{rules.name} has no end of positions; the chances from all of them cannot be listed.")
    _refuse_twins(one, two)
    graph = graph_of(start_position(rules), mirrors=_mirrors(one, two), progress=progress)
    chances = zip(*_meet(graph, one, two, progress).nodes, strict=True)
    positions = map(graph.position, range(graph.size))
    return [(position, _chance(position, *both)) for position, both in zip(positions, chances, strict=True)]


def _refuse_twins(one: Policy, two: Policy) -> None:
    if one.name == two.name:
        raise BadValueError(f"A pair has two different players, not {one.name} twice.")


def _mirrors(one: Policy, two: Policy) -> bool:
    return one.guest.mirrors and two.guest.mirrors


def _names(starts: Sequence[Position], *, mirrors: bool) -> NodeNames:
    """Return what tells positions apart that can share a node."""
    if unknown_key(MOVE_CODES, starts[0].rules) is not None:
        return PlayedNames([])
    return CodedNames(Codes(starts[0].rules, starts, mirrors=mirrors))


def _meet(graph: Graph, one: Policy, two: Policy, progress: Progress) -> Meeting:
    """Return the chances of the one who moves: of `one` against `two`, and of `two` against `one`."""
    truth = truth_of(graph)
    players = [chances_on(graph, policy.guest, progress=progress) for policy in (one, two)]
    return passes_of(graph).meet(graph, truth, players, [(0, 1), (1, 0)], keep=2)


def _chance(position: Position, one_moves: float, two_moves: float) -> PairChance:
    moves, waits = (min(1.0, max(0.0, float(chance))) for chance in (one_moves, 1 - two_moves))
    return PairChance(moves, waits) if position.seat is Seat.FIRST else PairChance(waits, moves)


_CHOICE: Final = 8
"""This many times the positions asked for are found, and the book is chosen among them."""

Book = tuple[Position, ...]
"""Different positions; fewer than asked for if a game has no more."""


def start_book(solution: Solution) -> Book:
    """Return the book that has the start of the game alone."""
    return (solution.start,)


def even_book(solution: Solution, count: int, seed: str) -> Book:
    """Return positions in twos: one that the mover wins, then one that the mover loses.

    The second has as many numbers left and is as near in plies as can be. In each, both sides have a real choice
    within two plies.
    """
    wanted = _CHOICE * (count // 2 + 1)
    won: list[Position] = []
    lost: list[Position] = []
    for position in found_at_random(solution, Random(seed), lambda one: one if _is_lively(one, solution) else None):
        verdict = solution.value(position).verdict
        if verdict is not Verdict.DRAW:
            (won if verdict is Verdict.WIN else lost).append(position)
        if min(len(won), len(lost)) >= wanted or len(won) + len(lost) >= _CHOICE * wanted:
            break
    plies = {position: solution.value(position).plies or 0 for position in (*won, *lost)}
    pairs = [
        (abs(plies[one] - plies[two]), one, two) for one, two in product(won, lost) if len(one.pool) == len(two.pool)
    ]
    book: dict[Position, None] = {}
    for _, one, two in sorted(pairs, key=itemgetter(0)):
        if one not in book and two not in book and len(book) < count:
            book |= {one: None, two: None}
    return tuple(book)[:count]


def _is_lively(position: Position, solution: Solution) -> bool:
    """Whether both sides have a real choice within two plies."""
    replies = [after for move in position.legal_moves() if (after := position.play_unchecked(move)).outcome is None]
    if not any(_is_real(after, solution) for after in replies):
        return False
    return _is_real(position, solution) or any(
        _is_real(later, solution)
        for after in replies
        for move in after.legal_moves()
        if (later := after.play_unchecked(move)).outcome is None
    )


def _is_real(position: Position, solution: Solution) -> bool:
    return len({option.value.verdict for option in solution.options(position)}) > 1


def hard_book(solution: Solution, count: int, seed: str) -> Book:
    """Return positions with a winning move that is hard to find, the hardest first."""
    found = islice(puzzles_at_random(solution, Random(seed)), _CHOICE * _CHOICE * count)
    return tuple(one.position for one in sorted(found, key=hardness, reverse=True)[:count])


def between_book(
    rules: Rules, players: tuple[Policy, Policy], count: int, seed: str, progress: Progress = silent
) -> Book:
    """Return the positions from which a pair tells most about two players, the most telling first.

    The seed decides between positions that tell as much.
    """
    every = chances_everywhere(rules, *players, progress)
    Random(seed).shuffle(every)
    telling = [(chance.information, position) for position, chance in every if chance.information]
    return tuple(position for _, position in sorted(telling, key=itemgetter(0), reverse=True)[:count])
