"""Intervals and tails of distributions, from the standard library alone. Whatever draws takes a seed."""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import ceil, erfc, exp, floor, lgamma, log, pi, sqrt
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
_FAR: Final = 8
"""Standard deviations beyond which a binomial distribution is not looked at."""


class Interval(NamedTuple):
    """A lower and an upper bound."""

    low: float
    high: float


def normal_quantile(share: float) -> float:
    """Return the point that a standard normal value stays below with this chance."""
    return NormalDist().inv_cdf(share)


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval of a share; without trials it is everything from 0 to 1.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if trials <= 0:
        return Interval(0.0, 1.0)
    z = normal_quantile((1 + confidence) / 2)
    share, weight = successes / trials, z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def percentiles(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the middle part of some values that holds this share of them."""
    ordered = sorted(values)
    outside = (1 - confidence) / 2 * len(ordered)
    return Interval(ordered[floor(outside)], ordered[ceil(len(ordered) - outside) - 1])


def bootstrap(
    items: Sequence[T],
    statistic: Callable[[Sequence[T]], float],
    seed: str,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Interval:
    """Return the percentile interval of a statistic over items drawn anew, with replacement.

    An item is what is independent: a whole match, not one of its decisions.
    """
    dice = Random(seed)
    found = [statistic(dice.choices(items, k=len(items))) for _ in range(resamples)]
    return percentiles(found, confidence)


def resampled(counts: Sequence[int], dice: Random) -> Iterator[list[int]]:
    """Yield, for ever, the counts of as many items drawn anew from those counted.

    This is the bootstrap of counted items, cell after cell by binomial draws: far quicker than drawing each item.
    """
    tables: dict[tuple[int, int], tuple[int, array[float]]] = {}
    behind = [*accumulate(reversed(counts), initial=0)][::-1]
    while True:
        left = behind[0]
        found = []
        for cell, count in enumerate(counts):
            if not left or not count:
                drawn = 0
            elif behind[cell + 1] == 0:
                drawn = left
            else:
                table = tables.get((cell, left))
                if table is None:
                    table = tables[cell, left] = _binomial(left, count / behind[cell])
                least, heaped = table
                drawn = least + bisect(heaped, dice.random() * heaped[-1], 0, len(heaped) - 1)
            found.append(drawn)
            left -= drawn
        yield found


def _binomial(trials: int, share: float) -> tuple[int, array[float]]:
    """Return the least number of successes that is looked at, and the heaped-up chances from there on."""
    far = _FAR * sqrt(trials * share * (1 - share)) + _FAR
    least, most = max(0, floor(trials * share - far)), min(trials, ceil(trials * share + far))
    whole, yes, no = lgamma(trials + 1), log(share), log(1 - share)
    chances = (
        exp(whole - lgamma(n + 1) - lgamma(trials - n + 1) + n * yes + (trials - n) * no)
        for n in range(least, most + 1)
    )
    return least, array("d", accumulate(chances))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance that a chi-square value of so many degrees of freedom is at least this large.

    >>> round(chi_square_tail(3.841458820694124, 1), 12), round(chi_square_tail(9.487729036781154, 4), 12)
    (0.05, 0.05)
    """
    half = max(0.0, statistic) / 2
    # Both finite sums come from integrating by parts, two degrees of freedom at a time.
    if freedom % 2:
        tail, term = erfc(sqrt(half)), 2 * exp(-half) * sqrt(half / pi)
        steps = (n + 1.5 for n in range(freedom // 2))
    else:
        tail, term = 0.0, exp(-half)
        steps = (n + 1.0 for n in range(freedom // 2))
    for step in steps:
        tail += term
        term *= half / step
    return min(1.0, tail)
