"""Bradley-Terry ratings against Newton's method, and how often their intervals hold the truth."""

from __future__ import annotations

from math import exp, log
from random import Random

import pytest

from tests.arena.strength.sequential import cells_of, elo_of
from tests.full import part
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.pairs import pair_chances
from zerosum.arena.strength.ratings import mean_of, ratings_of, score_of, strengths
from zerosum.rules.game_files import load_game
from zerosum.rules.position import start_position

ELO = 400 / log(10)
Cells = tuple[int, ...]


def random_results(seed: int) -> dict[tuple[str, str], Cells]:
    dice = Random(seed)
    names = ["level:5", "ann", "bot", "carl", "dora", "eve"][: dice.randint(2, 6)]
    results: dict[tuple[str, str], Cells] = {}
    for at, one in enumerate(names):
        for two in names[at + 1 :]:
            if dice.random() < 0.7 or at + 1 == names.index(two):
                results[one, two] = tuple(dice.randint(0, 9) for _ in range(5))
                if sum(results[one, two]) == 0:
                    results[one, two] = (0, 0, 0, 0, 30)
    return results


def by_newton(results: dict[tuple[str, str], Cells]) -> dict[str, float]:
    """Maximise the log-likelihood of all points, with a drawn pair added to each pairing, by Newton's method."""
    names = sorted({name for pairing in results for name in pairing})
    free = [name for name in names if name != "level:5"]
    theta = dict.fromkeys(names, 0.0)
    for _ in range(60):
        gradient = dict.fromkeys(free, 0.0)
        curve = {(one, two): 0.0 for one in free for two in free}
        for (one, two), cells in results.items():
            pairs = sum(cells) + 1
            points = sum(n * share for n, share in zip(cells, (0, 0.25, 0.5, 0.75, 1), strict=True)) + 0.5
            chance = 1 / (1 + exp(theta[two] - theta[one]))
            for name, sign in ((one, 1), (two, -1)):
                if name in gradient:
                    gradient[name] += sign * (points - pairs * chance)
                for other, other_sign in ((one, 1), (two, -1)):
                    if name in gradient and other in gradient:
                        curve[name, other] += sign * other_sign * pairs * chance * (1 - chance)
        step = solve([[curve[one, two] for two in free] for one in free], [gradient[name] for name in free])
        for name, by in zip(free, step, strict=True):
            theta[name] += max(-1.0, min(1.0, by))
    return {name: ELO * value for name, value in theta.items()}


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations, by Gauss."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        pivot = max(range(at, len(rows)), key=lambda n: abs(rows[n][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for n, row in enumerate(rows):
            if n != at:
                rows[n] = [a - row[at] * b for a, b in zip(row, rows[at], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("seed", range(12))
def test_ratings_equal_those_of_an_independent_implementation(seed: int) -> None:
    results = random_results(seed)
    theirs = by_newton(results)
    for name, elo in strengths(results).items():
        assert elo == pytest.approx(theirs[name], abs=1e-6)


def test_a_pairing_may_stand_both_ways_round() -> None:
    once = strengths({("ann", "bob"): (1, 0, 3, 2, 4)})
    twice = strengths({("ann", "bob"): (1, 0, 3, 0, 4), ("bob", "ann"): (0, 2, 0, 0, 0)})
    assert once == pytest.approx(twice, abs=1e-9)
    assert sum(once.values()) == pytest.approx(0)
    points = (2 * 0.75 + 3 * 0.5 + 4 + 0.5) / 11
    assert once["ann"] - once["bob"] == pytest.approx(elo_of(points), abs=1e-9)


def test_who_wins_everything_is_not_infinitely_strong() -> None:
    (strong, weak) = ratings_of({("ann", "bob"): (0, 0, 0, 0, 20)}, "seed", 50)
    assert (strong.name, weak.name) == ("ann", "bob")
    assert strong.elo - weak.elo == pytest.approx(elo_of(20.5 / 21), abs=1e-9)


def test_groups_that_never_met_have_zeros_of_their_own() -> None:
    found = strengths({("a", "b"): (0, 0, 1, 0, 1), ("c", "level:5"): (1, 0, 0, 0, 0), ("x", "y"): (0, 0, 0, 0, 0)})
    assert found["a"] + found["b"] == pytest.approx(0)
    assert found["level:5"] == 0
    assert found["c"] < 0
    assert "x" not in found


def test_elo_and_score_are_inverse() -> None:
    assert score_of(0) == 0.5
    for score in (0.01, 0.3, 0.5, 0.99):
        assert score_of(elo_of(score)) == pytest.approx(score, abs=1e-12)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0) == -elo_of(1) == float("-inf")


def test_the_mean_of_cells_is_a_share_of_points() -> None:
    assert mean_of((1, 1, 2, 1, 1)) == 0.5


RUNS, PAIRS = part(100, 1_000), 200


@pytest.mark.slow
def test_the_exact_elo_lies_in_the_interval_as_often_as_the_interval_says() -> None:
    """Level 5 against level 4 from the start of Sum31: 95 % of the intervals hold the exact difference."""
    rules = load_game("sum31")
    (chance,) = pair_chances([start_position(rules)], policy_of("level:5", rules), policy_of("level:4", rules))
    exact = elo_of(chance.mean)
    dice = Random("1,000 runs")
    held = 0
    for run in range(RUNS):
        points = [(dice.random() < chance.as_first) + (dice.random() < chance.as_second) for _ in range(PAIRS)]
        found = {
            one.name: one for one in ratings_of({("level:4", "level:5"): cells_of(2 - n for n in points)}, f"{run}")
        }
        held += -found["level:4"].high <= exact <= -found["level:4"].low
    assert part(92, 93) <= 100 * held / RUNS <= part(98, 97), held
