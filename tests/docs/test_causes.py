"""The table of causes: what it promises, and that a game of it is as computed anew."""

from __future__ import annotations

import json

import pytest

from tools.cause_shares import FILE, LEVELS, shares, up_to
from zerosum.rules.game_files import RULEBOOK_IDS, load_game
from zerosum.solver import solution_of

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
LEAST = {
    "sum31": {"next-no-safe-reply": 0.74, "plan": 0.95},
    "sequence-zero": {"next-no-safe-reply": 0.54, "card": 0.80},
}


def test_games_with_a_law_need_no_count() -> None:
    assert {game for game in RULEBOOK_IDS if solution_of(load_game(game)).law is None} == set(KEPT) == set(LEAST)


@pytest.mark.parametrize("who", LEVELS)
@pytest.mark.parametrize("game", LEAST)
def test_as_many_whys_have_a_cause_as_promised(game: str, who: str) -> None:
    found = KEPT[game][who]
    assert all(up_to(found, last) >= least for last, least in LEAST[game].items()), found
    assert found["short"] >= 0.95


def test_the_shares_of_sum31_are_as_kept() -> None:
    assert shares(solution_of(load_game("sum31"))) == KEPT["sum31"]
