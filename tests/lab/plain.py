"""Strategies played out against every answer, and openings by a plain recursion; nothing of the package is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests import naive
from tests.solver.agreement import Forgetful

Table = dict[str, Any]
Strategy = Callable[[Forgetful, naive.State, str | None], str]
"""The move in a state, given the move before it."""


def always_wins(table: Table, seat: int, strategy: Strategy) -> bool:
    """Whether a seat that follows a strategy wins against every answer."""
    game = Forgetful(table)

    @cache
    def wins(state: naive.State, before: str | None) -> bool:
        if state.winner:
            return state.winner == seat
        moves = [strategy(game, state, before)] if state.seat == seat else game.moves(state)
        return all(wins(game.play(state, move), move) for move in moves)

    return wins(game.start(), None)


def openings(table: Table) -> dict[str, int]:
    """Return the seat that wins after each opening."""
    game = Forgetful(table)

    @cache
    def winner(state: naive.State) -> int:
        if state.winner:
            return state.winner
        after = {winner(game.play(state, move)) for move in game.moves(state)}
        return state.seat if state.seat in after else 3 - state.seat

    start = game.start()
    return {move: winner(game.play(start, move)) for move in game.moves(start)}


def first_wins(table: Table) -> bool:
    """Whether the first player wins."""
    return 1 in openings(table).values()
