"""What moves do on a board: every move is a shift, and `judge` says where it ends the match."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from zerosum.rules.model import Exhausted, Seat, Totals
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome, judge
from zerosum.solver.bits import between, ones, repeat, rows_between, stack
from zerosum.solver.board import BitBoard

_NOT_EMPTY = (1,)  # `judge` only asks whether the pool is empty.
_FAR = 1 << 62

WonLost = tuple[int, int]
"""The positions that the last move has won, and those that it has lost."""


class BoardEnds:
    """The positions of a board in which the match is over."""

    def __init__(self, board: BitBoard) -> None:
        self._board = board
        self._rules = board.rules
        self._known: dict[tuple[Seat, int, bool], WonLost] = {}

    def all(self) -> WonLost:
        """Return the bits of the board that the last move has won, and those that it has lost."""
        if not self._board.spans:
            return self._ends_of_sums()
        rows = self.by_row()
        return stack([won for won, _ in rows], self._board.cells), stack([lost for _, lost in rows], self._board.cells)

    def by_row(self) -> list[WonLost]:
        """Return the cells of each row that the last move has won, and those that it has lost."""
        return [
            self._row_ends(count, total, empty=row == self._board.full)
            for row, (count, total) in enumerate(self._board.used_by_row())
        ]

    def _ends_of_sums(self) -> WonLost:
        rules, start = self._rules, self._rules.start[0]
        wins = losses = 0
        rows = rows_between(self._board.numbers, self._board.copies)
        for low, high, sample in self._regions():
            outcome = judge(rules, _NOT_EMPTY, (sample,), Seat.FIRST)
            if outcome is not None:
                won, lost = _for_mover(outcome, rows(low - start, high - start))
                wins, losses = wins | won, losses | lost
        last = 1 << self._board.full
        won, lost = _for_mover(judge(rules, (), (start + sum(rules.pool),), Seat.FIRST), last)
        return (wins & ~last) | won, (losses & ~last) | lost

    def _regions(self) -> Iterable[tuple[int, int, int]]:
        """Return the totals below, on and above the target, each with a sample: no rule distinguishes the others."""
        target = self._rules.target
        return ((-_FAR, target - 1, target - 1), (target, target, target), (target + 1, _FAR, target + 1))

    def _row_ends(self, count: int, total: int, *, empty: bool) -> WonLost:
        """Return the cells of a row that the last move has won, or lost; the used numbers sum to `total`."""
        if self._board.seat_cells:
            by_second, by_first = (self._ends_for(mover, total, empty=empty) for mover in (Seat.SECOND, Seat.FIRST))
            return by_second[0] | by_first[0] << self._board.half, by_second[1] | by_first[1] << self._board.half
        return self._ends_for(Seat.FIRST if count % 2 else Seat.SECOND, total, empty=empty)

    def _ends_for(self, mover: Seat, total: int, *, empty: bool) -> WonLost:
        fixes = len(self._board.spans) == 1 and self._rules.totals is Totals.OWN
        key = (mover, total if fixes else 0, empty)
        if key not in self._known:
            by_both = empty and self._rules.exhausted is Exhausted.CLOSEST
            self._known[key] = self._closest_ends(mover, total) if by_both else self._own_ends(mover, total, empty)
        return self._known[key]

    def _own_ends(self, mover: Seat, total: int, empty: bool) -> WonLost:
        """Return the cells where the mover's own total decides."""
        wins = losses = 0
        for low, high, sample in self._regions():
            totals = (sample,) * len(self._rules.start)
            outcome = judge(self._rules, () if empty else _NOT_EMPTY, totals, mover)
            won, lost = _for_mover(outcome, self._cells_where(mover, low, high, total), mover)
            wins, losses = wins | won, losses | lost
        return wins, losses

    def _closest_ends(self, mover: Seat, total: int) -> WonLost:
        """Return the cells of the last row, where both totals decide."""
        first = self._board.spans[0]
        parts = [self._closest_with(mover, first.low + at, total) for at in range(first.width)]
        return stack([won for won, _ in parts], first.stride), stack([lost for _, lost in parts], first.stride)

    def _closest_with(self, mover: Seat, own: int, total: int) -> WonLost:
        """Return the same for one total of seat 1."""
        if len(self._board.spans) == 1:
            other = sum(self._rules.start) + total - own
            return _for_mover(judge(self._rules, (), (own, other), mover), 1, mover)
        second, target = self._board.spans[1], self._rules.target
        far = abs(own - target)
        # Nearer, as far or further; on, above or below the target: no rule distinguishes totals that agree in both.
        cuts = {target - far, target - far + 1, target, target + 1, target + far, target + far + 1}
        end = second.low + second.width
        edges = [second.low, *sorted(cut for cut in cuts if second.low < cut < end), end]
        wins = losses = 0
        for low, high in pairwise(edges):
            cells = between(low - second.low, high - second.low, second.width)
            won, lost = _for_mover(judge(self._rules, (), (own, low), mover), cells, mover)
            wins, losses = wins | won, losses | lost
        return wins, losses

    def _cells_where(self, mover: Seat, low: int, high: int, total: int) -> int:
        """Return the cells where the mover's total lies from `low` to `high`."""
        first = self._board.spans[0]
        if mover is Seat.FIRST or self._rules.totals is Totals.SHARED:
            return between(first.cell(low), first.cell(high + 1), self._board.half)
        if len(self._board.spans) > 1:
            second = self._board.spans[1]
            return repeat(between(second.cell(low), second.cell(high + 1), second.width), second.width, first.width)
        both = sum(self._rules.start) + total
        return between(first.cell(both - high), first.cell(both - low + 1), self._board.half)


def _for_mover(outcome: Outcome | None, bits: int, mover: Seat = Seat.FIRST) -> WonLost:
    """Return `bits` as won or as lost for the mover, or as neither."""
    if outcome is None:
        return 0, 0
    return (bits, 0) if outcome.winner is mover else (0, bits)


class BoardStep(NamedTuple):
    """One move, wherever it is legal: from each bit in `go` to the bit `shift` away.

    `win` are the positions in which the move wins at once.
    """

    move: Move
    shift: int
    go: int
    win: int
    mover: int | None
    """Which seat makes it, 0 or 1; None if one step serves both."""


def steps_of(board: BitBoard, ends: WonLost) -> list[BoardStep]:
    """Return every move as a shift, with the positions in which it is legal and those in which it ends the match."""
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
                win = can & (wins >> shift)
                go = can & ~(win | losses >> shift)
                if go & last:
                    steps.append(BoardStep(move, shift - board.full * board.cells, go & last, 0, mover))
                    go &= ~last
                if go | win:
                    steps.append(BoardStep(move, shift, go, win, mover))
    return steps


def _deltas(board: BitBoard, move: Move) -> list[tuple[int | None, int, int]]:
    """Return the mover, how a move changes the cell, and the positions in which it does: once if both seats agree."""
    first, second = board.cell_changes(move)
    if board.rules.totals is Totals.SHARED:
        return [(None, first, ones(board.size))]
    return [(0, first, board.turns[0]), (1, second, board.turns[1])]
