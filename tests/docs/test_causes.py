"""The tables of causes: what they promise, and that a game of them is as computed anew."""

from __future__ import annotations

import json

import pytest

from tools.cause_shares import FILE, LEVELS, forms, shares, up_to
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.solver import solution_of

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
LEAST = {
    "sum31": {"next-no-safe-reply": 0.74, "answers": 0.945, "replies": 1.0},
    "sequence-zero": {"next-no-safe-reply": 0.54, "answers": 0.76, "next-forced": 1.0},
}
"""The shares that no shorter reasons can raise: see `docs/causes.md`."""
USUAL = {"answers": 0.80, "next-forced": 0.96}
"""What every other built-in game without a law has at least."""
WITHOUT_EXCEPTIONS = 0.90
ROUNDING = 1e-5


def test_games_with_a_law_need_no_count() -> None:
    assert list(KEPT) == list(GAME_IDS)
    assert {game for game in GAME_IDS if solution_of(load_game(game)).law is None} == {
        game for game, found in KEPT.items() if "whys" in found
    }


@pytest.mark.parametrize("who", LEVELS)
def test_as_many_whys_have_a_cause_as_promised(who: str) -> None:
    short = []
    for game, kept in KEPT.items():
        found = kept.get("whys", {}).get(who)
        if found is not None:
            least = LEAST.get(game, USUAL)
            short += [(game, last) for last, share in least.items() if up_to(found, last) < share - ROUNDING]
            short += [(game, "short")] if found["short"] < 0.95 else []
            short += [(game, "excepted")] if 1 - found["excepted"] < WITHOUT_EXCEPTIONS else []
    assert short == []


def test_the_shares_of_sum31_are_as_kept() -> None:
    solution = solution_of(load_game("sum31"))
    assert {**shares(solution), "forms": forms(solution)} == KEPT["sum31"]


def test_every_mistake_in_sum31_has_a_fact_that_tells_it_apart() -> None:
    assert "None" not in KEPT["sum31"]["mistakes"]
