"""Statistics from the standard library alone: intervals, a paired difference, exact tails, and several tests at once.

Every function that draws takes a seed.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from math import ceil, erfc, exp, floor, lgamma, log, pi, sqrt
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple, TypeVar

from zerosum.base.documents import key

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
    """Return the percentile interval of a statistic over resampled items, drawn with replacement.

    An item is what is independent: a whole match, not one of its decisions.
    """
    dice = Random(seed)
    found = [statistic(dice.choices(items, k=len(items))) for _ in range(resamples)]
    return percentiles(found, confidence)


def resampled(counts: Sequence[int], dice: Random) -> Iterator[list[int]]:
    """Yield, for ever, the counts of resamples of the same size.

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


FEW: Final = 10
"""With fewer groups a bootstrap over them would say too little."""
_ALIKE: Final = 1e-12
_COINS: Final = 1_000
"""Up to so many pairs the exact test is made; beyond, McNemar's statistic (b - c)²/(b + c) says the same."""


def share_interval(groups: Sequence[tuple[int, int]], seed: str) -> Interval:
    """Return the 95 % interval of a share; each group has its trials and its successes.

    Groups of one are independent, and Wilson's interval is right. Larger ones, such as the reskins of one position, are
    resampled as a whole. If that says too little, each group counts as a single trial.
    """
    trials, successes = sum(one for one, _ in groups), sum(two for _, two in groups)
    if all(one <= 1 for one, _ in groups):
        return wilson(successes, trials)
    filled = [group for group in groups if group[0]]
    if len(filled) < FEW or successes in (0, trials):
        return wilson(successes / trials * len(filled), len(filled))
    shapes = Counter(filled)
    cells = [*shapes]
    found = []
    for counts in islice(resampled([*shapes.values()], Random(seed)), RESAMPLES):
        drawn = sum(n * cell[0] for n, cell in zip(counts, cells, strict=True))
        found.append(sum(n * cell[1] for n, cell in zip(counts, cells, strict=True)) / drawn)
    return percentiles(found)


@dataclass(frozen=True, slots=True)
class PairedGap:
    """How much more of the same choices was kept in one form than in another."""

    pairs: int
    """Choices that were answered in both forms."""
    only_first: float = field(metadata=key("only_original"))
    """Choices kept in the first form alone; with several reskins, the mean over them."""
    only_second: float = field(metadata=key("only_reskin"))
    difference: float = field(metadata=key("gap"))
    low: float = field(metadata=key("gap_low"))
    high: float = field(metadata=key("gap_high"))
    p_value: float = field(metadata=key("p"))


def gap_of(pairs: Iterable[tuple[bool, Sequence[bool]]]) -> PairedGap | None:
    """Return the difference between a form and one or more others of the same choices; None without a pair.

    With one other form these are McNemar's interval and test: with b and c pairs kept on one side alone, the variance
    of b - c is b + c - (b - c)²/n, and the exact test asks how often as many fair coins fall as unevenly. With several
    the mean over them counts, so that a choice is one observation, however many reskins it has; the test turns the sign
    of each difference by a coin.
    """
    compared = [(one, others) for one, others in pairs if others]
    every = [(float(one), sum(others) / len(others)) for one, others in compared]
    if not every:
        return None
    count = len(every)
    apart = [one - two for one, two in every]
    total, squares = sum(apart), sum(one * one for one in apart)
    half = normal_quantile((1 + CONFIDENCE) / 2) * sqrt(max(0.0, squares - total * total / count)) / count
    difference = total / count
    return PairedGap(
        pairs=count,
        only_first=sum(one * (1 - two) for one, two in every),
        only_second=sum((1 - one) * two for one, two in every),
        difference=difference,
        low=max(-1.0, difference - half),
        high=min(1.0, difference + half),
        p_value=_p_value(compared, apart),
    )


def _p_value(compared: Sequence[tuple[bool, Sequence[bool]]], apart: Sequence[float]) -> float:
    if len(compared) <= _COINS and len({len(others) for _, others in compared}) == 1:
        return _coins([one * len(others) - sum(others) for one, others in compared])
    squares = sum(one * one for one in apart)
    return chi_square_tail(sum(apart) ** 2 / squares, 1) if squares > _ALIKE else 1.0


def _coins(differences: Sequence[int]) -> float:
    """Return how often differences add up to at least as much, either way, when a coin turns the sign of each."""
    chances = {0: 1.0}
    for one in filter(None, differences):
        turned: dict[int, float] = {}
        for total, chance in chances.items():
            for there in (total - one, total + one):
                turned[there] = turned.get(there, 0.0) + chance / 2
        chances = turned
    seen = abs(sum(differences))
    return min(1.0, sum(chance for total, chance in chances.items() if abs(total) >= seen))


def count_chances(chances: Iterable[float]) -> list[float]:
    """Return the exact chance of each number of successes in independent trials, each with its own chance.

    >>> count_chances([0.5, 0.5])
    [0.25, 0.5, 0.25]
    """
    counts = [1.0]
    for chance in chances:
        longer = [*counts, 0.0]
        for at, weight in enumerate(counts):
            longer[at] -= weight * chance
            longer[at + 1] += weight * chance
        counts = longer
    return counts


def at_least(successes: int, chances: Iterable[float]) -> float:
    """Return the exact chance of at least so many successes in independent trials, each with its own chance.

    >>> at_least(2, [0.5, 0.5]), round(at_least(1, [0.1, 0.2]), 12)
    (0.25, 0.28)
    """
    return min(1.0, max(0.0, sum(count_chances(chances)[successes:])))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for being many, by Holm's method, in their order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    ordered = sorted(range(len(p_values)), key=p_values.__getitem__)
    found = [0.0] * len(p_values)
    least = 0.0
    for rank, at in enumerate(ordered):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[at]))
        found[at] = least
    return found
