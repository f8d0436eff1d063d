"""What can happen in a game, found by following every line; nothing of the package is used."""

from __future__ import annotations

import random
from typing import Any

from tests import naive
from tests.solver.random_tables import table

VARIANTS = 500
_ROUNDS = 3


def small_tables(count: int) -> list[dict[str, Any]]:
    """Return random variants with few numbers, the same in every run; every fifth may go on in sudden death."""
    dice = random.Random(12)
    return [table(dice, most=5 if n % 5 else 4, sudden_death=n % 5 == 0) for n in range(count)]


def happenings(keys: dict[str, Any]) -> set[str]:
    """Return every ending that some line shows, and `refill` and `ban`; of sudden death the first rounds."""
    game = naive.Variant(keys)
    found: set[str] = set()
    seen = {game.start()}
    todo = [game.start()]
    while todo:
        state = todo.pop()
        if bans(game, state):
            found.add("ban")
        for move in game.moves(state):
            after = game.play(state, move)
            if after.winner is not None:
                found.add(str(after.reason))
                continue
            if move != "swap" and len(state.pool) == 1:
                found.add("refill")
            if after not in seen and after.plies < _ROUNDS * len(game.pool):
                seen.add(after)
                todo.append(after)
    return found


def bans(game: naive.Variant, state: naive.State) -> bool:
    """Whether the ban forbids a move."""
    free = naive.Variant.__new__(naive.Variant)
    free.__dict__ |= game.__dict__ | {"mirror_banned": False}
    return len(game.moves(state)) < len(free.moves(state))


def followed(keys: dict[str, Any], line: list[str]) -> list[naive.State] | None:
    """Return the states of a line of moves, the start first; None if one is not allowed."""
    game = naive.Variant(keys)
    states = [game.start()]
    for move in line:
        if move not in game.moves(states[-1]):
            return None
        states.append(game.play(states[-1], move))
    return states


def allows(keys: dict[str, Any], line: list[str]) -> bool:
    """Whether every move of a line is allowed."""
    return followed(keys, line) is not None


def shows(keys: dict[str, Any], line: list[str], what: str) -> bool:
    """Whether a line of moves, each allowed, brings something about with its last move."""
    states = followed(keys, line)
    if states is None:
        return False
    if what == "ban":
        return bans(naive.Variant(keys), states[-1])
    if what == "refill":
        return states[-1].winner is None and len(states[-2].pool) == 1
    return states[-1].reason == what
