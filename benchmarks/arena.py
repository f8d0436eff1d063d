"""The arena: pairs of built-in levels against the same matches by OpenSpiel's bots, and memory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.policy import PolicyBot

from benchmarks.measure import at_least, at_most, best, peak_of
from tests.solver.peers.openspiel import SHAPES, name_of
from tests.solver.peers.policies import Translated
from zerosum.arena.arena_report import report_of
from zerosum.arena.arena_run import create_run, play_run
from zerosum.arena.plan import plan_from_table
from zerosum.arena.strength.named_policies import policy_of
from zerosum.lab.executors import Local
from zerosum.rules.game_files import load_game

_LEVELS: Final = ("level:6", "level:5")
_PAIRS: Final = 10_000
_THEIR_PAIRS: Final = 500
_TIMES: Final = 5
_MIB: Final = 10

_PROGRAM: Final = """
import tempfile
from benchmarks.arena import run_pairs
with tempfile.TemporaryDirectory() as folder:
    run_pairs(folder, {pairs}, reported=True)
"""


def run_pairs(folder: str, pairs: int, *, reported: bool = False) -> None:
    """Play a run of Sum31 from its start, logged and synced; then work out its report, if wanted."""
    table = {"format": 1, "games": ["sum31"], "entrants": list(_LEVELS), "pairs": pairs, "book": "start"}
    run = create_run(plan_from_table(table), str(Path(folder, "run")))
    play_run(run, Local())
    if reported:
        report_of(run)


def _ours() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_pairs(folder, _PAIRS)


def _theirs() -> float:
    """Return what a pair takes by OpenSpiel's own bots and its own loop over a match."""
    rules = load_game("sum31")
    game: Any = pyspiel.load_game(name_of("sum31"))
    dice = np.random.RandomState(1)
    policies = [Translated(game, policy_of(who, rules).guest, rules, SHAPES["sum31"]) for who in _LEVELS]
    bots = [[PolicyBot(seat, dice, policy) for policy in policies] for seat in (0, 1)]

    def work() -> None:
        for _ in range(_THEIR_PAIRS):
            evaluate_bots(game.new_initial_state(), [bots[0][0], bots[1][1]], dice)
            evaluate_bots(game.new_initial_state(), [bots[0][1], bots[1][0]], dice)

    return best(work, 3) / _THEIR_PAIRS


def main() -> None:
    """Print both figures."""
    ours, theirs = best(_ours, 3) / _PAIRS, _theirs()
    what = f"Sum31, {_PAIRS:,} logged pairs of levels ({1e6 * ours:.0f} against {1e6 * theirs:.0f} us a pair)"
    at_least(what, theirs / ours, _TIMES, "faster than OpenSpiel's bots")
    few, many = (peak_of(_PROGRAM.format(pairs=pairs)) for pairs in (_PAIRS // 10, _PAIRS))
    at_most(f"Sum31, memory of {_PAIRS:,} pairs beyond that of a tenth", (many - few) / 1024, _MIB, "1 MiB")


if __name__ == "__main__":
    main()
