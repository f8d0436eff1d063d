"""Fingerprints: equal exactly where the specification says so, and games of one fingerprint are the same game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import tables
from zerosum.rules.game_files import BUILT_IN_IDS, load_game
from zerosum.rules.model import Rules, rules_from_dict
from zerosum.solver import solve
from zerosum.solver.fingerprint import canonical, fingerprint, normal

FINGERPRINTS = {
    "sum-to-zero": "a460bea2c454",
    "sequence-zero": "9970df5961a2",
    "zero-sum-duel": "2e692f59d034",
    "zero-sum-game": "feb53d229e63",
    "sum31": "7458b37b7f28",
    "summit": "1a759541c09b",
    "thin-ice": "3755d6726f5c",
    "to-the-brim": "4afbcfa9256f",
    "last-straw": "afd523299516",
    "seventeen": "b02e6536226f",
    "campfire": "d2bc5db09031",
}


def twins(table: dict[str, Any], by: int) -> list[dict[str, Any]]:
    """Return tables of games that are the same for whoever plays, written from the definition."""
    starts = table["start"] if isinstance(table["start"], list) else [table["start"]]
    target, pool = table["target"], table["pool"]
    found = [
        table | {"id": "twin", "name": "A twin", "invalid-move": "forfeit"},
        table | {"start": _one([start + by for start in starts]), "target": target + by},
    ]
    mirrored = _one([2 * target - start for start in starts])
    if "subtract" not in table.get("operations", []):
        found.append(table | {"pool": [-number for number in pool], "start": mirrored})
    elif not any(-number in pool for number in pool):
        found.append(table | {"pool": [-number for number in pool], "start": mirrored})
        if len(starts) == 2 and table.get("ban") != "mirror":
            found.append(table | {"start": [starts[0], 2 * target - starts[1]]})
    return found


def _one(starts: list[int]) -> int | list[int]:
    return starts if len(starts) > 1 else starts[0]


@given(tables(max_pool=4, sudden_death=False), st.integers(-9, 9))
def test_twins_share_a_fingerprint_and_everything_else(table: dict[str, Any], by: int) -> None:
    rules = rules_from_dict(table)
    solution = solve(rules)
    for twin in map(rules_from_dict, twins(table, by)):
        assert fingerprint(twin) == fingerprint(rules)
        other = solve(twin)
        assert other.value(other.start) == solution.value(solution.start)
        assert other.count == solution.count


@given(tables(max_pool=4))
def test_the_normal_form_is_a_game_of_the_same_fingerprint(table: dict[str, Any]) -> None:
    rules = rules_from_dict(table)
    form: dict[str, Any] = normal(rules).table
    again = rules_from_dict({"format": 1, "id": "normal", "name": "Normal", **form, "start": _one(form["start"])})
    assert again.target == 0
    assert normal(again).table == form
    assert sorted(normal(rules).numbers[number] for number in rules.pool) == list(again.pool)


@pytest.mark.parametrize("key", ["target", "swap", "reaching", "pool"])
def test_what_changes_the_game_changes_the_fingerprint(key: str) -> None:
    sum31 = load_game("sum31")
    changed: dict[str, Rules] = {
        "target": replace(sum31, target=30),
        "swap": replace(sum31, swap=True),
        "reaching": replace(sum31, reaching="loses"),  # type: ignore[arg-type] # read like a file
        "pool": replace(sum31, pool=(1, 2, 3, 4, 5, 6, 7, 8, 8)),
    }
    assert fingerprint(changed[key]) != fingerprint(sum31)


def test_numbers_that_undo_each_other_are_not_made_equal() -> None:
    both = {"format": 1, "id": "x", "name": "X", "target": 5, "operations": ["add", "subtract"]}
    assert normal(rules_from_dict(both | {"pool": [3, -3, 1]})).table["pool"] == [-3, 1, 3]
    assert normal(rules_from_dict(both | {"pool": [3, -2, 1]})).table["pool"] == [1, 2, 3]


def test_a_ban_ties_both_totals_together() -> None:
    table = {"format": 1, "id": "x", "name": "X", "target": 0, "totals": "own", "operations": ["add", "subtract"]}
    table |= {"pool": [1, 2, 3], "exhausted": "closest", "tie": "first-mover", "start": [2, -5]}
    assert normal(rules_from_dict(table)).table["start"] == [-2, -5]
    assert normal(rules_from_dict(table | {"ban": "mirror"})).table["start"] == [-2, 5]


def test_every_game_has_a_fingerprint_that_stays() -> None:
    found = {game: fingerprint(load_game(game))[:12] for game in BUILT_IN_IDS}
    assert len(set(found.values())) == len(BUILT_IN_IDS)
    assert found | FINGERPRINTS == found


def test_canonical_json_is_one_text() -> None:
    assert canonical({"b": [1, 2.5, None], "a": "é"}) == '{"a":"é","b":[1,2.5,null]}'
