"""The sequential test: its definition, and how often it errs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import log
from random import Random

import pytest

from tests.arena.strength.sequential import elo_of, until_decided
from zerosum.arena.strength.named_policies import Policy, policy_of
from zerosum.arena.strength.pairs import PairChance, pair_chances
from zerosum.arena.strength.ratings import (
    LEAST_PAIRS,
    POINTS,
    log_likelihood_ratio,
    pairs_expected,
    score_of,
    sprt,
)
from zerosum.rules.game_files import load_game
from zerosum.rules.position import start_position

RUNS = 400
MOST_PAIRS = 5_000


def likeliest(cells: tuple[int, ...], mean: float) -> list[float]:
    """Return the distribution of this mean that makes the cells likeliest: climb, always on the two constraints."""
    weights = [count or 1e-3 for count in cells]
    low, high = -1 / (1 - mean) + 1e-12, 1 / mean - 1e-12
    for _ in range(200):  # the weighted mean falls as the tilt grows
        tilt = (low + high) / 2
        spare = sum(w * (a - mean) / (1 + tilt * (a - mean)) for w, a in zip(weights, POINTS, strict=True))
        low, high = (tilt, high) if spare > 0 else (low, tilt)
    return [w / sum(weights) / (1 + low * (a - mean)) for w, a in zip(weights, POINTS, strict=True)]


@pytest.mark.parametrize(
    "cells", [(3, 0, 9, 0, 8), (0, 0, 0, 0, 30), (1, 2, 3, 4, 5), (16, 0, 0, 0, 0), (0, 0, 40, 0, 0)]
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (-10, 5), (0, 300)])
def test_the_ratio_is_that_of_the_likeliest_distributions(cells: tuple[int, ...], elo0: float, elo1: float) -> None:
    s0, s1 = score_of(elo0), score_of(elo1)
    q0, q1 = likeliest(cells, s0), likeliest(cells, s1)
    for q, mean in ((q0, s0), (q1, s1)):
        assert sum(q) == pytest.approx(1, abs=1e-7)
        assert sum(one * a for one, a in zip(q, POINTS, strict=True)) == pytest.approx(mean, abs=1e-7)
        # No step that keeps the sum and the mean makes the cells likelier.
        here = sum((n or 1e-3) * log(one) for n, one in zip(cells, q, strict=True))
        for at in range(3):
            for by in (1e-7, -1e-7):
                moved = list(q)
                for cell, share in zip((at, at + 1, at + 2), (1, -2, 1), strict=True):
                    moved[cell] += by * share
                if min(moved) > 0:
                    assert sum((n or 1e-3) * log(one) for n, one in zip(cells, moved, strict=True)) <= here + 1e-9
    plain = sum((n or 1e-3) * log(b / a) for n, a, b in zip(cells, q0, q1, strict=True))
    assert log_likelihood_ratio(cells, s0, s1) == pytest.approx(plain, rel=1e-6, abs=1e-6)


def test_bounds_and_decisions() -> None:
    state = sprt((0, 0, 0, 0, 40), 0, 50)
    assert (state.lower, state.upper) == pytest.approx((-log(19), log(19)))
    assert (state.decision, state.pairs) == ("H1", 40)
    assert sprt((40, 0, 0, 0, 0), 0, 50).decision == "H0"
    assert sprt((0, 0, 0, 0, 0), 0, 50).decision is None
    assert sprt((10, 0, 20, 0, 10), 0, 5).decision is None


def test_no_decision_before_sixteen_pairs() -> None:
    assert until_decided([2] * (LEAST_PAIRS - 1), 0, 400).decision is None
    ended = until_decided([2] * 100, 0, 400)
    assert (ended.decision, ended.pairs) == ("H1", LEAST_PAIRS)


def scores(chance: PairChance, seed: str) -> Iterator[int]:
    dice = Random(seed)
    while True:
        yield (dice.random() < chance.as_first) + (dice.random() < chance.as_second)


def decisions(chance: PairChance, elo1: float, name: str) -> tuple[dict[str | None, int], float]:
    """Return how often each decision was taken in many runs, and how many pairs they took on average."""
    counts: dict[str | None, int] = {}
    pairs = 0
    for run in range(RUNS):
        ended = until_decided(islice(scores(chance, f"{name} {run}"), MOST_PAIRS), 0, elo1)
        counts[ended.decision] = counts.get(ended.decision, 0) + 1
        pairs += ended.pairs
    return counts, pairs / RUNS


def test_400_runs_err_in_at_most_8_per_cent() -> None:
    """Level 6 of Sum31 against itself, and against level 5, by their exact chances from the start."""
    rules = load_game("sum31")
    five, six = policy_of("level:5", rules), policy_of("level:6", rules)
    (apart,) = pair_chances([start_position(rules)], six, five)
    elo = elo_of(apart.mean)
    assert 20 < elo < 200
    (alike,) = pair_chances([start_position(rules)], six, Policy("its twin", six.guest))
    assert alike.mean == pytest.approx(0.5, abs=1e-12)
    equal, pairs_equal = decisions(alike, elo, "equal")
    assert equal.get("H1", 0) <= 0.08 * RUNS, equal
    assert equal.keys() <= {"H0", "H1"}
    different, pairs_different = decisions(apart, elo, "different")
    assert different.get("H0", 0) <= 0.08 * RUNS, different
    assert different.keys() <= {"H0", "H1"}
    for chance, pairs in ((alike, pairs_equal), (apart, pairs_different)):
        told = pairs_expected(0, elo, chance.variance)
        assert told / 2 < pairs < told * 2
