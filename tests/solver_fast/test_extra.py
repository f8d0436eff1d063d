"""The extra `fast` is an extra: nothing else loads it, nothing needs it, and it works where nothing can be kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.terminal.command import Zerosum
from zerosum.rules.model import Ban, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, Operation
from zerosum.solver import SolverError, loops, plan, solve
from zerosum.solver.handled import Way
from zerosum.solver.plan import choose, plans


def game(size: int, **changes: Any) -> Rules:
    pool = tuple(range(1, size + 1))
    return Rules(id="large", name="Large", pool=pool, target=31 * sum(pool) // 45, **changes)


def ways(rules: Rules) -> set[Way]:
    return {plan.way for plan in plans(rules)}


class TestChoice:
    """Compiled loops are for large pools whose used numbers fix the total, where the extra is installed."""

    def test_large_pools_are_solved_fast(self) -> None:
        assert choose(game(28)).way is Way.FAST

    def test_small_pools_are_not(self) -> None:
        assert all(choose(game(size)).way is not Way.FAST for size in range(1, 21))

    def test_nor_rules_under_which_used_numbers_do_not_fix_a_position(self) -> None:
        assert Way.FAST in ways(game(24))
        assert Way.FAST not in ways(game(24, totals=Totals.OWN))
        assert Way.FAST not in ways(game(24, ban=Ban.MIRROR))
        assert Way.FAST not in ways(game(24, operations=(*ADD_ONLY, Operation.SUBTRACT)))

    def test_many_copies_of_few_numbers_have_few_positions_and_other_ways(self) -> None:
        rules = Rules(id="copies", name="Copies", pool=(1,) * 16 + (2,) * 16, target=31)
        assert choose(rules).way is not Way.FAST

    def test_without_the_extra_the_refusal_names_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(plan, "fast_installed", lambda: False)
        with pytest.raises(SolverError, match=r"smaller numbers, or install zerosum\[fast\]\.$"):
            choose(game(28))

    @pytest.mark.slow
    def test_but_only_where_it_would_help(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for installed in (True, False):
            monkeypatch.setattr(plan, "fast_installed", lambda installed=installed: installed)
            with pytest.raises(SolverError, match=r"or smaller numbers\.$"):
                choose(game(34))

    def test_an_extra_that_cannot_be_loaded_is_a_clear_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "zerosum.solver.fast", None)
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


def test_choosing_a_way_loads_neither_numpy_nor_numba() -> None:
    code = """
import sys
from zerosum.rules.model import Rules
from zerosum.solver.handled import Way
from zerosum.solver.plan import choose
assert choose(Rules(id="large", name="Large", pool=tuple(range(1, 29)), target=280)).way is Way.FAST
print({"numpy", "numba"} & set(sys.modules))
"""
    assert run(code) == "set()\n"


@pytest.mark.full
def test_it_works_where_no_folder_can_keep_machine_code(tmp_path: Path) -> None:
    package = Path(zerosum.__file__).parent
    copy = tmp_path / "copy" / "zerosum"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    # Files where folders would be: not even root can write there.
    file = tmp_path / "file"
    (copy / "solver" / "__pycache__").touch()
    file.touch()
    code = """
import numba, zerosum.solver.fast as fast
from zerosum.rules.model import Rules
print(fast.__file__)
print(isinstance(fast.find_values, numba.core.dispatcher.Dispatcher))
print(fast.Values(Rules(id="nine", name="Nine", pool=(1, 2, 3), target=6)).count)
"""
    nowhere = str(file / "cache")
    found = run(code, PYTHONPATH=str(copy.parent), HOME=nowhere, XDG_CACHE_HOME=nowhere, NUMBA_CACHE_DIR=nowhere)
    assert found.split() == [str(copy / "solver" / "fast.py"), "True", "7"]


def test_it_works_where_a_folder_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def njit(*, cache: bool = False, **_options: object) -> Any:
        def full(*_arguments: object) -> object:
            raise OSError("no space left on device")

        return lambda function: full if cache else function

    monkeypatch.setattr("numba.njit", njit)

    @loops._compiled
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42
