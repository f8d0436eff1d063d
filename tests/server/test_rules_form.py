"""The form of a game of one's own: every game through it and back, and what is wrong in words for each field."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.strategies import variants
from zerosum.rules.game_files import GAME_IDS
from zerosum.rules.model import KEYS, Rules
from zerosum.screens.rules_form import LABELS, fields_of_rules, first_fields, read_fields


@given(variants())
def test_any_rules_go_through_the_form(rules: Rules) -> None:
    read = read_fields(fields_of_rules(rules, ""))
    assert (read.rules, read.errors) == (rules, {})


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_form_begins_with_a_game(game: str) -> None:
    read = read_fields(first_fields(game))
    assert read.rules is not None
    assert (read.rules.name[:3], read.errors) == ("My ", {})
    assert set(LABELS) == set(first_fields(game)) - {"like"}
    assert len(LABELS) == len(KEYS) - 1  # format has no field; exhausted and tie are one, start has two


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"target": "x"}, {"target": "'x' is not a whole number."}),
        ({"target": " "}, {"target": "Write a whole number, such as 31."}),
        ({"target": "1000001"}, {"target": "'1000001' is too large; numbers go from -1000000 to 1000000."}),
        ({"pool": ""}, {"pool": "Write the numbers to take, such as 1, 2, 5 or 1 to 9."}),
        ({"pool": "1, 0"}, {"pool": "0 cannot be one of the numbers: it would move nothing."}),
        ({"pool": "1 to 100"}, {"pool": "These are 100 numbers; at most 64 are allowed."}),
        ({"pool": "5 to 1"}, {"pool": "'5 to 1' runs backwards."}),
        ({"pool": "1 to"}, {"pool": "'' is not a whole number."}),
        ({"pool": "1 " * 65}, {"pool": "These are 65 numbers; at most 64 are allowed."}),
        ({"pool": " " * 100_000 + "1"}, {"pool": "This is too long: write at most 800 characters."}),
        ({"start2": "y"}, {"start2": "'y' is not a whole number."}),
        ({"start": "y", "name": ""}, {"start": "'y' is not a whole number.", "name": "Give the game a name."}),
        ({"id": "No!"}, {"id": "Use small letters, digits and hyphens, at most 64."}),
        ({"ends": "never"}, {"ends": "Choose one of these."}),
    ],
)
def test_what_is_wrong_is_told_at_its_field(changes: dict[str, str], errors: dict[str, str]) -> None:
    read = read_fields(first_fields("sum31") | changes)
    assert (read.rules, read.errors) == (None, errors)


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"start2": "5"}, "start2"), ({"ends": "sudden-death"}, "ends"), ({"start": "31"}, "passing")],
)
def test_what_contradicts_is_told_at_one_field(changes: dict[str, str], field: str) -> None:
    assert list(read_fields(first_fields("sum31") | changes).errors) == [field]


def test_numbers_are_written_as_people_do() -> None:
    read = read_fields(
        first_fields("sum31") | {"pool": "\N{MINUS SIGN}2 to 2; 7,7  9..11", "name": "\N{CJK UNIFIED IDEOGRAPH-674E}"}
    )
    assert read.rules is not None
    assert (read.rules.pool, read.rules.id) == ((-2, -1, 1, 2, 7, 7, 9, 10, 11), "my-game")
