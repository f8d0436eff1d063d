"""What it costs to start: whole processes, against `python -c pass`."""

from __future__ import annotations

import os
import tempfile

from benchmarks.measure import PYTHON, at_most, process
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Setup
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.moves import Move

ZEROSUM = (PYTHON, "-m", "zerosum")
_STORED, _UNFINISHED = 10_000, 20
_QUESTION = 0.3
"""Seconds until a course asks its first question."""


def main() -> None:
    """Print the ratios."""
    nothing = process((PYTHON, "-c", "pass"))
    than = "python -c pass"
    at_most("zerosum --version", process((*ZEROSUM, "--version")) / nothing, 4, than)
    at_most("zerosum games --json", process((*ZEROSUM, "games", "--json")) / nothing, 5, than)
    at_most("zerosum analyze sum31 --json", process((*ZEROSUM, "analyze", "sum31", "--json")) / nothing, 6, than)
    _lessons()
    _listing()


def _lessons() -> None:
    """Ask the first question of every course: no game is solved for it."""
    with tempfile.TemporaryDirectory() as home:
        for game in GAME_IDS:
            learn = ("sh", "-c", f"echo quit | {PYTHON} -m zerosum learn {game}")
            seconds = process(learn, os.environ | {"ZEROSUM_HOME": home}, times=7)
            at_most(f"zerosum learn {game} ({seconds:.3f} s)", seconds / _QUESTION, 1, f"{_QUESTION} s")


def _listing() -> None:
    """Ten thousand stored matches, a few of them unfinished."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        store = SavedMatches(full)
        setup = Setup(rules=load_game("sum31"), date="2026-01-01 00:00:00")
        for n in range(_STORED):
            match_id = store.create(setup)
            if n >= _UNFINISHED:
                with store.opened(match_id) as journal:
                    match = journal.reading.match
                    for move in map(Move, (5, 6, 9, 8, 3)):
                        journal.write(move)
                        match = match.after(move)
                    store.settle(match_id, match)
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


if __name__ == "__main__":
    main()
