"""Rules files and records that mean harm: refused in 200 MiB, for no more work than a plain file of their size.

The work is processor time, compared with other work of the same process; `make bench` holds each to a second.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.rules.hostile import HOSTILE, HOSTILE_RECORDS

MEMORY = 200 * 1024 * 1024
TIMES = 15
"""A hostile file may cost this many times what reading a list of numbers as long as the longest file costs."""
HELD = f"""
import resource, sys, time, tomllib
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from zerosum.rules.errors import ZerosumError
from zerosum.rules.files import load_file
from zerosum.rules.reading import read_text
from zerosum.rules import limits
from zerosum.match.match import read_match
def read(path):
    if path.endswith(".toml"):
        return load_file(path)
    return read_match(read_text(path, limits.RECORD_BYTES))
def plain():
    begun = time.process_time()
    tomllib.loads("pool = [" + "1," * 32_000 + "]")
    return time.process_time() - begun
usual = min(plain(), plain())
begun = time.process_time()
try:
    read(sys.argv[1])
except ZerosumError as error:
    print((time.process_time() - begun) / usual)
    print(error)
else:
    print("read")
"""


def _read(path: Path, program: str = HELD) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-c", program, str(path)]
    return subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False)


def _refused(path: Path, message: str) -> None:
    done = _read(path)
    assert done.returncode == 0, done.stderr
    times, _, text = done.stdout.partition("\n")
    assert message in text
    assert len(text.splitlines()) == 1
    assert len(text) < 1_000
    assert float(times) < TIMES


@pytest.mark.parametrize("kind", HOSTILE)
def test_rules_files(tmp_path: Path, kind: str) -> None:
    make, message = HOSTILE[kind]
    path = tmp_path / "hostile.toml"
    make(path)
    _refused(path, message)


@pytest.mark.parametrize("kind", HOSTILE_RECORDS)
def test_records(tmp_path: Path, kind: str) -> None:
    text, message = HOSTILE_RECORDS[kind]
    path = tmp_path / "hostile.record"
    path.write_text(text)
    _refused(path, message)


def test_the_limits_hold(tmp_path: Path) -> None:
    """The measuring process itself fails on a file that takes more than it may have."""
    greedy = HELD.replace("return load_file(path)", "return bytearray(10**9)")
    assert "MemoryError" in _read(tmp_path / "any.toml", greedy).stderr


def test_work_that_grows_with_the_square_of_a_file_is_noticed(tmp_path: Path) -> None:
    """Here every tenth letter has all letters before it looked at."""
    path = tmp_path / "hostile.toml"
    path.write_text("x" * 65_000)
    squared = "text = open(path).read(); [max(text[:n]) for n in range(1, 65_000, 10)]; return load_file(path)"
    slow = HELD.replace("return load_file(path)", squared)
    assert float(_read(path, slow).stdout.partition("\n")[0]) > TIMES
