"""A table is the game: compared with `Position` and with the solver, state by state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from tests.full import FULL, part
from tests.solver.random_tables import table as random_table
from zerosum.envs.batch_check import BatchError, check, check_codes, check_table
from zerosum.envs.coded_matches import label_of
from zerosum.rules.game_files import GAME_IDS, RULEBOOK_IDS, load_game
from zerosum.rules.model import Ban, Overshoot, Rules, Tie, Totals, rules_from_dict
from zerosum.solver import solve
from zerosum.solver.game_table import MOST_STATES, GameTable, compile_table
from zerosum.solver.graph_codes import CodedNames

VARIANTS = 200


def variants(count: int) -> list[Rules]:
    """Return random rules of every kind, each fourth with sudden death."""
    dice = Random("batch")
    return [rules_from_dict(random_table(dice, most=6, sudden_death=n % 4 == 0)) for n in range(count)]


def compiled(rules: Rules) -> GameTable:
    found = compile_table(rules)
    assert found is not None
    return found


@pytest.mark.parametrize("game", RULEBOOK_IDS)
def test_every_state_and_action_of_the_first_round_is_what_position_says(game: str) -> None:
    rules = load_game(game)
    if rules.tie is Tie.SUDDEN_DEATH:
        assert check_codes(rules).everything
    else:
        large = (solve(rules).count or 0) > 20_000
        checked = check(rules, part(3_000, 1_000_000) if large else None)
        assert checked.everything == (FULL or not large)


@pytest.mark.slow
def test_every_state_and_action_of_random_rules_is_what_position_says() -> None:
    kinds = set()
    for rules in variants(VARIANTS):
        assert check(rules).everything, rules
        assert check_codes(rules, 300).positions > 0
        kinds |= {
            ("ban", rules.ban is Ban.MIRROR),
            ("swap", rules.swap),
            ("own", rules.totals is Totals.OWN),
            ("repeats", len(set(rules.pool)) < len(rules.pool)),
            ("refills", rules.tie is Tie.SUDDEN_DEATH),
            ("both", rules.ban is Ban.MIRROR and rules.swap),
        }
    assert len(kinds) == 12, "some kind of rules was not drawn"


def test_a_table_has_as_many_states_as_the_solver_has_positions() -> None:
    games = [load_game(game) for game in GAME_IDS] + variants(60)
    for rules in games:
        table = compile_table(rules)
        assert (table is None) == (rules.tie is Tie.SUDDEN_DEATH)
        if table is not None:
            assert table.size == solve(rules).count, rules


def test_labels_are_what_the_solver_says() -> None:
    for rules in [load_game("sum31"), load_game("seventeen"), *variants(40)]:
        table = compile_table(rules)
        if table is None:
            continue
        solution = solve(rules)
        value, plies, keeping = table.labels
        for state in range(0, table.size, 1 + table.size // 200):
            said = (int(value[state]), int(plies[state]), keeping[state].tolist())
            assert said == label_of(table.position(state), solution), (rules, state)


def _entry(table: GameTable) -> None:
    at = int(np.flatnonzero(table.next & 3 == 0)[7])
    table.next[at] += 4


def _outcome(table: GameTable) -> None:
    at = int(np.flatnonzero(table.next & 3 == 1)[3])
    table.next[at] = 2


def _legality(table: GameTable) -> None:
    table.next[int(np.flatnonzero(table.next == 3)[0])] = 1


def _mask(table: GameTable) -> None:
    table.mask[11, 4] ^= True


def _observation(table: GameTable) -> None:
    table.observation[5, 9] += 1


def _value(table: GameTable) -> None:
    table.labels.value[30] *= -1


def _plies(table: GameTable) -> None:
    table.labels.plies[30] += 2


def _keeping(table: GameTable) -> None:
    table.labels.keeping[30] = table.mask[30] & ~table.labels.keeping[30]


def _twice(table: GameTable) -> None:
    assert isinstance(table.graph.names, CodedNames)
    table.graph.names.codes[1] = table.graph.names.codes[2]


FAULTS = (_entry, _outcome, _legality, _mask, _observation, _value, _plies, _keeping, _twice)


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__.strip("_"))
def test_the_check_finds_a_planted_fault(plant: Callable[[GameTable], None]) -> None:
    table = compiled(load_game("sum31"))
    assert check_table(table).positions == 420
    # All arrays are made before one of them is damaged.
    assert table.mask.any()
    assert table.observation.any()
    assert table.labels.keeping.any()
    for array in (table.next, table.mask, table.observation, *table.labels):
        assert not array.flags.writeable
        array.flags.writeable = True
    plant(table)
    with pytest.raises(BatchError, match=r"^Sum31\. .+ the (batch|rules)"):
        check_table(table)


@pytest.mark.parametrize(("pool", "target"), [((*range(1, 65),), 12), ((1, 2, 3, 4, *range(1000, 1056)), 1064)])
def test_many_numbers_and_few_positions_make_a_small_table(pool: tuple[int, ...], target: int) -> None:
    rules = Rules(id="many", name="Many", pool=pool, target=target, overshoot=Overshoot.LOSES)
    table = compiled(rules)
    assert table.size == solve(rules).count
    assert check_table(table, 60).positions == min(60, table.size)


def test_large_numbers_and_copies_are_told_apart() -> None:
    rules = rules_from_dict(
        {
            "format": 1,
            "id": "large",
            "name": "Large",
            "pool": [999_983] * 3 + [-999_979] * 2 + [1_000_000, -7] * 2,
            "target": 999_976,
            "operations": ["add", "subtract"],
            "totals": "own",
            "exhausted": "closest",
            "tie": "first-mover",
            "ban": "mirror",
        }
    )
    table = compiled(rules)
    assert check_table(table, 400).positions == 400
    assert table.size == solve(rules).count


@pytest.mark.slow
def test_a_game_above_the_limit_has_no_table() -> None:
    large = Rules(id="large", name="Large", pool=tuple(range(1, 25)), target=150)
    assert compile_table(large) is None
    assert check(large, 200).positions == 200
    assert compiled(load_game("sum-to-zero")).size < MOST_STATES
