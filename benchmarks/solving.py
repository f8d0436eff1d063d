"""Solving, against OpenSpiel, a dictionary search and a bare Python; large pools, by time and memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from benchmarks.measure import PYTHON, at_least, at_most, best, peak_of, process
from tests import naive
from tests.solver.peers import openspiel
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Rules
from zerosum.solver import solve

_AGAINST_OPENSPIEL = {"sum31": 300, "zero-sum-duel": 300, "sequence-zero": 300, "sum-to-zero": 3_000}
_AGAINST_NAIVE = {"sum31": 10, "zero-sum-duel": 40, "sequence-zero": 25, "sum-to-zero": 300}
_LONG = 1.0
_ALL_FIVE = """
from zerosum.rules.game_files import RULEBOOK_IDS, load_game
from zerosum.solver import solve
for game in RULEBOOK_IDS:
    solution = solve(load_game(game))
    solution.value(solution.start)
"""


_POOLS = (28, 64)
_MILLISECONDS, _MEBIBYTES = 20, 60
_ON_POOL = """
from dataclasses import replace
from zerosum.rules.game_files import load_game
from zerosum.solver import solve
solution = solve(replace(load_game("sum31"), pool=tuple(range(1, {most} + 1))))
solution.value(solution.start)
"""


def sum31_on(most: int) -> Rules:
    """Return Sum31 on the pool 1 to `most`: the target stays at 31, so play reaches few of the sets of numbers."""
    return replace(load_game("sum31"), pool=tuple(range(1, most + 1)))


def main() -> None:
    """Print the ratios."""
    _peers()
    nothing = process((PYTHON, "-c", "pass"))
    at_most("all five games, one cold process", process((PYTHON, "-c", _ALL_FIVE)) / nothing, 12, "python -c pass")
    peak = peak_of(_ALL_FIVE) / 1024
    at_most(f"peak memory of the same ({peak:.0f} MiB)", peak / 60, 1, "60 MiB")
    _reachable_first()


def _reachable_first() -> None:
    for most in _POOLS:
        what = f"Sum31 on 1..{most}"
        cost = best(partial(solve, sum31_on(most)), 20) * 1000
        at_most(f"{what} ({cost:.1f} ms)", cost / _MILLISECONDS, 1, f"{_MILLISECONDS} ms")
        peak = peak_of(_ON_POOL.format(most=most)) / 1024
        at_most(f"{what}, peak memory of the process ({peak:.0f} MiB)", peak / _MEBIBYTES, 1, f"{_MEBIBYTES} MiB")


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


if __name__ == "__main__":
    main()
