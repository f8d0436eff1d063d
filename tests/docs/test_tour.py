"""The short tour of the README, run line by line, in its order, as somebody would who follows it."""

from __future__ import annotations

import os
import re
import shlex
import time
from pathlib import Path

from tests.patience import PATIENCE
from tests.server.running import COMMAND, served
from tests.terminal.command import Zerosum

ROOT = Path(__file__).resolve().parents[2]
TOUR = re.compile(r"^## A short tour\n\n((?:    .*\n)+)", re.MULTILINE)
# What is typed, by the command; a match is left by its players, a menu, puzzles and lessons by whoever was asked.
TYPED = {"": "q\n", "play": "5\n6\nresign\n" * 9, "puzzle": "skip\n" * 5, "learn": "quit\n"}


def _lines() -> list[list[str]]:
    found = TOUR.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    # The command ends where its description begins, behind two spaces or more.
    return [shlex.split(re.split("  +", line.strip())[0])[1:] for line in found[1].splitlines()]


def test_every_line_of_the_tour_runs_after_the_one_before_it(zerosum: Zerosum, tmp_path: Path) -> None:
    folder = tmp_path / "tour"
    folder.mkdir()
    (folder / "docs").symlink_to(ROOT / "docs")
    lines = [args for args in _lines() if args[:1] != ["serve"]]
    assert len(lines) > 15
    for args in lines:
        done = zerosum(*args, stdin=TYPED.get(args[0] if args else "", ""), cwd=folder)
        assert done.status == 0, (args, done)
        assert done.out, args
    assert sorted(os.listdir(folder)) == ["docs", "items.jsonl", "match.txt", "review.html", "sum31.proof"]


def test_the_server_of_the_tour_opens_a_browser(tmp_path: Path) -> None:
    (args,) = (args for args in _lines() if args[:1] == ["serve"])
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    with served(command=[COMMAND[0], *args], env={"BROWSER": f"{browser} %s"}) as server:
        deadline = time.monotonic() + PATIENCE
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert opened.read_text().strip().rstrip("/") == server.url
        assert server.stop() == 0
