"""Every move of a game as a shift of its board."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.rules.model import Totals
from zerosum.rules.moves import Move
from zerosum.solver.bits import ones
from zerosum.solver.board import Board
from zerosum.solver.ends import WonLost


class Step(NamedTuple):
    """One move, wherever it is legal: from each bit in `go` to the bit `shift` away.

    `win` and `lose` are the positions where the move ends the match, for or against whoever makes it.
    """

    move: Move
    shift: int
    go: int
    win: int
    lose: int
    mover: int | None
    """Which seat makes it, 0 or 1; None where one step serves both."""


def steps_of(board: Board, ends: WonLost) -> list[Step]:
    """Return every move as a shift, with where it is legal and where it ends the match."""
    wins, losses = ends
    steps = []
    for at, (number, stride) in enumerate(zip(board.numbers, board.strides, strict=True)):
        legal = board.available(at)
        # The position before a refill: this number alone is left.
        last = ones(board.cells) << ((board.full - stride) * board.cells) if board.refills else 0
        for operation in board.rules.operations:
            move = Move(number, operation)
            for mover, delta, turn in _deltas(board, move):
                shift = stride * board.cells + delta
                can = legal & turn
                win, lose = can & (wins >> shift), can & (losses >> shift)
                go = can & ~(win | lose)
                if go & last:
                    steps.append(Step(move, shift - board.full * board.cells, go & last, 0, 0, mover))
                    go &= ~last
                if go | win | lose:
                    steps.append(Step(move, shift, go, win, lose, mover))
    return steps


def _deltas(board: Board, move: Move) -> list[tuple[int | None, int, int]]:
    """Return the mover, how a move changes the cell, and where it is so: once where the seats do not differ."""
    first, second = board.cell_changes(move)
    if board.rules.totals is Totals.SHARED:
        return [(None, first, ones(board.size))]
    return [(0, first, board.turns[0]), (1, second, board.turns[1])]
