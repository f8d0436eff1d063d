"""Solving, against OpenSpiel's minimax, a plain dictionary search, and a bare Python."""

from __future__ import annotations

from functools import partial

from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from benchmarks.measure import PYTHON, at_least, at_most, best, peak_of, process
from tests import naive
from tests.peers import openspiel
from zerosum.rules.files import load_game
from zerosum.solver import solve

_AGAINST_OPENSPIEL = {"sum31": 300, "zero-sum-duel": 300, "sequence-zero": 300, "sum-to-zero": 3_000}
_AGAINST_NAIVE = {"sum31": 10, "zero-sum-duel": 40, "sequence-zero": 25, "sum-to-zero": 300}
_LONG = 1.0
_ALL_FIVE = """
from zerosum.rules.files import GAME_IDS, load_game
from zerosum.solver import solve
for game in GAME_IDS:
    solution = solve(load_game(game))
    solution.value(solution.start)
"""


def main() -> None:
    """Print the ratios."""
    _peers()
    nothing = process((PYTHON, "-c", "pass"))
    at_most("all five games, one cold process", process((PYTHON, "-c", _ALL_FIVE)) / nothing, 12, "python -c pass")
    peak = peak_of(_ALL_FIVE) / 1024
    at_most(f"peak memory of the same ({peak:.0f} MiB)", peak / 60, 1, "60 MiB")


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
