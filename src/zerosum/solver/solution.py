"""A solved game: the value of any position that can arise, and of each of its moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from time import perf_counter

from zerosum.base.errors import IllegalPositionError
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position
from zerosum.solver.laws import Law, law_of
from zerosum.solver.methods import MEMORY, Solved, solve_by_quickest_method
from zerosum.solver.supports import any_method_supports
from zerosum.solver.value import DRAW, LOSS_AT_ONCE, WIN_AT_ONCE, Value


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move and its value for the person who makes it; the plies count the move itself."""

    move: Move
    value: Value


class Solution:
    """All values of a game. `positions` counts the positions that can arise, None if they are unbounded."""

    def __init__(self, rules: Rules, solved: Solved, seconds: float) -> None:
        self.rules = rules
        self.start = start_position(rules)
        self.seconds = seconds
        self.positions = solved.count
        self.solved = solved
        if rules.swap and not solved.swap_played and solved.count is not None:
            # Every opening that goes on leaves a position before a swap, and one after it.
            openings = (self.start.play_unchecked(move) for move in self.start.legal_moves())
            self.positions = solved.count + sum(after.outcome is None for after in openings) + self._returns()

    def _returns(self) -> bool:
        """Whether sudden death can come back to the start: a second position, whose swap is over."""
        if self.solved.rounds is None:
            return False
        start = start_position(replace(self.rules, swap=False))
        return any(
            position.play_unchecked(move).key == start.key
            for position, _ in self.everything()
            if len(position.pool) == 1
            for move in position.legal_moves()
        )

    @cached_property
    def law(self) -> Law | None:
        """The law of the game: the whole truth in one sentence, None if every law has an exception."""
        return None if self.rules.swap else law_of(self.rules, self.solved.laws())

    def value(self, position: Position) -> Value:
        """Return the value of an unfinished position for the seat to move."""
        if position.outcome is not None:
            raise IllegalPositionError("The match is over; nobody is to move.")
        swaps = position.rules.swap and not self.solved.swap_played
        if swaps and (position.swap_open or position.previous is None):
            return self.options(position)[0].value
        value = self.solved.look_up(position)
        if value is None:
            raise IllegalPositionError(f"'{position}' cannot arise in {self.rules.name}.")
        return value

    def can_end_in(self, position: Position) -> bool:
        """Whether a finished position can arise: some move leads to it from an unfinished one that can.

        If a ban or a swap remembers the move before, or no fast method supports the rules, every one is accepted.
        """
        mover, rules = position.seat.other, self.rules
        if rules.remembers or not any_method_supports(rules):
            return True
        for number in Counter(rules.pool) - Counter(position.pool):
            for operation in rules.operations:
                move = Move(number, operation)
                totals = list(position.totals)
                totals[mover - 1 if len(totals) > 1 else 0] -= move.amount
                before = Position(rules, tuple(sorted((*position.pool, number))), tuple(totals), mover)
                if self.solved.look_up(before) is not None:
                    return True
        return False

    def options(self, position: Position) -> list[Option]:
        """Return the legal moves of a position with their values, the best first."""
        options = [Option(move, self._value_of(position, move)) for move in position.legal_moves()]
        return sorted(options, key=lambda option: option.value.rank, reverse=True)

    def _value_of(self, position: Position, move: Move) -> Value:
        after = position.play_unchecked(move)
        if after.outcome is not None:
            return WIN_AT_ONCE if after.outcome.winner is position.seat else LOSS_AT_ONCE
        return self.value(after).before_move()

    def line(self, position: Position, most: int) -> list[Move]:
        """Return best play to the end, or its first `most` moves; of a draw, which has no end, nothing."""
        moves: list[Move] = []
        while position.outcome is None and len(moves) < most:
            best = self.options(position)[0]
            if best.value == DRAW:
                return []
            moves.append(best.move)
            position = position.play_unchecked(best.move)
        return moves

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position that can arise, with its value, as if the rules knew no swap.

        If totals grow without end, only the rounds that begin near the target.
        """
        return self.solved.everything()


def solve(rules: Rules, memory: int = MEMORY, progress: Progress = silent) -> Solution:
    """Solve a game exactly; raise a `SolverError` if that would need more than `memory` bytes."""
    began = perf_counter()
    solved = solve_by_quickest_method(rules, memory, progress)
    return Solution(rules, solved, perf_counter() - began)


@lru_cache(maxsize=8)
def solution_of(rules: Rules) -> Solution:
    """Return the solution of a game, solved once and remembered."""
    return solve(rules)
