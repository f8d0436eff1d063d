"""Rules files and records that mean harm: refused in 200 MiB, for no more work than a plain file of their size.

The work is processor time, compared with other work of the same process; `make bench` holds each to a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import PATIENCE

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


def _write(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)


def _numbers(path: Path) -> None:
    with path.open("w") as file:
        file.write("pool = [" + "1," * 10**7 + "]\n")


LIKE = 'like = "sum31"\n'
TAGS = '[Game "x"]\n[Format "1"]\n[Name "x"]\n[Target "1"]\n'
HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "nested arrays": (_write("pool = " + "[" * 5000 + "]" * 5000), "nested too deeply"),
    "nested tables": (_write("a = " + "{a = " * 5000), "nested too deeply"),
    "dotted key": (_write(".".join("a" * 32_000) + " = 1"), "more than 200 dots"),
    "dotted key with a quoted part": (_write('"=".' + ".".join("a" * 32_000) + " = 1"), "more than 200 dots"),
    "many dotted keys": (_write("".join(f"k{n}{'.a' * 199} = 1\n" for n in range(160))), "unknown key"),
    "dotted table": (_write("[" + ".".join("a" * 32_000) + "]"), "more than 200 dots"),
    "giant integer": (_write("target = " + "9" * 60_000), "too large"),
    "giant hexadecimal integer": (_write(LIKE + "target = 0x" + "f" * 60_000), "target: must be a whole number"),
    "many large integers": (_write(LIKE + "pool = [" + ("9" * 4_000 + ",") * 16 + "]"), "pool: must be a whole"),
    "ten million numbers": (_numbers, "larger than 64 KiB"),
    "sparse file of 100 MB": (_sparse, "larger than 64 KiB"),
    "pool of 64 KiB": (_write(LIKE + "pool = [" + "1," * 32_000 + "]"), "pool: must be a list of 1 to 64"),
    "named pipe": (os.mkfifo, "not a regular file"),
    "directory": (Path.mkdir, "not a regular file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "binary": (lambda path: path.write_bytes(bytes(range(256)) * 100), "not UTF-8"),
    "nothing": (_write(""), "missing"),
    "NUL": (_write("\0" * 1000), "not valid TOML"),
    "one long key": (_write("a" * 60_000 + " = 1"), "unknown key"),
    "one long line": (_write("x" * 65_000), "not valid TOML"),
}
HOSTILE_RECORDS: dict[str, tuple[str, str]] = {
    "escaped quotes": ('[Game "sum31"]\n\n' + '\\"' * 32_000, "Move 1"),
    "zeros and a letter": ('[Game "sum31"]\n\n' + "0" * 65_000 + "x", "Move 1"),
    "digits": ('[Game "sum31"]\n\n' + "9" * 65_000, "too large"),
    "zeros in a tag": (TAGS + '[Pool "' + "0" * 65_000 + 'x"]\n', "pool: must be a whole number"),
    "tags": ("".join(f'[T{n} "x"]\n' for n in range(5_000)), "which game"),
    "open tag": ('[Game "' + '\\"' * 32_000, "not a tag"),
    "endings": ('[Game "sum31"]\n\n' + 'forfeit:1:"' * 5_000, "Move 1"),
    "numbers of moves": ('[Game "sum31"]\n\n' + "1." * 32_000, "Move 1"),
}


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
