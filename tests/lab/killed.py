"""A command of the lab that is killed at random moments, and the same command again: the same answer."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tests.reliability.report import Harness, Report, Say, quietly

ATLAS = ("atlas", "sum", "--n", "1..12", "--jobs", "2")
TRIES = 10
COMMAND = os.path.join(os.path.dirname(sys.executable), "zerosum")


def _start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    env = {**os.environ, "ZEROSUM_HOME": str(folder / "home")}
    run = [COMMAND, *command, "--output", str(folder / "out"), "--json"]
    return subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)


def whole(command: Sequence[str], folder: Path) -> dict[str, Any]:
    """Run a command to its end, and return the document and the files, without `seconds`."""
    out, err = (process := _start(command, folder)).communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return {"answer": _timeless(out), **written(folder)}


def written(folder: Path) -> dict[str, Any]:
    """Return the files of an answer."""
    files = sorted((folder / "out").iterdir())
    return {one.name: _timeless(one.read_bytes()) if one.suffix == ".json" else one.read_bytes() for one in files}


def _timeless(document: bytes) -> Any:
    answer = json.loads(document)
    del answer["seconds"]
    return answer


def killed(command: Sequence[str], kills: int, seed: int, say: Say = quietly) -> Report:
    """Kill a command at random moments, each in a fresh home, and compare what the same command then answers."""
    dice = random.Random(seed)
    report = Report("same", f"{command[0]} killed")
    cut_short = 0
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        expected = whole(command, Path(name, "whole"))
        took = time.monotonic() - began
        for n in range(TRIES * kills):
            if n >= kills and cut_short:
                break  # A run that is quicker than the first may end before its kill; then there is another.
            say(f"{n} of {kills}")
            folder = Path(name, str(n))
            process = _start(command, folder)
            time.sleep(dice.uniform(0.02, 1.0 if n < kills else 0.3) * took)
            process.kill()
            out, _ = process.communicate(timeout=PATIENCE)
            if out:
                continue  # It had answered before it was killed.
            cut_short += 1
            report.check(whole(command, folder) == expected, f"kill {n}: another answer than without a kill")
            again = whole(command, folder)
            report.check(again["answer"]["solved"] == 0, f"kill {n}: solved {again['answer']['solved']} games twice")
    report.figures = {"kills": kills, "cut short": cut_short, "seconds a run": round(took, 1)}
    report.check(cut_short, "no run was cut short")
    return report


def full(say: Say) -> Iterator[Report]:
    """Kill the atlas 20 times."""
    yield killed(ATLAS, 20, 12, say)


HARNESSES: dict[str, Harness] = {"atlas": full}
