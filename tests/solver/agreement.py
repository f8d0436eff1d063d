"""Comparing solutions with searches that use nothing of the package."""

from __future__ import annotations

from collections import deque
from typing import Any

from tests import naive

from zerosum.rules.schema import rules_of
from zerosum.solver import Solution, solve

Table = dict[str, Any]


def disagreements(table: Table, solution: Solution | None = None) -> tuple[int, list[str]]:
    """Return how many positions of a variant that ends were compared, and what differs in any of them."""
    solution = solution or solve(rules_of(table))
    game = naive.Variant(table)
    value = naive.solver(game)
    found: list[str] = []
    seen = {game.start()}
    pairs = deque([(game.start(), solution.start)])
    while pairs:
        state, position = pairs.popleft()
        ours = solution.value(position)
        if (ours.verdict.value, ours.plies) != value(state):
            found.append(f"{position}: {ours} but {value(state)}")
        for move in game.moves(state):
            after = game.play(state, move)
            if after.winner is None and after not in seen:
                seen.add(after)
                pairs.append((after, position.play(move)))
    return len(seen), found


def bracketed(table: Table, far: int, *, outside_wins: bool) -> dict[naive.State, tuple[str, int] | None]:
    """Return the values of all states of a variant, one by one; those `far` from the target are taken as given.

    They are wins for whoever is to move, or losses; a value that is the same either way depends on neither.
    """
    game = naive.Variant(table)
    after: dict[naive.State, list[naive.State]] = {}
    todo = [_bare(game.start())]
    while todo:
        state = todo.pop()
        if state in after:
            continue
        outside = state.pool == game.pool and any(abs(total - game.target) > far for total in state.totals)
        after[state] = [] if outside else [_bare(game.play(state, move)) for move in game.moves(state)]
        todo += [one for one in after[state] if one.winner is None]
    values: dict[naive.State, tuple[str, int] | None] = dict.fromkeys(after)
    outside_value = ("win" if outside_wins else "loss", 0)
    values |= {state: outside_value for state, following in after.items() if not following}
    plies = 0
    changed = True
    while changed or plies < 2:
        plies += 1
        new = {}
        for state, following in after.items():
            if values[state] is None:
                found = _decided(state, following, values, plies)
                if found is not None:
                    new[state] = found
        values |= new
        changed = bool(new)
    return values


def _bare(state: naive.State) -> naive.State:
    """Forget how many plies were made, so that rounds can meet; for games without a swap."""
    return state._replace(plies=9)


def _decided(
    state: naive.State,
    following: list[naive.State],
    values: dict[naive.State, tuple[str, int] | None],
    plies: int,
) -> tuple[str, int] | None:
    ours: list[tuple[str, int] | None] = []
    for one in following:
        if one.winner is not None:
            ours.append(("loss" if one.winner == state.seat else "win", 0))
        else:
            ours.append(values[one])
    if any(value is not None and value[0] == "loss" for value in ours):
        return ("win", plies)
    if all(value is not None and value[0] == "win" for value in ours):
        return ("loss", plies)
    return None
