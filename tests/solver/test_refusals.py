"""A game that is too large: every command refuses in one readable line that names no option it does not have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import Zerosum, variant
from zerosum.cli.root_command import COMMANDS
from zerosum.solver.value import TooLargeError

LARGE = {"pool": list(range(1, 41)), "target": 500}
GAME = "{game}"
# By command: the arguments that need a solution of the game, and what is typed.
REFUSED: dict[str, tuple[list[str], str]] = {
    "solve": ([GAME], ""),
    "analyze": ([GAME, "--json"], ""),
    "prove": ([GAME, "--output", "{folder}/new.proof"], ""),
    "puzzle": ([GAME], ""),
    "review": (["{folder}/match.txt"], ""),
    "levels": ([GAME], ""),
    "measure": (["policy", "level:5", "--game", GAME], ""),
    "card": ([GAME], ""),
    "learn": ([GAME], ""),
    "exam": (["make", "--games", GAME, "--seed", "1", "--out", "{folder}/items.jsonl"], ""),
    "play": ([GAME, "--vs", "perfect"], ""),
    "resume": (["{match}"], "hint\nquit\n"),
}
NEED_NO_SOLUTION = {"replay", "verify", "games", "rules", "check", "perft", "completion", "help", "lab", "room"}
ELSEWHERE = {
    "audit": "says what can be said without a solution",
    "metrics": "allows less memory: tests/lab",
    "search": "skips such a game: tests/lab",
    "repair": "likewise",
    "atlas": "likewise",
    "bot": "a bot chooses its games itself",
    "arena": "tests/arena",
    "stats": "leaves the accuracy out",
    "signature": "solves the built-in games alone",
    "serve": "tests/server/worker asks the worker",
    "mcp": "likewise; tests/assistant",
}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
LONG_NUMBER = re.compile(r"[0-9][0-9,]{9,}|e\+[0-9]")


@pytest.fixture
def folder(zerosum: Zerosum, tmp_path: Path) -> Path:
    """Return a folder with a large game, the record of a match of it, and in the state an unfinished one."""
    game = variant(tmp_path, **LARGE)
    zerosum("play", game, "--record", str(tmp_path / "match.txt"), stdin="1\n2\nresign\n").ok()
    zerosum("play", game, stdin="1\n2\nquit\n").ok()
    return tmp_path


def refused(zerosum: Zerosum, folder: Path, command: str) -> str:
    """Return what a command says about a game that is too large."""
    arguments, typed = REFUSED[command]
    match = zerosum.unfinished()[0]["id"]
    filled = [one.format(game=variant(folder, **LARGE), folder=folder, match=match) for one in arguments]
    ran = zerosum(command, *filled, stdin=typed)
    told = [line for line in (ran.err + ran.out).splitlines() if "positions" in line]
    assert len(told) == 1, ran
    return told[0]


def test_every_command_is_thought_of() -> None:
    assert {*REFUSED, *NEED_NO_SOLUTION, *ELSEWHERE} == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("command", REFUSED)
def test_a_refusal_names_only_options_that_the_command_has(zerosum: Zerosum, folder: Path, command: str) -> None:
    told = refused(zerosum, folder, command)
    options = set(OPTION.findall(zerosum(command, "--help").ok().out))
    assert set(OPTION.findall(told)) <= options, told
    # And an option that would help is named.
    assert ("--memory" in options) == ("allow more with --memory" in told), told
    # Sizes are such as a person can read.
    assert "can have about 1.1 trillion positions." in told
    assert re.search(r"needs about [0-9.]+ [MGT]iB of memory; 1 GiB are allowed\. Use a smaller pool or", told), told
    assert not LONG_NUMBER.search(told)


def test_who_wins_is_told_before_the_match_or_not_at_all(zerosum: Zerosum, tmp_path: Path) -> None:
    ran = zerosum("play", variant(tmp_path, **LARGE), "--who-wins", stdin="quit\n")
    assert "Who wins is not known." in ran.err
    assert "--memory" not in ran.err


def test_advice_is_joined_as_a_sentence() -> None:
    error = TooLargeError("It is large.")
    assert str(error) == "It is large. Use a smaller pool or smaller numbers."
    error = error.advising("install zerosum[fast]")
    assert str(error) == "It is large. Use a smaller pool or smaller numbers, or install zerosum[fast]."
    error = error.advising("allow more with --memory")
    assert str(error).endswith("smaller numbers, install zerosum[fast], or allow more with --memory.")
    assert error.what == "It is large."
