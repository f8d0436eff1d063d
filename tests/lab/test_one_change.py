"""Changes of one rule: each changes one key, and who wins then and how even it is are worked out a second time."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tests.full import parted
from zerosum.coach.bundled import OneChange, bundled_changes
from zerosum.coach.evenness import even_words
from zerosum.lab.repair import one_changes
from zerosum.players.levels import STRENGTHS
from zerosum.players.odds import odds_from
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.rules.model import Rules
from zerosum.rules.position import start_position

SMALL = ("sum31",)
NAMES = frozenset({"id", "name", "examples", "left_out", "invalid_move"})


def changed_keys(before: Rules, after: Rules) -> set[str]:
    """Return the keys in which two games differ, but for their names."""
    return {
        one.name for one in fields(Rules) if one.init and getattr(before, one.name) != getattr(after, one.name)
    } - NAMES


def same_start(before: Rules, after: Rules) -> bool:
    """Whether all totals start alike, however many there are."""
    return set(before.start) == set(after.start)


def check(before: Rules, one: OneChange) -> None:
    """Check a change by playing the changed game between equals, one pairing at a time."""
    assert len(changed_keys(before, one.rules) - ({"start"} if same_start(before, one.rules) else set())) == 1
    start = start_position(one.rules)
    first = {who: odds_from(start, [(who, who)]).first_wins[who, who] for who in STRENGTHS}
    seat = {1.0: "first", 0.0: "second"}[first["perfect"]]
    level, others = None, [who for who in STRENGTHS if who != "perfect"]
    for n, who in enumerate(others):
        if not 0.4 <= first[who] <= 0.6:
            break
        level = n
    assert one.words == f"the {seat} player wins with best play; {even_words(level)}"
    assert one.even_to == level
    assert one.first == pytest.approx(first["level:5"])
    assert (str(one.rules.target) in one.question) is (changed_keys(before, one.rules) == {"target"})


@pytest.mark.parametrize("game", parted(GAME_IDS, [game for game in GAME_IDS if game not in SMALL]))
def test_the_changes_of_a_built_in_game_are_what_all_changes_give(game: str) -> None:
    known = bundled_changes(game)
    assert len(known) == 3
    assert [one.rules for one in known] == [one.rules for one in one_changes(built_in(game), every=True)]
    for one in known:
        check(built_in(game), one)


def test_another_game_has_changes_too() -> None:
    rules = load_text('like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n')
    found = one_changes(rules)
    assert len(found) == 3
    for one in found:
        check(rules, one)
        assert one.rules.name == "Sum21, changed"
    assert all(before.even_to is not None for before in found[:1])


def test_no_change_makes_a_game_that_the_first_move_wins() -> None:
    for game in GAME_IDS:
        for one in bundled_changes(game):
            start = start_position(one.rules)
            assert all(start.play(move).outcome is None for move in start.legal_moves()), (game, one.change)
