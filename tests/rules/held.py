"""Reading in a process that may take 200 MiB, its work compared with reading a plain file of the largest size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE

MEMORY = 200 * 1024 * 1024
TIMES = 15
"""A hostile file may cost this many times what reading a list of numbers as long as the longest file costs."""
READ = """
from zerosum.rules.game_files import load_file
from zerosum.base.files import read_text
from zerosum.base import limits
from zerosum.match.match import read_match
def read(path):
    if path.endswith(".toml"):
        return load_file(path)
    return read_match(read_text(path, limits.RECORD_BYTES))
"""
"""Reads a rules file or a record."""
_HELD = f"""
import resource, sys, time, tomllib
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from zerosum.base.errors import ZerosumError
{{read}}
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


def held(path: Path, read: str = READ) -> subprocess.CompletedProcess[str]:
    """Read a file; print how many times a plain file's work that took, and the error."""
    run = [sys.executable, "-c", _HELD.replace("{read}", read), str(path)]
    return subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False)


def refused(path: Path, message: str, read: str = READ, times: int = TIMES) -> None:
    """Check that a file is refused with one line, in little time and memory."""
    done = held(path, read)
    assert done.returncode == 0, done.stderr
    taken, _, text = done.stdout.partition("\n")
    assert message in text
    assert len(text.splitlines()) == 1
    assert len(text) < 1_000
    assert float(taken) < times
