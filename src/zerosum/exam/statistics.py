"""What samples say: intervals over groups, a paired difference, exact tails, and several tests at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from random import Random
from typing import Final

from zerosum.measure.intervals import (
    CONFIDENCE,
    RESAMPLES,
    Interval,
    chi_square_tail,
    normal_quantile,
    percentiles,
    resampled,
    wilson,
)

FEW: Final = 10
"""With fewer groups a bootstrap over them would say too little."""
_ALIKE: Final = 1e-12
_COINS: Final = 1_000
"""Up to so many pairs the exact test is made; beyond, McNemar's statistic (b - c)²/(b + c) says the same."""


def share_interval(groups: Sequence[tuple[int, int]], seed: str) -> Interval:
    """Return the 95 % interval of a share; each group has its trials and its successes.

    Groups of one are independent, and Wilson's interval is right. Larger ones, such as the reskins of one position, are
    drawn anew whole. Where that says too little, each group counts as a single trial.
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
class Gap:
    """How much more of the same choices was kept in one form than in another."""

    pairs: int
    """Choices that were answered in both forms."""
    only_first: float
    """Choices kept in the first form alone; with several reskins, the mean over them."""
    only_second: float
    difference: float
    low: float
    high: float
    p_value: float


def gap_of(pairs: Iterable[tuple[bool, Sequence[bool]]]) -> Gap | None:
    """Return the difference between a form and one or more others of the same choices; None without a pair.

    With one other form these are McNemar's interval and test: with b and c pairs kept on one side alone, the variance
    of b - c is b + c - (b - c)²/n, and the exact test asks how often as many fair coins fall as unevenly. With several
    the mean over them counts, so that a choice is one observation, however many reskins it has; the test turns the sign
    of each difference by a coin.
    """
    told = [(one, others) for one, others in pairs if others]
    every = [(float(one), sum(others) / len(others)) for one, others in told]
    if not every:
        return None
    count = len(every)
    apart = [one - two for one, two in every]
    total, squares = sum(apart), sum(one * one for one in apart)
    half = normal_quantile((1 + CONFIDENCE) / 2) * sqrt(max(0.0, squares - total * total / count)) / count
    difference = total / count
    return Gap(
        pairs=count,
        only_first=sum(one * (1 - two) for one, two in every),
        only_second=sum((1 - one) * two for one, two in every),
        difference=difference,
        low=max(-1.0, difference - half),
        high=min(1.0, difference + half),
        p_value=_p_value(told, apart),
    )


def _p_value(told: Sequence[tuple[bool, Sequence[bool]]], apart: Sequence[float]) -> float:
    if len(told) <= _COINS and len({len(others) for _, others in told}) == 1:
        return _coins([one * len(others) - sum(others) for one, others in told])
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


def at_least(successes: int, chances: Iterable[float]) -> float:
    """Return the exact chance of at least so many successes in independent trials, each with its own chance.

    >>> at_least(2, [0.5, 0.5]), round(at_least(1, [0.1, 0.2]), 12)
    (0.25, 0.28)
    """
    counts = [1.0]
    for chance in chances:
        longer = [*counts, 0.0]
        for at, weight in enumerate(counts):
            longer[at] -= weight * chance
            longer[at + 1] += weight * chance
        counts = longer
    return min(1.0, max(0.0, sum(counts[successes:])))


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
