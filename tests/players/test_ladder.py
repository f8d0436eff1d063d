"""The ladder of each game, computed here: every level is stronger than the one below."""

from __future__ import annotations

from itertools import pairwise

import pytest

from zerosum.players.ladder import ladder_of
from zerosum.players.odds import odds_from
from zerosum.rules.files import load_game
from zerosum.rules.position import start_position
from zerosum.solver import Verdict, solve

LEAST = 0.52
HOLDS = ("sequence-zero", "zero-sum-duel", "zero-sum-game", "sum31")


@pytest.mark.parametrize("game", HOLDS)
def test_each_level_beats_the_one_below_and_does_better_against_perfect_play(game: str) -> None:
    said: list[str] = []
    ladder = ladder_of(load_game(game), said.append)
    assert [rung.number for rung in ladder.rungs] == list(range(1, 10))
    assert [rung.below.who for rung in ladder.rungs] == ["random", *(f"level:{n}" for n in range(1, 9))]
    for rung in ladder.rungs:
        assert rung.below.average >= LEAST, rung
        assert 0 < rung.perfect.average < 0.5, rung
    against = [rung.perfect.average for rung in ladder.rungs]
    assert all(low < high for low, high in pairwise(against)), against
    assert ladder.rises(LEAST)
    assert ladder.odds.error <= 1e-9
    if game != "sum31":
        assert said, "nobody was told how far it is"


@pytest.mark.parametrize("game", HOLDS)
def test_perfect_play_wins_from_the_seat_the_solver_names(game: str) -> None:
    rules = load_game(game)
    pairings = [("perfect", "perfect"), ("level:8", "perfect")]
    odds = odds_from(start_position(rules), pairings).first_wins
    first = solve(rules).value(start_position(rules)).verdict is Verdict.WIN
    assert odds["perfect", "perfect"] == first
    assert odds["perfect", "level:8"] == 1 if first else odds["level:8", "perfect"] == 0


def test_sum_to_zero_allows_no_ladder() -> None:
    """The second move decides it: from level 3 on nobody misses that win, so all levels above are equal."""
    ladder = ladder_of(load_game("sum-to-zero"))
    assert not ladder.rises()
    assert all(rung.below.average >= LEAST for rung in ladder.rungs[:3])
    for rung in ladder.rungs[3:]:
        assert rung.below.average == pytest.approx(0.5, abs=1e-12)
        assert rung.perfect.average == pytest.approx(0.5, abs=1e-12)
