"""Comparing solutions with searches that use nothing of the package."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from tests import naive
from zerosum.rules.model import rules_from_dict
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict, solve

RulesDict = dict[str, Any]
Naive = Callable[[naive.State], tuple[str, int]]
Values = dict[naive.State, tuple[str, int] | None]


class Forgetful(naive.Variant):
    """A variant whose states remember only what its rules look at, so that different ways can meet in one state."""

    def play(self, state: naive.State, move: str) -> naive.State:
        """Make a move, and forget the amount where nothing is banned, the plies beyond the place of a swap."""
        after = super().play(state, move)
        plies = min(after.plies, 2) if self.swap else 0
        return after._replace(last=after.last if self.mirror_banned else None, plies=plies)


def plain(value: Value) -> tuple[str, int | None]:
    """Return a value as the naive search writes it."""
    return value.verdict.value, value.plies


def walk(game: naive.Game, solution: Solution) -> Iterator[tuple[naive.State, Position]]:
    """Yield every unfinished state of a game that ends, with our position beside it."""
    seen = {game.start()}
    pairs = deque([(game.start(), solution.start)])
    while pairs:
        state, position = pairs.popleft()
        yield state, position
        for move in game.moves(state):
            after = game.play(state, move)
            if after.winner is None and after not in seen:
                seen.add(after)
                pairs.append((after, position.play(move)))


def disagreements(table: RulesDict, solution: Solution | None = None) -> tuple[int, list[str]]:
    """Return how many positions a variant that ends has, and what differs in any of them or of their moves."""
    solution = solution or solve(rules_from_dict(table))
    game = Forgetful(table)
    value = naive.solver(game)
    found: list[str] = []
    count = 0
    for state, position in walk(game, solution):
        count += 1
        if plain(solution.value(position)) != value(state):
            found.append(f"{position}: {solution.value(position)} but {value(state)}")
        ours = {position.text_of(one.move): plain(one.value) for one in solution.options(position)}
        theirs = {move: _after(game, state, move, value) for move in game.moves(state)}
        if ours != theirs:
            found.append(f"{position}: the moves are {ours} but {theirs}")
    return count, found


def _after(game: naive.Game, state: naive.State, move: str, value: Naive) -> tuple[str, int]:
    """Return the value of a move for whoever makes it."""
    after = game.play(state, move)
    if after.winner is not None:
        return ("win" if after.winner == state.seat else "loss"), 1
    verdict, plies = value(after)
    return ("loss" if verdict == "win" else "win"), plies + 1


def best_of(solution: Solution, position: Position) -> Value:
    """Return the best of the moves of a position, from the values of the positions after them alone."""
    wins: list[int] = []
    losses: list[int] = []
    drawn = False
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            (wins if after.outcome.winner is position.seat else losses).append(1)
            continue
        value = solution.value(after)
        if value.plies is None:
            drawn = True
        else:
            (wins if value.verdict is Verdict.LOSS else losses).append(value.plies + 1)
    if wins:
        return Value(Verdict.WIN, min(wins))
    return Value(Verdict.DRAW, None) if drawn else Value(Verdict.LOSS, max(losses))


def bracketed(game: naive.Game, target: int, far: int, *, winner: int) -> Values:
    """Return the values of all states, one by one; rounds that begin beyond `far` are won at once by one seat.

    That is the best for this seat that could be true of them, and the worst for the other. So what is the same
    whichever seat it is, is true; and what is undecided for both is a draw.
    """
    full = game.start().pool
    after: dict[naive.State, list[naive.State]] = {}
    before: dict[naive.State, list[naive.State]] = {}
    values: Values = {}
    decided: deque[naive.State] = deque()
    todo = [game.start()]
    while todo:
        state = todo.pop()
        if state in after:
            continue
        after[state] = []
        values[state] = None
        if state.winner is not None or (
            state.pool == full and any(abs(total - target) > far for total in state.totals)
        ):
            won_by = state.winner or winner
            values[state] = ("win" if won_by == state.seat else "loss"), 0
            decided.append(state)
            continue
        after[state] = [game.play(state, move) for move in game.moves(state)]
        for one in after[state]:
            before.setdefault(one, []).append(state)
        todo += after[state]
    _settle(after, before, values, decided)
    return {state: value for state, value in values.items() if after[state]}


def _settle(
    after: dict[naive.State, list[naive.State]],
    before: dict[naive.State, list[naive.State]],
    values: Values,
    decided: deque[naive.State],
) -> None:
    """Go backwards from the ends, nearest first: a move to a loss wins, only moves to wins lose."""
    hopes = {state: len(following) for state, following in after.items()}
    while decided:
        state = decided.popleft()
        value = values[state]
        assert value is not None
        verdict, plies = value
        for one in before.get(state, ()):
            hopes[one] -= verdict == "win"
            if values[one] is None and (verdict == "loss" or hopes[one] == 0):
                values[one] = ("win" if verdict == "loss" else "loss"), plies + 1
                decided.append(one)
