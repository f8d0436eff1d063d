"""The extra `fast` is an extra: nothing else loads it, and nothing needs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Zerosum
from zerosum.rules.model import Ban, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, Operation
from zerosum.solver import SolverError, solve
from zerosum.solver import choose_method as plan
from zerosum.solver.choose_method import method_plans, quickest_plan
from zerosum.solver.supports import Method


def game(size: int, **changes: Any) -> Rules:
    pool = tuple(range(1, size + 1))
    return Rules(id="large", name="Large", pool=pool, target=31 * sum(pool) // 45, **changes)


def methods(rules: Rules) -> set[Method]:
    return {plan.method for plan in method_plans(rules)}


class TestChoice:
    """NumPy is for large pools whose used numbers fix the total, where the extra is installed."""

    def test_large_pools_are_solved_fast(self) -> None:
        assert quickest_plan(game(28)).method is Method.MASKS

    def test_small_pools_are_not(self) -> None:
        assert all(quickest_plan(game(size)).method is not Method.MASKS for size in range(1, 21))

    def test_nor_rules_under_which_used_numbers_do_not_fix_a_position(self) -> None:
        assert Method.MASKS in methods(game(24))
        assert Method.MASKS not in methods(game(24, totals=Totals.OWN))
        assert Method.MASKS not in methods(game(24, ban=Ban.MIRROR))
        assert Method.MASKS not in methods(game(24, operations=(*ADD_ONLY, Operation.SUBTRACT)))

    def test_many_copies_of_few_numbers_have_few_positions_and_other_ways(self) -> None:
        rules = Rules(id="copies", name="Copies", pool=(1,) * 16 + (2,) * 16, target=31)
        assert quickest_plan(rules).method is not Method.MASKS

    def test_without_the_extra_the_refusal_names_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(plan, "fast_installed", lambda: False)
        with pytest.raises(SolverError, match=r"smaller numbers, or install zerosum\[fast\]\.$"):
            quickest_plan(game(28))

    @pytest.mark.slow
    def test_but_only_where_it_would_help(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for installed in (True, False):
            monkeypatch.setattr(plan, "fast_installed", lambda installed=installed: installed)
            with pytest.raises(SolverError, match=r"or smaller numbers\.$"):
                quickest_plan(game(34))

    def test_an_extra_that_cannot_be_loaded_is_a_clear_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "zerosum.solver.by_masks", None)
        with pytest.raises(SolverError, match=r"What zerosum\[fast\] installed cannot be loaded"):
            solve(game(28))


@pytest.mark.slow
def test_a_large_pool_is_solved_at_the_terminal(zerosum: Zerosum, tmp_path: Path) -> None:
    rules = tmp_path / "large.toml"
    rules.write_text(
        f'format = 1\nid = "large"\nname = "Large"\npool = {list(range(1, 25))}\ntarget = 207\novershoot = "loses"\n'
    )
    done = zerosum("solve", str(rules))
    assert done.status == 0, done.err
    assert "Positions: 15,876,426." in done.out


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_choosing_a_method_does_not_load_numpy() -> None:
    code = """
import sys
from zerosum.rules.model import Rules
from zerosum.solver.supports import Method
from zerosum.solver.choose_method import quickest_plan
assert quickest_plan(Rules(id="large", name="Large", pool=tuple(range(1, 29)), target=280)).method is Method.MASKS
print("numpy" in sys.modules)
"""
    assert run(code) == "False\n"
