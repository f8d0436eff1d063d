"""A solved game: the value of any position that can arise, and of each of its moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

from zerosum.rules.errors import IllegalPositionError
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position
from zerosum.solver import plan, rows, sparse
from zerosum.solver.board import Board
from zerosum.solver.endless import solve_endless
from zerosum.solver.plan import Plan, Way
from zerosum.solver.search import START, Classes, Table, reachable, search
from zerosum.solver.value import DRAW, LOSS_AT_ONCE, WIN_AT_ONCE, Value

LookUp = Callable[[Position], Value | None]
"""Returns the value of an unfinished position, None if it cannot arise."""


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move and its value for the person who makes it; the plies count the move itself."""

    move: Move
    value: Value


class Solution:
    """All values of a game. `positions` counts those that can arise, None where there is no end of them."""

    def __init__(self, rules: Rules, look_up: LookUp, positions: int | None, seconds: float, way: Way) -> None:
        self.rules = rules
        self.start = start_position(rules)
        self.seconds = seconds
        self.way = way
        self._look_up = look_up
        self.positions = positions
        if rules.swap and positions is not None:
            # Every opening that goes on leaves a position where the seats may be swapped, and one where they were.
            openings = (self.start.play_unchecked(move) for move in self.start.legal_moves())
            self.positions = positions + sum(after.outcome is None for after in openings)

    def value(self, position: Position) -> Value:
        """Return the value of an unfinished position for the seat to move."""
        if position.outcome is not None:
            raise IllegalPositionError("The match is over; nobody is to move.")
        if self.rules.swap and (position.swap_open or position.previous is None):
            return self.options(position)[0].value
        value = self._look_up(position)
        if value is None:
            raise IllegalPositionError(f"'{position}' cannot arise in {self.rules.name}.")
        return value

    def options(self, position: Position) -> list[Option]:
        """Return the legal moves of a position with their values, the best first."""
        options = [Option(move, self._value_of(position, move)) for move in position.legal_moves()]
        return sorted(options, key=lambda option: option.value.rank, reverse=True)

    def _value_of(self, position: Position, move: Move) -> Value:
        after = position.play_unchecked(move)
        if after.outcome is not None:
            return WIN_AT_ONCE if after.outcome.winner is position.seat else LOSS_AT_ONCE
        return self.value(after).before_move()

    def line(self, position: Position) -> list[Move]:
        """Return best play to the end; of a draw, which has none, nothing."""
        moves: list[Move] = []
        while position.outcome is None:
            best = self.options(position)[0]
            if best.value == DRAW:
                return []
            moves.append(best.move)
            position = position.play_unchecked(best.move)
        return moves


def solve(rules: Rules, memory: int = plan.MEMORY) -> Solution:
    """Solve a game exactly; raises a `SolverError` where it would need more bytes than `memory`."""
    began = perf_counter()
    chosen = plan.choose(rules, memory)
    look_up, positions = _SOLVERS[chosen.way](replace(rules, swap=False), chosen, memory)
    return Solution(rules, look_up, positions, perf_counter() - began, chosen.way)


Solved = tuple[LookUp, int | None]


def _by_board(rules: Rules, chosen: Plan, memory: int) -> Solved:  # noqa: ARG001 - all ways are called alike
    board = Board(rules)
    classes = Classes(board)
    positions = reachable(classes, [1 << board.start_bit(), *[0] * (classes.count - 1)])
    return _on_board(board, search(classes, positions), classes.of)


def _by_rows(rules: Rules, chosen: Plan, memory: int) -> Solved:  # noqa: ARG001
    board = Board(rules)
    return _on_board(board, rows.search_by_rows(board), lambda _: START)


def _on_board(board: Board, table: Table, class_of: Callable[[Position], int]) -> Solved:
    def look_up(position: Position) -> Value | None:
        bit = board.bit(position)
        return None if bit is None else table.value(class_of(position), bit)

    return look_up, sum(bits.bit_count() for bits in table.positions)


def _by_playing(rules: Rules, chosen: Plan, memory: int) -> Solved:  # noqa: ARG001
    values = sparse.search_by_playing(rules, chosen.positions)
    return lambda position: values.get(sparse.key_of(position)), len(values)


def _by_rounds(rules: Rules, chosen: Plan, memory: int) -> Solved:
    solution = solve_endless(rules, chosen.positions * memory // chosen.bytes)
    return solution.value, solution.count


_SOLVERS: dict[Way, Callable[[Rules, Plan, int], Solved]] = {
    Way.BOARD: _by_board,
    Way.ROWS: _by_rows,
    Way.PLAYING: _by_playing,
    Way.ENDLESS: _by_rounds,
}
