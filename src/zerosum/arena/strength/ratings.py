"""Ratings from pairs of matches: Bradley-Terry strengths on the Elo scale, with intervals.

A *pair* is two matches from one position, each player once in either seat, so that the position favours nobody. Its
result is one of five cells: 0, ½, 1, 1½ or 2 points for the first-named player. A match that nobody wins gives ½.

The *sequential test* of two players, until it is plain which of two strengths is true, is the generalised SPRT on pair
scores. Let p be the share of pairs in each cell and a the points of each cell. Of all distributions whose mean is μ,
the likeliest is q = p / (1 + λ (a - μ)), where λ makes the mean μ. The log-likelihood ratio is that of the two q whose
means are the scores of the two strengths. A cell that no pair fell into counts as a thousandth of a pair, so that every
mean is possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, log
from operator import mul
from random import Random
from typing import Final

from zerosum.base.statistics import RESAMPLES, percentiles, resampled

POINTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of a pair's points that each cell gives to the first-named player."""
ANCHOR: Final = "level:5"
"""The player whose rating is 0, if it takes part."""
_ELO: Final = 400 / log(10)
_VIRTUAL: Final = (0, 0, 1, 0, 0)
_CLOSE: Final = 1e-13
_MOST_ROUNDS: Final = 100_000

Cells = Sequence[int]
"""How many pairs gave the first-named player 0, ½, 1, 1½ and 2 points."""
Results = Mapping[tuple[str, str], Cells]
"""The cells of each pairing; a pairing may stand both ways round."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's Elo rating, with its interval."""

    name: str
    elo: float
    low: float
    high: float


def score_of(elo: float) -> float:
    """Return the share of the points that a player scores who is stronger by so many Elo points."""
    return 1 / (1 + exp(-elo / _ELO))


def mean_of(cells: Cells) -> float:
    """Return the share of all points that the first-named player has scored; there must be a pair."""
    return sum(count * share for count, share in zip(cells, POINTS, strict=True)) / sum(cells)


def strengths(results: Results, began: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return the Elo rating of every player: Bradley-Terry by minorise-maximise, on shares of points.

    Against each opponent met counts one more pair, drawn, so that nobody is infinitely strong. The mean of
    everybody who is linked by matches is 0; where `ANCHOR` is one of them, its rating is 0 instead. `began` are ratings
    near the answer, from which it is found sooner.
    """
    won, played = _sums(results)
    names = sorted(won)
    power = {name: exp((began or {}).get(name, 0.0) / _ELO) for name in names}
    for _ in range(_MOST_ROUNDS):
        moved = 0.0
        for name in names:
            meant = sum(pairs / (power[name] + power[other]) for other, pairs in played[name].items())
            new = won[name] / meant
            moved = max(moved, abs(new / power[name] - 1))
            power[name] = new
        if moved < _CLOSE:
            break
    ratings = {name: _ELO * log(strength) for name, strength in power.items()}
    for group in _linked(names, played):
        zero = ratings[ANCHOR] if ANCHOR in group else sum(ratings[name] for name in group) / len(group)
        ratings |= {name: ratings[name] - zero for name in group}
    return ratings


def _sums(results: Results) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return the points of each player, and how many pairs each has played against each other, virtual ones too."""
    merged: dict[tuple[str, str], list[int]] = {}
    for (one, two), cells in results.items():
        if one == two or not sum(cells):
            continue
        ordered = (one, two) if one < two else (two, one)
        turned = cells if ordered == (one, two) else tuple(reversed(cells))
        here = merged.setdefault(ordered, list(_VIRTUAL))
        merged[ordered] = [a + b for a, b in zip(here, turned, strict=True)]
    won: dict[str, float] = {name: 0.0 for pairing in results for name in pairing}
    played: dict[str, dict[str, float]] = {name: {} for name in won}
    for (one, two), cells in merged.items():
        pairs = sum(cells)
        share = mean_of(cells)
        won[one] += share * pairs
        won[two] += (1 - share) * pairs
        played[one][two] = played[two][one] = pairs
    met = {name for name, others in played.items() if others}
    return {name: won[name] for name in met}, {name: played[name] for name in met}


def _linked(names: Sequence[str], played: Mapping[str, Mapping[str, float]]) -> list[set[str]]:
    """Return the groups of players whom matches link."""
    groups: list[set[str]] = []
    for name in names:
        if any(name in group for group in groups):
            continue
        group, ahead = {name}, [name]
        while ahead:
            new = played[ahead.pop()].keys() - group
            group |= new
            ahead += new
        groups.append(group)
    return groups


def ratings_of(results: Results, seed: str, resamples: int = RESAMPLES) -> list[Rating]:
    """Return every player's rating, the strongest first, with 95 % intervals by bootstrap over each pairing's pairs.

    The interval of the anchor, or of a mean of 0, tells only that it was fixed.
    """
    best = strengths(results)
    dice = Random(seed)
    draws = {pairing: resampled(cells, dice) for pairing, cells in results.items() if sum(cells)}
    drawn: dict[str, list[float]] = {name: [] for name in best}
    known: dict[tuple[float, ...], dict[str, float]] = {}
    for _ in range(resamples):
        cells = {pairing: next(draw) for pairing, draw in draws.items()}
        # Ratings follow from the points alone, and with few pairings the same points come again and again.
        points = tuple(sum(map(mul, POINTS, counts)) for counts in cells.values())
        found = known.get(points)
        if found is None:
            found = known[points] = strengths(cells, best)
        for name, elo in found.items():
            drawn[name].append(elo)
    every = (Rating(name, best[name], *percentiles(values)) for name, values in drawn.items())
    return sorted(every, key=lambda rating: (-rating.elo, rating.name))


LEAST_PAIRS: Final = 16
"""The test is first looked at after this many pairs: earlier, the shares of the cells say too little."""
ERROR: Final = 0.05
"""The chance of either mistake that the test is meant to keep."""
UNSEEN: Final = 1e-3
_NEAR: Final = 1e-12
_MOST_STEPS: Final = 200
EVEN_VARIANCE: Final = 0.125
"""The variance of a pair's share of points if both matches are even."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Where a sequential test stands: `decision` is `H0`, `H1`, or None while it goes on."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    decision: str | None
    pairs: int


def sprt(cells: Cells, elo0: float, elo1: float, error: float = ERROR) -> Sprt:
    """Return what these pairs say: H0 is that the first-named is stronger by `elo0`, H1 by `elo1`."""
    lower, upper = log(error / (1 - error)), log((1 - error) / error)
    pairs = sum(cells)
    llr = log_likelihood_ratio(cells, score_of(elo0), score_of(elo1)) if pairs else 0.0
    decision = None
    if pairs >= LEAST_PAIRS:
        decision = "H1" if llr >= upper else "H0" if llr <= lower else None
    return Sprt(elo0, elo1, llr, lower, upper, decision, pairs)


def log_likelihood_ratio(cells: Cells, score0: float, score1: float) -> float:
    """Return how much likelier the pairs are if the true score is `score1` than if it is `score0`, as a log."""
    weights = [count or UNSEEN for count in cells]
    by0, by1 = _tilt(weights, score0), _tilt(weights, score1)
    return sum(
        weight * log((1 + by0 * (a - score0)) / (1 + by1 * (a - score1)))
        for weight, a in zip(weights, POINTS, strict=True)
    )


def _tilt(weights: Sequence[float], mean: float) -> float:
    """Return λ: the root of a sum that falls between two poles, by Newton's steps that never leave the bracket."""
    away = [(weight, a - mean) for weight, a in zip(weights, POINTS, strict=True)]
    low, high = -1 / (POINTS[-1] - mean), 1 / (mean - POINTS[0])
    at = 0.0
    for _ in range(_MOST_STEPS):
        value = slope = 0.0
        for weight, by in away:
            part = by / (1 + at * by)
            value += weight * part
            slope -= weight * part * part
        low, high = (at, high) if value > 0 else (low, at)
        step = at - value / slope
        step = step if low < step < high else (low + high) / 2
        if abs(step - at) < _NEAR:
            return step
        at = step
    return at


def pairs_expected(elo0: float, elo1: float, variance: float = EVEN_VARIANCE, error: float = ERROR) -> int:
    """Return about how many pairs a sequential test takes if H0 or H1 is true (Wald's approximation).

    `variance` is that of a pair's share of points.
    """
    bound = log((1 - error) / error)
    drift = (score_of(elo1) - score_of(elo0)) ** 2 / (2 * variance)
    return max(LEAST_PAIRS, ceil((1 - 2 * error) * bound / drift))
