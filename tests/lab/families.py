"""The six families a second time, as plain tables of keys, and their rows by a plain recursion."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests import naive
from tests.solver.agreement import Forgetful

Table = dict[str, Any]


def _numbers(low: int, high: int) -> list[int]:
    return [number for number in range(low, high + 1) if number]


BASES: dict[str, tuple[Table, Callable[[int], list[int]], Callable[[int], range]]] = {
    "sum": ({"overshoot": "loses"}, lambda n: _numbers(1, n), lambda n: range(1, n * (n + 1) // 2 + 1)),
    "sum-misere": (
        {"overshoot": "loses", "reaching": "loses"},
        lambda n: _numbers(1, n),
        lambda n: range(1, n * (n + 1) // 2 + 1),
    ),
    "duel": (
        {"operations": ["add", "subtract"]},
        lambda n: _numbers(1, n),
        lambda n: range(n * (n + 1) // 2 + 1),
    ),
    "sum-to-zero": ({}, lambda n: _numbers(-n, n), lambda n: range(n * (n + 1) // 2 + 1)),
    "sequence": (
        {"operations": ["add", "subtract"], "totals": "own", "exhausted": "closest", "tie": "second-mover"},
        lambda n: _numbers(1, n),
        lambda n: range(2 * n + 1),
    ),
}
"""What each family sets besides pool and target, its pool and its targets; sudden death needs another search."""


def tables(family: str, most: int) -> dict[tuple[int, int], Table]:
    """Return the games of a family up to a value of n."""
    keys, pool, targets = BASES[family]
    return {(n, t): {**keys, "pool": pool(n), "target": t} for n in range(1, most + 1) for t in targets(n)}


def plain_row(table: Table) -> dict[str, int]:
    """Return who wins, in how many plies, and how many of the openings win, by looking at every match."""
    game = Forgetful(table)

    @cache
    def value(state: naive.State) -> tuple[int, int]:
        """Return the seat that wins, and the plies: the winner hurries, the loser delays."""
        if state.winner:
            return state.winner, 0
        ends = [value(game.play(state, move)) for move in game.moves(state)]
        won = [plies for winner, plies in ends if winner == state.seat]
        return (state.seat, 1 + min(won)) if won else (3 - state.seat, 1 + max(plies for _, plies in ends))

    start = game.start()
    winner, plies = value(start)
    openings = [value(game.play(start, move)) for move in game.moves(start)]
    return {
        "winner": winner,
        "plies": plies,
        "winning": sum(one == 1 for one, _ in openings),
        "openings": len(openings),
    }
