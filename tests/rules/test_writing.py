"""Rules written as text are read back the same, whole or beside a built-in game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from tests.strategies import variants
from zerosum.rules.game_files import GAME_IDS, built_in, like_of, load_text, write_rules
from zerosum.rules.model import Rules


@given(variants())
def test_any_rules_are_read_back(rules: Rules) -> None:
    for like in ("", *GAME_IDS):
        text = write_rules(rules, like)
        assert load_text(text) == rules
        assert like_of(text) == like


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_game_beside_itself_has_nothing_to_add(game: str) -> None:
    rules = replace(built_in(game))
    assert write_rules(rules, game) == f'like = "{game}"\nid = "{game}"\nname = "{rules.name}"\n'
