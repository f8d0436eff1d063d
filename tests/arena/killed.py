"""A run of the arena that is killed at random moments and resumed: the same report, and no pair twice."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.arena.entrants.processes import gone
from tests.arena.runs import bot
from tests.patience import PATIENCE
from tests.reliability.lines import kill_at
from tests.reliability.report import Harness, Report, Say, quietly
from zerosum.base.runs import RunLog

COMMAND = os.path.join(os.path.dirname(sys.executable), "zerosum")
PAIRS = 40


def _command(folder: Path, *more: str) -> list[str]:
    entrants = (bot(folder.parent), "level:5")
    return [COMMAND, "arena", "match", *entrants, "--game", "sum31", "--pairs", str(PAIRS), "--json",
            "--output", str(folder), "--resume", *more]  # fmt: skip


def whole(folder: Path, *more: str) -> bytes:
    """Play a run to its end; return what the command answers."""
    done = subprocess.run(_command(folder, *more), capture_output=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def records(folder: Path) -> dict[str, bytes]:
    """Return all records of a run."""
    return {path.name: path.read_bytes() for path in sorted((folder / "records").iterdir())}


def kill_after(folder: Path, lines: int) -> int:
    """Start a run, or go on with it, and kill it when its log has so many lines; return how many it has then."""
    log = folder / "pairs.log"
    kill_at(lines, log, _command(folder))
    return len(RunLog(str(log)).at)


def killed(kills: int, seed: int, say: Say = quietly) -> Report:
    """Kill a run so many times, going on each time, and compare its report with that of a run never killed."""
    dice = random.Random(seed)
    report = Report("same", "arena killed")
    with tempfile.TemporaryDirectory() as name:
        expected = whole(Path(name, "whole"))
        folder = Path(name, "killed")
        cut_short = 0
        for kill in range(kills):
            say(f"{kill} of {kills}")
            there = kill_after(folder, 1 + kill * (PAIRS - 4) // kills + dice.randrange(3))
            cut_short += there < PAIRS
        report.check(whole(folder) == expected, "another report than without a kill")
        # Log() refuses a pair that stands there twice.
        report.check(sorted(RunLog(str(folder / "pairs.log")).at) == [*range(1, PAIRS + 1)], "pairs are missing")
        report.check(records(folder) == records(Path(name, "whole")), "other records than without a kill")
        report.check(gone(str(Path(name))), "a bot is left behind")
        report.check(cut_short, "no run was cut short")
    report.figures = {"kills": kills, "cut short": cut_short}
    return report


def full(say: Say) -> Iterator[Report]:
    """Kill a run ten times."""
    yield killed(10, 13, say)


HARNESSES: dict[str, Harness] = {"arena": full}
