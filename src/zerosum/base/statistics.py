"""Statistics from the standard library alone: intervals, a paired difference, exact tails, and several tests at once.

Every function that draws takes a seed.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from math import ceil, erfc, exp, floor, lgamma, log, pi, sqrt
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple, TypeVar

from zerosum.base.documents import OMITTED, key, member_as

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


def wilson(successes: float, trials: int) -> Interval:
    """Return Wilson's 95 % score interval of a share; without trials it is everything from 0 to 1.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if trials <= 0:
        return Interval(0.0, 1.0)
    z = normal_quantile((1 + CONFIDENCE) / 2)
    share, weight = successes / trials, z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def percentiles(values: Sequence[float]) -> Interval:
    """Return the middle part of some values, which holds 95 % of them."""
    ordered = sorted(values)
    outside = (1 - CONFIDENCE) / 2 * len(ordered)
    return Interval(ordered[floor(outside)], ordered[ceil(len(ordered) - outside) - 1])


def bootstrap(items: Sequence[T], statistic: Callable[[Sequence[T]], float], seed: str) -> Interval:
    """Return the percentile interval of a statistic over resampled items, drawn with replacement.

    An item is what is independent: a whole match, not one of its decisions.
    """
    dice = Random(seed)
    return percentiles([statistic(dice.choices(items, k=len(items))) for _ in range(RESAMPLES)])


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


def grouped(counts: Iterable[tuple[Hashable, int, int]]) -> list[tuple[int, int]]:
    """Return the trials and the successes of each group, added up; each count begins with its group."""
    groups: dict[Hashable, tuple[int, int]] = {}
    for group, trials, successes in counts:
        before = groups.get(group, (0, 0))
        groups[group] = before[0] + trials, before[1] + successes
    return [*groups.values()]


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
    """How much more of the same choices was kept in one form than in another.

    Interval and p-value come from one statistic, so that the interval leaves out 0 exactly if p is below 5 %.
    """

    pairs: int
    """Choices that were answered in both forms."""
    only_first: float = field(metadata=key("only_original"))
    """Choices kept in the first form alone; with several reskins, the mean over them."""
    only_second: float = field(metadata=key("only_reskin"))
    difference: float = field(metadata=key("gap"))
    middle: float = field(metadata=OMITTED)
    """The middle of the interval."""
    error: float = field(metadata=OMITTED)
    """The standard error."""
    confidence: float = field(default=CONFIDENCE, metadata=OMITTED)

    @property
    def interval(self) -> Interval:
        """The interval of the difference."""
        half = normal_quantile((1 + self.confidence) / 2) * self.error
        return Interval(max(-1.0, self.middle - half), min(1.0, self.middle + half))

    @property
    @member_as("gap_low")
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval.low

    @property
    @member_as("gap_high")
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval.high

    @property
    @member_as("p")
    def p_value(self) -> float:
        """The chance of a difference at least as far from 0 if there is none."""
        return erfc(abs(self.middle) / self.error / sqrt(2))

    def among(self, adjusted: float) -> PairedGap:
        """Return the same with an interval as wide as the test is strict that adjusted its p-value to this one."""
        return replace(self, confidence=adjusted_confidence(self.p_value, adjusted))


def adjusted_confidence(p_value: float, adjusted: float) -> float:
    """Return the confidence of an interval that leaves out 0 exactly if the adjusted p-value is below 5 %."""
    return 1 - (1 - CONFIDENCE) * (p_value / adjusted if adjusted else 1.0)


def gap_of(pairs: Iterable[tuple[bool, Sequence[bool]]]) -> PairedGap | None:
    """Return the difference between a form and one or more others of the same choices; None without a pair.

    With one other form these are the interval of Bonett and Price and its test: McNemar's, with one more pair kept on
    each side alone, which holds its level in small samples too. With several other forms the mean over them counts, so
    that a choice is one observation, however many reskins it has.
    """
    every = [(float(one), sum(others) / len(others)) for one, others in pairs if others]
    if not every:
        return None
    apart = [one - two for one, two in every]
    count, total, squares = len(apart) + 2, sum(apart), sum(one * one for one in apart) + 2
    middle = total / count
    return PairedGap(
        pairs=len(every),
        only_first=sum(one * (1 - two) for one, two in every),
        only_second=sum((1 - one) * two for one, two in every),
        difference=total / len(every),
        middle=middle,
        error=sqrt((squares / count - middle * middle) / count),
    )


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
