"""The tour of the commands, run line by line, in its order, as somebody would who follows it."""

from __future__ import annotations

import os
import re
import shlex
import time
from pathlib import Path

from tests.cli.command import Zerosum
from tests.patience import PATIENCE
from tests.server.running import COMMAND, served

ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "docs" / "tour.md"
COMMAND_LINE = re.compile(r"^    (zerosum.*)$", re.MULTILINE)
# What is typed, by the command: enough to leave a match, the menu, puzzles and lessons.
TYPED = {"": "q\n", "play": "5\n6\nresign\n" * 9, "puzzle": "skip\n" * 5 + "quit\n", "learn": "quit\n"}


def _lines() -> list[list[str]]:
    return command_lines(TOUR.read_text(encoding="utf-8"))


def command_lines(text: str) -> list[list[str]]:
    """Return the words of each command of a page; two spaces or more separate a command from its description."""
    return [shlex.split(re.split("  +", line)[0])[1:] for line in COMMAND_LINE.findall(text)]


def test_every_line_of_the_tour_runs_after_the_one_before_it(zerosum: Zerosum, tmp_path: Path) -> None:
    folder = tmp_path / "tour"
    folder.mkdir()
    (folder / "docs").symlink_to(ROOT / "docs")
    lines = [args for args in _lines() if args[:1] != ["serve"]]
    assert len(lines) > 30
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


def test_every_command_of_the_readme_is_in_the_tour() -> None:
    readme = command_lines((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(readme) > 10
    assert [args for args in readme if args not in _lines()] == []
