"""Reading in a process that may take 200 MiB, its work compared with reading a plain file of the largest size."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
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
_HELD = """
import json, os, resource, sys, time, tomllib
MEMORY = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
from zerosum.base.errors import ZerosumError
# read
def plain():
    begun = time.process_time()
    tomllib.loads("pool = [" + "1," * 32_000 + "]")
    return time.process_time() - begun
usual = min(plain(), plain())
for path in sys.argv[2:]:
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            print(json.dumps([0, f"it ends with status {status}"]), flush=True)
        continue
    begun = time.process_time()
    try:
        read(path)
    except ZerosumError as error:
        print(json.dumps([(time.process_time() - begun) / usual, str(error)]), flush=True)
    else:
        print(json.dumps([0, "it is read"]), flush=True)
    sys.exit()
"""


def held(paths: Iterable[Path], read: str = READ) -> tuple[list[tuple[float, str]], str]:
    """Read each file in a process of its own; return how many times a plain file's work each took, and its error.

    The text is what went wrong beside that.
    """
    run = [sys.executable, "-c", _HELD.replace("# read", read), str(MEMORY), *map(str, paths)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def faults(messages: Mapping[Path, str], read: str = READ, times: int = TIMES) -> list[str]:
    """Return which files are not refused with one line that says so, in little time and memory."""
    answers, wrong = held(messages, read)
    assert len(answers) == len(messages), wrong
    return [
        f"{path.name}: {taken:.1f} times, {text[:1_000]!r} {wrong}"
        for (path, message), (taken, text) in zip(messages.items(), answers, strict=True)
        if message not in text or len(text.splitlines()) != 1 or len(text) >= 1_000 or taken >= times
    ]


def written(
    folder: Path, files: Mapping[str, tuple[Callable[[Path], object], str]], suffix: str = ".toml"
) -> dict[Path, str]:
    """Write files, and return what each is to be refused with."""
    paths = {folder / f"{kind}{suffix}": one for kind, one in files.items()}
    for path, (make, _) in paths.items():
        make(path)
    return {path: message for path, (_, message) in paths.items()}
