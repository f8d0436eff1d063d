"""Pairs of matches, foreseen: the exact chances of two players from a position, in either seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from statistics import fmean, pvariance

from zerosum.arena.strength.named_policies import Policy
from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.base.statistics import normal_quantile
from zerosum.players.graph import Guest, Known, Layer, Pass, layers_of
from zerosum.players.odds import Pairing, odds_from
from zerosum.players.symmetry import canon_of, plain
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError


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
    pairings, guests = _seats(one, two)
    if not starts:
        return []
    if starts[0].rules.tie is Tie.SUDDEN_DEATH:
        every = (odds_from(start, pairings, progress, guests).first_wins for start in starts)
        return [PairChance(wins[pairings[0]], 1 - wins[pairings[1]]) for wins in every]
    canon = canon_of(starts[0].rules) if all(guest.mirrors for guest in guests.values()) else plain
    layers, _ = layers_of(starts, canon, progress=progress, guests=tuple(guests.values()))
    known = _back(layers, Pass(pairings, tuple(guests)), progress)
    return [_chance(at) for at in known[0]]


def chances_everywhere(
    rules: Rules, one: Policy, two: Policy, progress: Progress = silent
) -> list[tuple[Position, PairChance]]:
    """Return every position of a game, mirrors as one, with the exact chances of `one` against `two` from there."""
    if rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"{rules.name} has no end of positions; the chances from all of them cannot be listed.")
    pairings, guests = _seats(one, two)
    canon = canon_of(rules) if all(guest.mirrors for guest in guests.values()) else plain
    places: list[list[Position]] = []
    layers: list[Layer] = []
    ahead = [start_position(rules)]
    while ahead:
        places.append(ahead)
        (layer,), ahead = layers_of(ahead, canon, 1, progress, tuple(guests.values()))
        layers.append(layer)
        progress(f"{sum(map(len, places)):,} positions found")
    known = _back(layers, Pass(pairings, tuple(guests)), progress)
    return [
        (position, _chance(at))
        for positions, row in zip(places, known, strict=True)
        for position, at in zip(positions, row, strict=True)
    ]


def _seats(one: Policy, two: Policy) -> tuple[list[Pairing], dict[str, Guest]]:
    if one.name == two.name:
        raise BadValueError(f"A pair has two different players, not {one.name} twice.")
    guests = {policy.name: policy.guest for policy in (one, two) if not policy.is_level}
    return [(one.name, two.name), (two.name, one.name)], guests


def _back(layers: Sequence[Layer], table: Pass, progress: Progress) -> list[list[Known]]:
    """Return what is known of every position, layer by layer, found from the ends."""
    found: list[list[Known]] = [[]]
    for layer in reversed(layers):
        progress(f"{sum(map(len, found)):,} positions done")
        found.append([table.known(node, found[-1]) for node in layer])
    return found[:0:-1]


def _chance(known: Known) -> PairChance:
    first, second = (min(1.0, max(0.0, chance)) for chance in known.row)
    return PairChance(first, 1 - second)
