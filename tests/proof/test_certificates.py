"""Honest certificates are found true, from the rules alone."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.full import part
from tests.proof.making import SUDDEN, Table, claims, prove, variant, verify, written
from tests.solver.random_tables import table
from zerosum.proof import certificate
from zerosum.rules.game_files import load_game
from zerosum.rules.model import rules_from_dict
from zerosum.solver import SolverError, solve

ENDLESS: list[Table] = [
    {"pool": [1, 2, -1, -2], "start": [3, -3]},
    {"pool": [1, 1], "start": [1, 1]},
    {"pool": [1, 1, -1, -1], "start": [2, 2]},
    {"pool": [2, 4, -2, -4], "start": [6, -6]},
    {"pool": [1, 1, 2], "start": [4, -4]},
    {"pool": [1, 2], "start": 3, "operations": ["add", "subtract"]},
    {"pool": [1, 2, 3, -1, -2, -3], "ban": "mirror"},
    {"pool": [1, 2, -1, -2], "start": [3, -3], "swap": True},
    {"pool": [1, 1, -1, -1], "start": [5, -5], "swap": True, "ban": "mirror"},
    {"pool": [5], "start": [20, 25], "swap": True},
    {"pool": [2, 2, -1, -1], "start": [4, 9], "reaching": "loses"},
    {"pool": [3, -3, 6, -6], "target": 1},
]


@pytest.mark.parametrize("game_id", ["sum31", "zero-sum-duel"])
def test_games(game_id: str) -> None:
    rules = load_game(game_id)
    assert verify(prove(rules)) == solve(rules).count


@pytest.mark.full
def test_the_endless_game() -> None:
    """Rounds up to the bound are checked one by one; the pattern is checked over two rounds and a period."""
    said = claims(load_game("zero-sum-game"))
    assert len(said.pattern.tails) == 2
    assert verify(written(said)) == len(said.codes) > 50_000


@pytest.mark.parametrize("batch", range(part(2, 4)))
def test_random_variants(batch: int) -> None:
    dice = random.Random(batch)
    for _ in range(60):
        rules = rules_from_dict(table(dice, most=5))
        assert verify(prove(rules)) == solve(rules).count, rules


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(part(2, 4)))
def test_random_variants_with_sudden_death(batch: int) -> None:
    dice = random.Random(batch)
    proven = refused = tails = draws = 0
    while proven < 50:
        keys = table(dice, most=5, sudden_death=True)
        if max(map(abs, keys["pool"])) > 9 or abs(keys["target"]) > 20:
            continue
        try:
            said = claims(rules_from_dict(keys))
        except SolverError:
            refused += 1
            continue
        assert verify(written(said)) == len(said.codes), keys
        proven += 1
        tails += bool(said.pattern.tails)
        draws += 0 in said.codes
    assert refused < 8
    assert tails
    assert draws


@pytest.mark.parametrize("keys", ENDLESS)
def test_chosen_variants_with_sudden_death(keys: Table) -> None:
    data = prove(variant(**SUDDEN | keys))
    assert verify(data) == len(certificate.read(data).codes)


def test_some_of_them_have_tails_and_some_have_draws() -> None:
    said = [claims(variant(**SUDDEN | keys)) for keys in ENDLESS]
    assert {bool(one.pattern.tails) for one in said} == {True, False}
    assert {0 in one.codes for one in said} == {True, False}
    assert any(tail.later for one in said for tail in one.pattern.tails.values())


def test_what_is_written_is_read_back() -> None:
    for keys in ENDLESS:
        said = claims(variant(**SUDDEN | keys))
        assert certificate.read(written(said)) == said


def test_the_checker_uses_nothing_of_the_solver() -> None:
    """A mistake in the solver cannot be a mistake in the check of it."""
    code = (
        "import sys\n"
        "import zerosum.proof.certificate, zerosum.proof.checker\n"
        "print(sorted(name for name in sys.modules if name.startswith('zerosum')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "zerosum.proof.checker" in done.stdout
    assert "zerosum.solver" not in done.stdout
    assert "zerosum.cli" not in done.stdout
