"""If two methods can solve the same rules, they say the same of every position."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.each import each
from tests.solver.random_tables import RulesDict, table
from zerosum.base.progress import silent
from zerosum.rules.model import Seat, rules_from_dict
from zerosum.rules.moves import Move
from zerosum.rules.position import PositionKey, start_position
from zerosum.solver import MEMORY, SOLVERS, Solution, Value, solve
from zerosum.solver.supports import SUPPORTED, Method, supports

BOARD, ROWS, REACHED, PLAYING = Method.BOARD, Method.ROWS, Method.REACHING, Method.PLAYING
DUEL: RulesDict = {"target": 0, "operations": ["add", "subtract"]}
SEQUENCE: RulesDict = DUEL | {"totals": "own", "exhausted": "closest", "tie": "second-mover"}


def solved_by(method: Method, keys: RulesDict) -> dict[PositionKey, Value]:
    """Return what one method says of every position."""
    rules = rules_from_dict({"format": 1, "id": "family", "name": "Family", **keys})
    solved = SOLVERS[method](rules, MEMORY, silent)
    found = {position.key: value for position, value in solved.everything()}
    assert len(found) == solved.count
    assert all(solved.look_up(position) == value for position, value in solved.everything())
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
    assert solved_by(BOARD, keys) == solved_by(ROWS, keys) == solved_by(REACHED, keys) == solved_by(PLAYING, keys)


@pytest.mark.slow
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
    assert solved_by(BOARD, keys) == solved_by(REACHED, keys) == solved_by(PLAYING, keys)


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
    assert solved_by(BOARD, keys) == solved_by(REACHED, keys) == solved_by(PLAYING, keys)


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
    assert solved_by(BOARD, keys) == solved_by(ROWS, keys) == solved_by(REACHED, keys) == solved_by(PLAYING, keys)


def small(dice: random.Random) -> RulesDict:
    """Return a random variant with small numbers, so that boards stay small."""
    while True:
        keys = table(dice, most=6)
        if max(map(abs, keys["pool"])) <= 10:
            return keys


@pytest.mark.parametrize("seed", range(4))
def test_random_variants(seed: int) -> None:
    """Every method that supports a variant without a swap, and playing, which supports them all."""
    dice = random.Random(31 + seed)
    for _ in range(60):
        keys = small(dice) | {"swap": False}
        rules = rules_from_dict(keys)
        # What masks say is compared in tests/solver/fast.
        methods = [method for method in SUPPORTED if supports(method, rules) and method is not Method.MASKS]
        assert {BOARD, REACHED} <= set(methods)
        played = solved_by(PLAYING, keys)
        assert all(solved_by(method, keys) == played for method in methods), keys


def test_the_random_variants_have_bans_own_totals_and_repeats() -> None:
    drawn = [small(dice) for seed in range(4) for dice in [random.Random(31 + seed)] for _ in range(60)]
    for key, values in {"ban": {"none", "mirror"}, "totals": {"own", "shared"}, "swap": {True, False}}.items():
        assert {keys[key] for keys in drawn} == values
    for banned in (True, False):
        chosen = [keys for keys in drawn if (keys["ban"] == "mirror") == banned]
        assert any(len(set(keys["pool"])) < len(keys["pool"]) and keys["totals"] == "own" for keys in chosen)


@each("seed", range(60))
def test_a_swap_that_is_played_is_worth_what_the_solution_says(seed: int) -> None:
    """Playing plays a swap like any other move; every other method leaves it to `Solution`."""
    rules = rules_from_dict(small(random.Random(500 + seed)) | {"swap": True})
    played = Solution(rules, SOLVERS[PLAYING](rules, MEMORY, silent), 0)
    reached = Solution(rules, SOLVERS[REACHED](replace(rules, swap=False), MEMORY, silent), 0)
    assert played.count == reached.count == solve(rules).count
    for position, value in played.everything():
        assert played.value(position) == reached.value(position) == solve(rules).value(position) == value, position


@pytest.mark.parametrize(
    ("keys", "positions"),
    [
        ({"pool": [1, 1, -1, -1], "target": 5}, 11),
        ({"pool": [1, 1, -1, -1], "target": 5, "ban": "mirror"}, 9),
        ({"pool": [1, 1, -1, -1], "target": 2, "overshoot": "loses"}, 10),
        ({"pool": [1, 1, -1], "target": 4, "overshoot": "loses"}, 6),
        ({"pool": [1, 2], "operations": ["add", "subtract"], "target": 3, "overshoot": "loses"}, 5),
        ({"pool": [3, 3, -3, -3, 1, -1], "target": 2, "reaching": "loses"}, 83),
        ({"pool": [1, 2, 3, -1, -2, -3], "target": 20}, 232),
    ],
)
def test_sudden_death_by_playing(keys: RulesDict, positions: int) -> None:
    """Rounds come back to positions that were there before; the first three are draws."""
    keys = {"totals": "own", "exhausted": "closest", "tie": "sudden-death"} | keys
    played, rounds = solved_by(PLAYING, keys), solved_by(Method.ENDLESS, keys)
    assert len(played) == positions
    assert played == rounds


def test_positions_that_cannot_arise_have_no_value() -> None:
    rules = rules_from_dict(
        {"format": 1, "id": "x", "name": "X", "pool": [1, 2, 2, 5], "target": 9} | {"ban": "mirror"}
    )
    look_up = SOLVERS[REACHED](rules, MEMORY, silent).look_up
    start = start_position(rules)
    after = start.play("+2").play("+5")
    assert look_up(after) is not None
    far = (2 * sum(rules.pool) + 1) * 7
    # A position refuses a pool that is no part of its game's, but it may be a position of another game.
    other = replace(rules, pool=(1, 1, 2, 2, 2, 5, 7))
    for changes in (
        {"seat": Seat.SECOND},
        {"rules": other, "pool": (1, 1)},
        {"rules": other, "pool": (7,)},
        {"rules": other, "pool": (1, 2, 2, 2, 5)},
        {"totals": (8,)},
        # The digits of the key would carry over.
        {"totals": (7 + far,), "previous": Move(5 - 7)},
        {"previous": None},
        {"previous": Move(1)},
    ):
        assert look_up(replace(after, **changes)) is None, changes
