"""Pairs of matches, foreseen: the exact chances of two players from a position, in either seat."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf
from statistics import fmean, pvariance

from zerosum.arena.strength.named_policies import Policy
from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.base.statistics import normal_quantile
from zerosum.players.levels import STRENGTHS
from zerosum.players.odds import odds_from
from zerosum.players.symmetry import canon_of, plain
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph, ask


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
    means = [one.mean for one in chances]
    return fmean(means), fmean(one.variance for one in chances) + pvariance(means)


def pairs_needed(mean: float, variance: float, error: float = 0.05, power: float = 0.8) -> int | None:
    """Return how many pairs it takes to see who is stronger, None where that is never seen.

    With so many, the weaker is taken for the stronger with a chance of at most `error`, and the stronger is seen with a
    chance of `power`, as far as scores are normal.

    >>> pairs_needed(0.6311, 0.1160)
    42
    """
    told = _information(mean, variance)
    if not told:
        return None
    wanted = (normal_quantile(1 - error) + normal_quantile(power)) ** 2
    return max(1, ceil(wanted / told))


def pair_chances(starts: Sequence[Position], one: Policy, two: Policy, progress: Progress = silent) -> list[PairChance]:
    """Return the exact chances of `one` against `two` from each of some positions of one game."""
    _check_different(one, two)
    if starts and starts[0].rules.tie is Tie.SUDDEN_DEATH:
        return [_in_sudden_death(start, one, two, progress) for start in starts]
    # A graph begins with different positions that have equally large pools.
    key = canon_of(starts[0].rules) if starts and _mirrors(one, two) else plain
    groups: dict[Hashable, dict[Hashable, Position]] = {}
    for start in starts:
        groups.setdefault(_kind(start), {}).setdefault((key(start), start.seat), start)
    found = {}
    for kind, group in groups.items():
        graph = graph_of(*group.values(), mirrors=_mirrors(one, two), progress=progress)
        chances = _chances(graph, one, two, progress)
        found.update({(kind, at): chance for at, chance in zip(group, chances, strict=False)})
    return [found[_kind(start), (key(start), start.seat)] for start in starts]


def chances_everywhere(
    rules: Rules, one: Policy, two: Policy, progress: Progress = silent
) -> list[tuple[Position, PairChance]]:
    """Return every position of a game, mirrors as one, with the exact chances of `one` against `two` from there."""
    if rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"{rules.name} has no end of positions; the chances from all of them cannot be listed.")
    _check_different(one, two)
    graph = graph_of(start_position(rules), mirrors=_mirrors(one, two), progress=progress)
    positions = map(graph.position, range(graph.size))
    return list(zip(positions, _chances(graph, one, two, progress), strict=True))


def _check_different(one: Policy, two: Policy) -> None:
    if one.name == two.name:
        raise BadValueError(f"A pair has two different players, not {one.name} twice.")


def _mirrors(one: Policy, two: Policy) -> bool:
    return one.guest.mirrors and two.guest.mirrors


def _kind(position: Position) -> Hashable:
    """Return what positions have in common from which one graph can begin."""
    return len(position.pool), position.swap_open, position.previous is None


def _in_sudden_death(start: Position, one: Policy, two: Policy, progress: Progress) -> PairChance:
    policies = {policy.name: policy.guest for policy in (one, two) if not policy.is_level}
    wins = odds_from(start, [(one.name, two.name)], progress, policies).first_wins
    return PairChance(wins[one.name, two.name], 1 - wins[two.name, one.name])


def _chances(graph: Graph, one: Policy, two: Policy, progress: Progress) -> Iterator[PairChance]:
    """Yield the chances from every node of a graph."""
    players = [STRENGTHS[who.name] if who.is_level else ask(graph, who.guest.chances) for who in (one, two)]
    meeting = passes_of(graph).meet(graph, truth_of(graph), players, [(0, 1), (1, 0)], keep=2, progress=progress)
    for node, (first, second) in enumerate(zip(*meeting.nodes, strict=True)):
        # `first` is the chance of `one` if it moves, `second` that of `two` if that one moves.
        moving, waiting = min(1.0, max(0.0, first)), 1 - min(1.0, max(0.0, second))
        begins = graph.position(node).seat is Seat.FIRST
        yield PairChance(moving, waiting) if begins else PairChance(waiting, moving)
