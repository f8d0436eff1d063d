"""Variants with every key, against a search that uses nothing of the package."""

from __future__ import annotations

import random

import pytest

from tests.full import part
from tests.solver.agreement import disagreements
from tests.solver.random_tables import table
from zerosum.rules.model import rules_from_dict
from zerosum.solver import Verdict, solve

BATCHES = 8
IN_A_BATCH = 100


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(part(2, BATCHES)))
def test_random_variants_have_no_disagreement(batch: int) -> None:
    """Verdict and plies of every position and of each of its moves, and how many positions there are."""
    dice = random.Random(batch)
    for _ in range(IN_A_BATCH):
        keys = table(dice, most=7)
        solution = solve(rules_from_dict(keys))
        count, found = disagreements(keys, solution)
        assert found == [], keys
        assert count == solution.count, keys


def test_the_random_variants_have_every_value_of_every_key() -> None:
    """The test above would mean little without it."""
    drawn = [
        table(dice, most=7) for batch in range(BATCHES) for dice in [random.Random(batch)] for _ in range(IN_A_BATCH)
    ]
    assert len(drawn) == BATCHES * IN_A_BATCH
    for key, values in {
        "totals": {"shared", "own"},
        "reaching": {"wins", "loses"},
        "overshoot": {"play-on", "loses", None},
        "exhausted": {"closest", None},
        "tie": {"first-mover", "second-mover", None},
        "ban": {"none", "mirror"},
        "swap": {True, False},
    }.items():
        assert {keys.get(key) for keys in drawn} == values, key
    assert {len(keys["operations"]) for keys in drawn} == {1, 2}
    assert {len(keys["pool"]) for keys in drawn} == {1, 2, 3, 4, 5, 6, 7}
    assert any(isinstance(keys["start"], list) for keys in drawn)
    assert any(len(set(keys["pool"])) < len(keys["pool"]) for keys in drawn)
    assert any(min(map(abs, keys["pool"])) > 999_000 for keys in drawn)
    values_of_starts = {
        solve(rules_from_dict(keys)).value(solve(rules_from_dict(keys)).start).verdict for keys in drawn[:100]
    }
    assert values_of_starts == {Verdict.WIN, Verdict.LOSS}


@pytest.mark.parametrize(
    "keys",
    [
        {"pool": [1, 2, 3, 4, 5, 6, 7], "target": 14, "overshoot": "loses"},
        {"pool": [1, 1, 2, 2, 3, 3], "target": 0, "operations": ["add", "subtract"], "ban": "mirror"},
        {"pool": [1, -1, 2, -2, 3, -3], "target": 0, "ban": "mirror", "swap": True},
        {"pool": [1, 2, 3, 4, 5], "target": 0, "start": 7, "operations": ["add", "subtract"], "overshoot": "loses"},
        {"pool": [5], "target": 5, "swap": True},
        {"pool": [5], "target": 4, "swap": True, "reaching": "loses"},
        {"pool": [1, 2, 3, 4, 5], "target": 15, "reaching": "loses", "swap": True},
        {"pool": [1, 2, 3, 4], "target": 3, "totals": "own", "start": [9, -9], "operations": ["add", "subtract"]}
        | {"exhausted": "closest", "tie": "first-mover", "overshoot": "loses", "swap": True, "ban": "mirror"},
        {"pool": [999_999, -999_998, 1_000_000, -1_000_000], "target": 1, "totals": "own", "ban": "mirror"},
        {"pool": [2, 2, 2, -2, -2, -2], "target": 4, "ban": "mirror", "start": 2},
    ],
)
def test_chosen_variants_have_no_disagreement(keys: dict[str, object]) -> None:
    keys = {"format": 1, "id": "chosen", "name": "Chosen", **keys}
    solution = solve(rules_from_dict(keys))
    count, found = disagreements(keys, solution)
    assert found == []
    assert count == solution.count
