"""Where two ways can solve the same rules, they say the same of every position."""

from __future__ import annotations

import random

import pytest

from tests.solver.random_tables import RulesDict, table
from zerosum.rules.position import PositionKey
from zerosum.rules.schema import rules_from_dict
from zerosum.solver import MEMORY, Value
from zerosum.solver.plan import Way, plans
from zerosum.solver.value import silent
from zerosum.solver.ways import SOLVERS

BOARD, ROWS, PLAYING = Way.BOARD, Way.ROWS, Way.PLAYING
DUEL: RulesDict = {"target": 0, "operations": ["add", "subtract"]}
SEQUENCE: RulesDict = DUEL | {"totals": "own", "exhausted": "closest", "tie": "second-mover"}


def solved_by(way: Way, keys: RulesDict) -> dict[PositionKey, Value]:
    """Return what one way says of every position."""
    rules = rules_from_dict({"format": 1, "id": "family", "name": "Family", **keys})
    solved = SOLVERS[way](rules, MEMORY, silent)
    found = {position.key: value for position, value in solved.everything()}
    assert len(found) == solved.count
    return found


def upto(most: int) -> list[int]:
    return list(range(1, most + 1))


def both_ways(most: int) -> list[int]:
    return [*range(-most, 0), *upto(most)]


def sum31_like(most: int) -> RulesDict:
    """Return the rules with the target as far up its numbers as 31 is up 1 to 9."""
    total = sum(upto(most))
    return {"pool": upto(most), "target": max(1, round(total * 31 / 45)), "overshoot": "loses"}


@pytest.mark.parametrize("most", range(1, 9))
def test_zero_sum_duel_on_one_to(most: int) -> None:
    keys = DUEL | {"pool": upto(most)}
    assert solved_by(BOARD, keys) == solved_by(ROWS, keys) == solved_by(PLAYING, keys)


@pytest.mark.parametrize("most", [9, 10])
def test_zero_sum_duel_on_more(most: int) -> None:
    keys = DUEL | {"pool": upto(most)}
    assert solved_by(BOARD, keys) == solved_by(ROWS, keys)


@pytest.mark.parametrize("most", range(1, 7))
def test_sum_to_zero_on_both_sides_up_to(most: int) -> None:
    keys = {"pool": both_ways(most), "target": 0}
    assert solved_by(BOARD, keys) == solved_by(PLAYING, keys)


@pytest.mark.parametrize("most", range(1, 8))
def test_sequence_zero_on_one_to(most: int) -> None:
    keys = SEQUENCE | {"pool": upto(most)}
    by_rows = solved_by(ROWS, keys)
    assert by_rows == solved_by(BOARD, keys)
    assert most > 6 or by_rows == solved_by(PLAYING, keys)


@pytest.mark.parametrize("most", range(1, 13))
def test_sum31_on_one_to(most: int) -> None:
    keys = sum31_like(most)
    assert solved_by(BOARD, keys) == solved_by(PLAYING, keys)


@pytest.mark.parametrize("most", range(1, 6))
def test_own_totals_adding_only_on_both_sides_up_to(most: int) -> None:
    keys = {"pool": both_ways(most), "target": 0, "totals": "own", "exhausted": "closest", "tie": "first-mover"}
    assert solved_by(ROWS, keys) == solved_by(BOARD, keys)
    assert most > 4 or solved_by(ROWS, keys) == solved_by(PLAYING, keys)


@pytest.mark.parametrize(
    "keys",
    [
        DUEL | {"pool": upto(6), "ban": "mirror"},
        DUEL | {"pool": [1, 1, 2, 2, 3, 3], "ban": "mirror"},
        SEQUENCE | {"pool": [1, 2, 2, 3, 3], "ban": "mirror"},
        {"pool": both_ways(4), "target": 0, "ban": "mirror"},
        {"pool": [1, 1, 1, -1, -1, -1, 2, -2], "target": 3, "ban": "mirror"},
        {"pool": [3] * 9 + [-3] * 9, "target": 9, "ban": "mirror"},
    ],
)
def test_bans(keys: RulesDict) -> None:
    assert solved_by(BOARD, keys) == solved_by(PLAYING, keys)


@pytest.mark.parametrize(
    "keys",
    [
        DUEL | {"pool": [2] * 7},
        DUEL | {"pool": [1, 1, 1, 2, 2, 3]},
        SEQUENCE | {"pool": [1, 1, 2, 2, 3]},
        SEQUENCE | {"pool": [4, 4, 4, -4, -4], "target": 4, "start": [1, -3], "overshoot": "loses"},
    ],
)
def test_repeats(keys: RulesDict) -> None:
    assert solved_by(BOARD, keys) == solved_by(ROWS, keys) == solved_by(PLAYING, keys)


def test_random_variants() -> None:
    """All ways that are planned for a game without a swap, small numbers so that boards stay small."""
    dice = random.Random(31)
    compared = 0
    while compared < 150:
        keys = table(dice, most=6) | {"swap": False}
        if max(map(abs, keys["pool"])) > 10:
            continue
        ways = [plan.way for plan in plans(rules_from_dict(keys))]
        assert {BOARD, PLAYING} <= set(ways)
        first, *others = (solved_by(way, keys) for way in ways)
        assert all(other == first for other in others), keys
        compared += 1
