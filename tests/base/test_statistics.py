"""Intervals and tails, against their plain definitions."""

from __future__ import annotations

from itertools import product
from math import comb, erfc, exp, sqrt
from random import Random
from statistics import NormalDist, fmean

import pytest

from zerosum.base.statistics import bootstrap, chi_square_tail, percentiles, resampled, wilson


@pytest.mark.parametrize(("kept", "trials"), [(0, 7), (3, 10), (10, 10), (57, 200), (1, 1)])
def test_wilson_holds_the_shares_whose_score_test_does_not_refuse_the_count(kept: int, trials: int) -> None:
    z = NormalDist().inv_cdf(0.975)
    low, high = wilson(kept, trials)
    for end in (low, high):
        if 0 < end < 1:
            assert abs(kept / trials - end) / sqrt(end * (1 - end) / trials) == pytest.approx(z, rel=1e-9)
    assert (low == 0) == (kept == 0)
    assert (high == 1) == (kept == trials)


def test_wilson_of_nothing_is_everything() -> None:
    assert wilson(0, 0) == (0, 1)


def test_percentiles_leave_out_as_many_at_either_end() -> None:
    assert percentiles(range(1000)) == (25, 974)
    assert percentiles([3.0]) == (3.0, 3.0)


def test_the_bootstrap_is_seeded_and_near_the_normal_interval() -> None:
    dice = Random("values")
    values = [dice.gauss(10, 2) for _ in range(100)]
    low, high = bootstrap(values, fmean, "seed")
    assert (low, high) == bootstrap(values, fmean, "seed")
    assert (low, high) != bootstrap(values, fmean, "another seed")
    half = 1.96 * 2 / sqrt(100)
    assert low == pytest.approx(fmean(values) - half, abs=0.1)
    assert high == pytest.approx(fmean(values) + half, abs=0.1)


def test_counts_are_drawn_as_if_each_item_were_drawn() -> None:
    """Each outcome of five draws from counts 1, 0, 3, 1 comes as often as the multinomial distribution says."""
    counts, times = [1, 0, 3, 1], 20_000
    draws = resampled(counts, Random("draws"))
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(times):
        one = tuple(next(draws))
        assert sum(one) == 5
        seen[one] = seen.get(one, 0) + 1
    for a, b in product(range(6), repeat=2):
        if a + b <= 5:
            chance = comb(5, a) * comb(5 - a, b) * (1 / 5) ** a * (3 / 5) ** b * (1 / 5) ** (5 - a - b)
            got = seen.get((a, 0, b, 5 - a - b), 0)
            assert abs(got - times * chance) <= 4.5 * sqrt(times * chance * (1 - chance)) + 1
    assert all(one[1] == 0 for one in seen)


def test_many_items_are_drawn_without_overflow() -> None:
    drawn = next(resampled([100_000, 1, 0, 50_000, 0], Random("many")))
    assert sum(drawn) == 150_001
    assert drawn[2] == drawn[4] == 0
    assert abs(drawn[0] - 100_000) < 6 * sqrt(150_000 * 2 / 9)


@pytest.mark.parametrize("statistic", [0.0, 0.3, 2.0, 11.5, 60.0])
def test_the_tail_of_chi_square_is_its_integral(statistic: float) -> None:
    assert chi_square_tail(statistic, 1) == pytest.approx(erfc(sqrt(statistic / 2)), rel=1e-12)
    assert chi_square_tail(statistic, 2) == pytest.approx(exp(-statistic / 2), rel=1e-12)
    for freedom in (3, 4, 7, 12):
        # Simpson's rule on the density, in the square root of the value, where it is smooth.
        steps, top = 4_000, sqrt(statistic + 200.0)
        width = (top - sqrt(statistic)) / steps
        parts = [
            (1 if n in {0, steps} else 4 if n % 2 else 2) * x ** (freedom - 1) * exp(-x * x / 2)
            for n in range(steps + 1)
            for x in [sqrt(statistic) + n * width]
        ]
        whole = [
            (1 if n in {0, steps} else 4 if n % 2 else 2) * x ** (freedom - 1) * exp(-x * x / 2)
            for n in range(steps + 1)
            for x in [n * 20.0 / steps]
        ]
        assert chi_square_tail(statistic, freedom) == pytest.approx(
            sum(parts) * width / (sum(whole) * 20.0 / steps), rel=1e-8
        )
