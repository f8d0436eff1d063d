"""The edits of a repair against a plain list of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.lab.plain_edits import cheapest
from zerosum.lab.repair import _pools, change_words, edited
from zerosum.rules.game_files import built_in, load_file
from zerosum.rules.model import Rules
from zerosum.solver.fingerprint import fingerprint

GAMES = {
    "sum31": built_in("sum31"),
    "zero-sum-game": built_in("zero-sum-game"),
    "handicap": load_file("docs/variants/handicap.toml"),
    "duel": load_file("docs/variants/duel-without-mirrors.toml"),
    "one number": Rules(id="one", name="One", pool=(3,), target=3),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_every_game_of_cost_1_and_2_once_and_at_its_least_cost(name: str) -> None:
    game = GAMES[name]
    found = {one.fingerprint: cost for cost, games in enumerate(edited(game, 2), 1) for one in games}
    assert found == {name: cost for name, (cost, _) in cheapest(game, 2).items()}
    assert sum(map(len, edited(game, 2))) == len(found)


@pytest.mark.full
@pytest.mark.slow
def test_cost_3_of_a_small_game() -> None:
    game = GAMES["one number"]
    found = {one.fingerprint: cost for cost, games in enumerate(edited(game, 3), 1) for one in games}
    assert found == {name: cost for name, (cost, _) in cheapest(game, 3).items()}


def test_pools_that_differ_in_two_numbers() -> None:
    offered = [1, 2, 3, 4, 5, 6]
    two_more = {tuple(sorted((3, one, two))) for one in offered for two in offered}
    assert set(_pools((3,), 2)) == two_more | {(one,) for one in offered if one != 3}


def test_a_shift_of_the_start_is_said_to_be_one_of_the_target() -> None:
    (games, *_) = edited(GAMES["sum31"], 1)
    keys = {one.fingerprint: [change.key for change in one.changes] for one in games}
    shifted = replace(GAMES["sum31"], start=(-1,))
    assert keys[fingerprint(shifted)] == ["target"]


def test_an_edit_says_what_it_changes() -> None:
    for games in edited(GAMES["handicap"], 2):
        for one in games:
            words = change_words(GAMES["handicap"], one)
            assert words[0].isupper()
            assert sum(2 if change.key == "pool" else 1 for change in one.changes) == one.cost
            for change in one.changes:
                assert change.before != change.after


def test_words_of_some_edits() -> None:
    said = {change_words(GAMES["sum31"], one) for games in edited(GAMES["sum31"], 2) for one in games}
    assert "Change the target from 31 to 32" in said
    assert "Change the target from 31 to 27 and let whoever lands on the target lose" in said
    assert "Take 5 out of the pool" in said
    assert "Add 12 to the pool" in said
    assert "Let the second player swap seats after the first move" in said
    assert "Give each player a total of their own" in said
