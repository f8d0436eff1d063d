"""A run of an exam that is killed at random moments and resumed: the same report, and no item asked for twice in it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.arena.entrants.processes import gone
from tests.exam.sets import drawn
from tests.patience import PATIENCE
from tests.reliability.lines import kill_at
from tests.reliability.report import Harness, Report, Say, quietly
from zerosum.exam.exam_run import open_run

COMMAND = os.path.join(os.path.dirname(sys.executable), "zerosum")
ANSWER = Path(__file__).resolve().parents[2] / "docs" / "exams" / "answer.sh"


def _command(folder: Path, items: Path, *more: str) -> list[str]:
    answer = folder.parent / "answer.sh"  # in a folder of its own, by which processes that are left are found
    answer.write_bytes(ANSWER.read_bytes())
    return [COMMAND, "exam", *more, str(items), "--command", f"sh {answer}", "--out", str(folder), "--resume"]


def kill_after(folder: Path, items: Path, lines: int) -> int:
    """Start a run, or go on with it, and kill it when its log has so many lines; return how many it has then."""
    kill_at(lines, folder / "replies.log", _command(folder, items, "run"))
    return len(open_run(str(folder)).folder.log().at)


def killed(kills: int, seed: int, say: Say = quietly) -> Report:
    """Kill a run so many times, going on each time, and compare its report with that of a run never killed."""
    dice = random.Random(seed)
    report = Report("same", "exam killed")
    found = drawn("sum31", 10, 1, 1)
    with tempfile.TemporaryDirectory() as name:
        items = Path(name, "items.jsonl")
        items.write_bytes(found.data)
        folders = Path(name, "whole"), Path(name, "killed")
        cut_short = 0
        for kill in range(kills):
            say(f"{kill} of {kills}")
            there = kill_after(folders[1], items, 1 + kill * (len(found.items) - 4) // kills + dice.randrange(3))
            cut_short += there < len(found.items)
        told = []
        for folder in folders:
            done = subprocess.run(_command(folder, items, "run"), capture_output=True, check=False, timeout=PATIENCE)
            report.check(done.returncode == 0, "a run did not end well")
            page = Path(f"{folder}.html")
            shown = [COMMAND, "exam", "report", str(folder), "--json", "--html", str(page)]
            done = subprocess.run(shown, capture_output=True, check=True, timeout=PATIENCE)
            told.append((done.stdout, page.read_bytes()))
        report.check(told[0] == told[1], "another report than without a kill")
        report.check(gone(name), "a command is left behind")
        report.check(cut_short, "no run was cut short")
    report.figures = {"kills": kills, "cut short": cut_short}
    return report


def full(say: Say) -> Iterator[Report]:
    """Kill a run ten times."""
    yield killed(10, 14, say)


HARNESSES: dict[str, Harness] = {"exam": full}
