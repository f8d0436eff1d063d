"""A test that fails once and then passes is named, and may keep work from landing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import flaky

FAILS_ONCE = """
from pathlib import Path

def test_now_and_then():
    mark = Path(__file__).with_suffix(".mark")
    again = mark.exists()
    mark.touch()
    assert again
"""
FAILS = "def test_always():\n    assert not 'this'\n"
PASSES = "def test_never():\n    assert 'this'\n"


def run(folder: Path, *, known: str = "", lint: str = "true", **tests: str) -> tuple[int, str]:
    """Run a small project's tests as `.ci/run` does; return the exit status and what it printed at last."""
    (folder / "tests" / "security").mkdir(parents=True)
    (folder / "Makefile").write_text(f"lint:\n\t@{lint}\n", encoding="utf-8")
    (folder / "tests" / "flaky.txt").write_text(known, encoding="utf-8")
    (folder / "tests" / "flaky.py").write_text(Path(flaky.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    for name, text in tests.items():
        (folder / "tests" / f"{name.replace('__', '/')}.py").write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    pytest_run = [sys.executable, "-m", "pytest", "-q", "--rootdir", str(folder)]
    subprocess.run(pytest_run, cwd=folder, env=environment, capture_output=True, check=False)
    again = [sys.executable, "-m", "tests.flaky"]
    ran = subprocess.run(again, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def test_what_passes_the_second_time_is_named_and_lands(tmp_path: Path) -> None:
    status, printed = run(tmp_path, test_one=FAILS_ONCE, test_two=PASSES)
    assert "FLAKY tests/test_one.py::test_now_and_then 7\n" in printed
    assert status == 0


def test_what_is_known_already_does_not_land(tmp_path: Path) -> None:
    name = "tests/test_one.py::test_now_and_then"
    status, printed = run(tmp_path, known=f"{name}\n", test_one=FAILS_ONCE)
    assert f"FLAKY {name} 7\n" in printed
    assert status == 1


def test_security_never_fails_by_chance(tmp_path: Path) -> None:
    status, printed = run(tmp_path, security__test_one=FAILS_ONCE)
    assert "FLAKY tests/security/test_one.py::test_now_and_then 7\n" in printed
    assert status == 1


@pytest.mark.parametrize(("lint", "tests"), [("true", {"test_one": FAILS}), ("false", {"test_one": FAILS_ONCE})])
def test_what_fails_twice_does_not_land(tmp_path: Path, lint: str, tests: dict[str, str]) -> None:
    assert run(tmp_path, lint=lint, **tests)[0] == 1


def test_a_run_without_a_failed_test_does_not_pass_for_one_that_passed(tmp_path: Path) -> None:
    assert run(tmp_path, test_one=PASSES)[0] == 1
    assert json.loads((tmp_path / ".pytest_cache" / "v" / "cache" / "nodeids").read_text(encoding="utf-8"))
