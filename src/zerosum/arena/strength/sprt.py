"""The sequential test of two players: play pairs until it is plain which of two strengths is true.

This is the generalised SPRT on pair scores. Let p be the share of pairs in each cell and a the points of each cell. Of
all distributions whose mean is μ, the likeliest is q = p / (1 + λ (a - μ)), where λ makes the mean μ. The
log-likelihood ratio is that of the two q whose means are the scores of the two strengths. A cell that no pair fell into
counts as a thousandth of a pair, so that every mean is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Final

from zerosum.arena.strength.ratings import POINTS, Cells, score_of

LEAST_PAIRS: Final = 16
"""The test is first looked at after this many pairs: earlier, the shares of the cells say too little."""
ERROR: Final = 0.05
"""The chance of either mistake that the test is meant to keep."""
UNSEEN: Final = 1e-3
_CLOSE: Final = 1e-12
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
        if abs(step - at) < _CLOSE:
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
