"""The last resort: whatever goes wrong in us is one line and exit 70, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.command import TIMEOUT

PLANTED = """
import sys
from zerosum.cli.commands import games_commands as games
from zerosum.base.errors import ZerosumError

def planted(**_):
    {fault}

games.games_command.callback = planted
from zerosum.cli import main
sys.argv = ["zerosum", "games"]
main()
"""
FAULTS = {
    "raise KeyError('x')": "KeyError: 'x'",
    "raise RecursionError": "RecursionError",
    "raise MemoryError": "MemoryError",
    "planted()": "RecursionError: maximum recursion depth exceeded",
    "raise RuntimeError('a\\x1b[31m\\n' + 'b' * 10_000)": r"RuntimeError: a\x1b[31m\nbbb",
    "assert False": "AssertionError",
}


def run(fault: str, **env: str) -> subprocess.CompletedProcess[str]:
    code = PLANTED.format(fault=fault)
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env=os.environ | env, check=False)


@pytest.mark.parametrize("fault", FAULTS)
def test_one_line_and_exit_70(fault: str) -> None:
    done = run(fault)
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr.startswith("zerosum: This is a bug in zerosum (" + FAULTS[fault])
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 500
    assert "ZEROSUM_DEBUG=1" in done.stderr


def test_debug_shows_where() -> None:
    done = run("raise KeyError('x')", ZEROSUM_DEBUG="1")
    assert done.returncode == 70
    assert "Traceback" in done.stderr
    assert "in planted" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("zerosum: This is a bug in zerosum (")


def test_our_own_errors_are_not_faults() -> None:
    done = run("raise ZerosumError('no such thing')")
    assert (done.returncode, done.stderr) == (1, "zerosum: no such thing\n")
