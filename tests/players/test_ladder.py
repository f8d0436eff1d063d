"""The ladder of each game: every level is stronger than the one below. Each ladder is computed once in a run."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.full import parted
from tools.ladders import document
from zerosum.players.odds import ladder_of, odds_from
from zerosum.rules.game_files import load_game
from zerosum.rules.position import start_position
from zerosum.solver import Verdict, solve

LEAST = 0.52
HOLDS = ("sequence-zero", "zero-sum-duel", "zero-sum-game", "sum31")
SUM31 = load_game("sum31")
RISING = replace(SUM31, id="more", name="More", pool=tuple(range(1, 13)))
FLAT = replace(SUM31, id="flat", name="Flat", pool=(1, 2), target=2)


@pytest.mark.slow
@pytest.mark.parametrize("game", parted(HOLDS, ("zero-sum-game", "sequence-zero")))
def test_each_level_beats_the_one_below_and_does_better_against_perfect_play(game: str) -> None:
    ladder = document(game)
    assert [rung["level"] for rung in ladder["levels"]] == list(range(1, 10))
    assert [rung["below"]["who"] for rung in ladder["levels"]] == ["random", *(f"level:{n}" for n in range(1, 9))]
    for rung in ladder["levels"]:
        assert rung["below"]["average"] >= LEAST, rung
        assert 0 < rung["perfect"]["average"] < 0.5, rung
    against = [rung["perfect"]["average"] for rung in ladder["levels"]]
    assert all(low < high for low, high in pairwise(against)), against
    assert ladder["error"] <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("game", parted(HOLDS, ("zero-sum-game", "sequence-zero")))
def test_perfect_play_wins_from_the_seat_the_solver_names(game: str) -> None:
    rules = load_game(game)
    first = solve(rules).value(start_position(rules)).verdict is Verdict.WIN
    odds = odds_from(start_position(rules), [("perfect", "perfect")]).first_wins
    assert odds["perfect", "perfect"] == first
    lost = "as_second" if first else "as_first"
    assert {rung["perfect"][lost] for rung in document(game)["levels"]} == {0}


@pytest.mark.full
def test_sum_to_zero_allows_no_ladder() -> None:
    """The second move decides it: from level 3 on nobody misses that win, so all levels above are equal."""
    rungs = document("sum-to-zero")["levels"]
    assert all(rung["below"]["average"] >= LEAST for rung in rungs[:3])
    for rung in rungs[3:]:
        assert rung["below"]["average"] == pytest.approx(0.5, abs=1e-12)
        assert rung["perfect"]["average"] == pytest.approx(0.5, abs=1e-12)


def test_a_ladder_knows_that_it_rises_and_how_far_it_is() -> None:
    said: list[str] = []
    ladder = ladder_of(RISING, said.append)
    assert [rung.number for rung in ladder.rungs] == list(range(1, 10))
    assert ladder.rises(LEAST)
    assert not ladder.rises(least=1)
    assert said
    assert any(" of " in line for line in said)
    assert all("positions" in line for line in said)


def test_a_ladder_knows_that_it_is_flat() -> None:
    assert not ladder_of(FLAT).rises()
