"""Solving, against OpenSpiel's minimax, a plain dictionary search, and its own growth."""

from __future__ import annotations

import subprocess
from functools import partial

from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from benchmarks.measure import PYTHON, at_least, at_most, best, process
from tests import naive
from tests.peers import openspiel
from zerosum.rules.files import load_game
from zerosum.rules.model import Overshoot, Rules
from zerosum.solver import solve
from zerosum.solver.plan import Way
from zerosum.solver.value import silent
from zerosum.solver.ways import SOLVERS

_AGAINST_OPENSPIEL = {"sum31": 300, "zero-sum-duel": 300, "sequence-zero": 300, "sum-to-zero": 3_000}
_AGAINST_NAIVE = {"sum31": 10, "zero-sum-duel": 40, "sequence-zero": 25, "sum-to-zero": 300}
_SIZES = (9, 12, 16, 20, 24)
_GROWS_FROM = 16
_LONG = 1.0
_LARGEST = """
from benchmarks.solving import like_sum31
from zerosum.solver.plan import Way
from zerosum.solver.ways import SOLVERS
SOLVERS[Way.BOARD](like_sum31(24), 1 << 60, lambda progress: None)
"""
_ALL_FIVE = """
from zerosum.rules.files import GAME_IDS, load_game
from zerosum.solver import solve
from zerosum.solver.plan import Way
from zerosum.solver.value import silent
from zerosum.solver.ways import SOLVERS
for game in GAME_IDS:
    solution = solve(load_game(game))
    solution.value(solution.start)
"""
# What getrusage says begins with the memory of whoever started the process; this does not.
_PEAK = "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"


def main() -> None:
    """Print the ratios."""
    _peers()
    nothing = process((PYTHON, "-c", "pass"))
    at_most("all five games, one cold process", process((PYTHON, "-c", _ALL_FIVE)) / nothing, 12, "python -c pass")
    peak = _peak(_ALL_FIVE) / 1024
    at_most(f"peak memory of the same ({peak:.0f} MiB)", peak / 60, 1, "60 MiB")
    _growth()


def _peers() -> None:
    for game_id, limit in _AGAINST_OPENSPIEL.items():
        rules = load_game(game_id)
        slow = best(MinimaxSolver(openspiel.name_of(game_id)).solve, 1)
        cost = best(partial(solve, rules), 7 if slow > _LONG else 300)
        at_least(f"{game_id}, verdict and plies", slow / cost, limit, "faster than OpenSpiel's minimax, verdict only")
        plain = best(partial(_naively, game_id), 2)
        at_least(
            f"{game_id}, verdict and plies", plain / cost, _AGAINST_NAIVE[game_id], "faster than a dictionary search"
        )


def _naively(game_id: str) -> None:
    """Search every position, with a dictionary for those already seen."""
    game = naive.GAMES[game_id]
    value = naive.solver(game)
    seen = {game.start()}
    todo = [game.start()]
    while todo:
        state = todo.pop()
        value(state)
        for move in game.moves(state):
            after = game.play(state, move)
            if after.winner is None and after not in seen:
                seen.add(after)
                todo.append(after)


def like_sum31(n: int) -> Rules:
    """Return Sum31 on the pool 1 to n, its target as far along the sum."""
    pool = tuple(range(1, n + 1))
    return Rules(id="x", name="x", pool=pool, target=round(31 / 45 * sum(pool)), overshoot=Overshoot.LOSES)


def _growth() -> None:
    before: tuple[int, float] | None = None
    for n in _SIZES:
        cost = best(partial(SOLVERS[Way.BOARD], like_sum31(n), 1 << 60, silent), 3)
        if before is not None and before[0] >= _GROWS_FROM:
            growth = (cost / before[1]) ** (1 / (n - before[0]))
            at_most(f"Sum31 on 1..{n} ({cost:.2f} s), for each number more", growth, 2.3, "the cost")
        before = (n, cost)
    peak = _peak(_LARGEST) / 2**20
    at_most(f"peak memory of n = {_SIZES[-1]} ({peak:.2f} GiB)", peak, 1, "1 GiB")


def _peak(program: str) -> int:
    """Return the most memory that a program of its own takes, in KiB."""
    return int(subprocess.run((PYTHON, "-c", program + _PEAK), capture_output=True, check=True).stdout)


if __name__ == "__main__":
    main()
