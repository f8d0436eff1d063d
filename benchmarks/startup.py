"""What it costs to start: whole processes, against `python -c pass`."""

from __future__ import annotations

import os
import pty
import signal
import tempfile
import time

from benchmarks.measure import PYTHON, at_most, process
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Setup
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.moves import Move

ZEROSUM = (PYTHON, "-m", "zerosum")
_STORED, _UNFINISHED = 10_000, 20
_QUESTION = 0.3
"""Seconds until a course asks its first question."""
_PLAYED = 100
"""Matches in the record of a user who returns: as many as the home looks at."""
_PROMPT_RATIO = 8
_TIMES = 15


def main() -> None:
    """Print the ratios."""
    nothing = process((PYTHON, "-c", "pass"))
    than = "python -c pass"
    at_most("zerosum --version", process((*ZEROSUM, "--version")) / nothing, 4, than)
    at_most("zerosum games --json", process((*ZEROSUM, "games", "--json")) / nothing, 5, than)
    at_most("zerosum analyze sum31 --json", process((*ZEROSUM, "analyze", "sum31", "--json")) / nothing, 6, than)
    _first_prompts()
    _lessons()
    _listing()


def _first_prompts() -> None:
    """Start `zerosum` at a pseudo-terminal until it asks: for a newcomer, and for somebody with a record.

    Each round starts all of them, one after the other, so that a busy machine slows all alike.
    """
    with tempfile.TemporaryDirectory() as new, tempfile.TemporaryDirectory() as known:
        _played_before(SavedMatches(known), _PLAYED, unfinished=1)
        alone = (PYTHON, "-m", "zerosum")
        cases = {
            "nothing": ((PYTHON, "-c", "pass"), new, ""),
            "zerosum to its first prompt, first time": (alone, new, "q to quit: "),
            f"zerosum to its first prompt, {_PLAYED} matches and an unfinished one": (alone, known, "What next? [1] "),
        }
        shortest = dict.fromkeys(cases, float("inf"))
        for _ in range(_TIMES):
            for name, case in cases.items():
                shortest[name] = min(shortest[name], _until_asked(*case))
    nothing = shortest.pop("nothing")
    for name, seconds in shortest.items():
        at_most(f"{name} ({seconds:.3f} s)", seconds / nothing, _PROMPT_RATIO, "python -c pass")


def _until_asked(arguments: tuple[str, ...], home: str, prompt: str) -> float:
    """Return the seconds from the start of a command at a pseudo-terminal to its prompt; to its end if that is ""."""
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    settings |= {"ZEROSUM_HOME": home, "TERM": "xterm"}
    began = time.perf_counter()
    child, terminal = pty.fork()
    if not child:
        os.execve(arguments[0], arguments, settings)  # noqa: S606 - a shell would be measured too
    shown = b""
    try:
        while not prompt or prompt.encode() not in shown:
            try:
                shown += os.read(terminal, 1 << 16)
            except OSError:  # Linux says so when the command has ended
                if prompt:
                    raise
                break
        return time.perf_counter() - began
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _lessons() -> None:
    """Ask the first question of every course: no game is solved for it."""
    with tempfile.TemporaryDirectory() as home:
        for game in GAME_IDS:
            learn = ("sh", "-c", f"echo quit | {PYTHON} -m zerosum learn {game}")
            seconds = process(learn, os.environ | {"ZEROSUM_HOME": home}, times=7)
            at_most(f"zerosum learn {game} ({seconds:.3f} s)", seconds / _QUESTION, 1, f"{_QUESTION} s")


def _listing() -> None:
    """List the unfinished ones of ten thousand stored matches."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        _played_before(SavedMatches(full), _STORED - _UNFINISHED, _UNFINISHED)
        costs = [
            process((*ZEROSUM, "resume", "--list"), os.environ | {"ZEROSUM_HOME": home}, times=7)
            for home in (empty, full)
        ]
    at_most(
        f"zerosum resume --list, {_STORED:,} stored ({costs[1]:.3f} s)",
        costs[1] / max(costs[0] * 10, 0.5),
        1,
        "the larger of 10 times an empty store and 0.5 s",
    )


def _played_before(store: SavedMatches, finished: int, unfinished: int) -> None:
    """Save matches against a level, the last of them unfinished."""
    setup = Setup(rules=load_game("sum31"), who=("human", "level:1"), date="2026-01-01 00:00:00")
    for n in range(finished + unfinished):
        match_id = store.create(setup)
        if n < finished:
            with store.opened(match_id) as journal:
                match = journal.reading.match
                for move in map(Move, (5, 6, 9, 8, 3)):
                    journal.write(move)
                    match = match.after(move)
                store.settle(match_id, match)


if __name__ == "__main__":
    main()
