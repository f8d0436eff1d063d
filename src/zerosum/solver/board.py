"""A whole game as one row of bits: every position is a bit, every move is a shift.

A position is the numbers used and the totals. Count the used copies of each different number, read the counts
as the digits of one mixed-radix number, and that number is the position's *row*. Inside its row, a position's
*cell* is its total, or its two totals. Putting the rows one after the other,

    bit = row * cells + cell

and the move "add 5" leads from any bit to the bit a fixed distance away: the digit of 5 grows by one, the total by
five. So all positions from which some move wins are found by one shift of a Python integer, all at once.

A total that the used numbers fix has no cell.

| shape of the rules | cells |
|---|---|
| shared total, add only | one: the used numbers fix the total |
| shared total, add or subtract | the total |
| own totals, add only, pool never refilled or summing to zero | seat 1's total: the used numbers fix the other |
| any other own totals | both totals |

Who is to move follows from how many numbers are used; it needs cells only if an odd pool is refilled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate, pairwise, product
from math import gcd, prod
from operator import mul
from typing import NamedTuple

from zerosum.rules.model import Ban, Exhausted, Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.outcome import Outcome, judge
from zerosum.rules.position import Position, unchecked
from zerosum.solver.bits import between, ones, parity, repeat, rows_between, stack
from zerosum.solver.supports import MOVE_CODES, refuse_unknown

_DIRECTIONS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Span(NamedTuple):
    """The totals that have cells: `width` of them from `low` on, each `stride` bits after the one before."""

    low: int
    width: int
    stride: int

    def cell(self, total: int) -> int:
        """Return the cell of a total."""
        return (total - self.low) * self.stride


class RoundStart(NamedTuple):
    """The beginning of a round: how far from the target both are, and in which directions."""

    bit: int
    distance: int
    directions: tuple[int, int]
    seat: Seat


def reach(rules: Rules, turns: int) -> int:
    """Return how far one seat's total can move in some turns."""
    amounts = sorted(rules.pool) if rules.operations == ADD_ONLY else sorted(map(abs, rules.pool))
    up = sum(amount for amount in amounts[max(0, len(amounts) - turns) :] if amount > 0)
    down = sum(-amount for amount in amounts[:turns] if amount < 0)
    return max(up, down)


def first_bound(rules: Rules) -> int:
    """Return the least distance from the target that is worth a board if pools are refilled.

    A first round that does not begin like the others, both equally far, must lie inside as a whole.
    """
    width = reach(rules, (len(rules.pool) + 1) // 2)
    distances = [abs(start - rules.target) for start in rules.start]
    uneven = 2 * width if len(set(distances)) > 1 else 0
    return max(width + width // 2, max(distances) + uneven)


class BitBoard:
    """The rows, cells and steps of a game.

    If the pool is refilled, totals can grow without end; the board then has cells for the rounds that begin
    at most `bound` from the target, and for one round more.
    """

    def __init__(self, rules: Rules, bound: int = 0) -> None:
        refuse_unknown(MOVE_CODES, rules)
        self.rules = rules
        self.bound = bound
        counts = Counter(rules.pool)
        self.numbers = tuple(counts)
        self.copies = tuple(counts.values())
        *self.strides, self.rows = accumulate((count + 1 for count in self.copies), mul, initial=1)
        self.full = self.rows - 1
        self.refills = rules.tie is Tie.SUDDEN_DEATH
        self.seat_cells = self.refills and len(rules.pool) % 2 == 1
        self.spans = self._spans()
        self.half = prod(span.width for span in self.spans)
        self.cells = self.half * (2 if self.seat_cells else 1)
        self.size = self.rows * self.cells

    def _spans(self) -> tuple[Span, ...]:
        rules = self.rules
        if rules.totals is Totals.SHARED:
            if rules.operations == ADD_ONLY:
                return ()
            far = sum(map(abs, rules.pool))
            return (Span(rules.start[0] - far, 2 * far + 1, 1),)
        pool = len(rules.pool)
        first, second = (self._range(at, turns) for at, turns in ((0, (pool + 1) // 2), (1, pool // 2)))
        if rules.operations == ADD_ONLY and not (self.refills and sum(rules.pool) != 0):
            return (Span(first[0], first[1], 1),)
        return (Span(first[0], first[1], second[1]), Span(second[0], second[1], 1))

    def _range(self, at: int, turns: int) -> tuple[int, int]:
        if self.refills:
            far = self.bound + reach(self.rules, (len(self.rules.pool) + 1) // 2)
            return self.rules.target - far, 2 * far + 1
        far = reach(self.rules, turns)
        return self.rules.start[at] - far, 2 * far + 1

    @property
    def only_nears(self) -> bool:
        """Whether totals only come nearer to the target, and passing it ends the match.

        Then every unfinished position can arise: whatever the order of its moves, none of them can have ended it.
        """
        rules = self.rules
        one_way = min(rules.pool) > 0 if rules.start[0] < rules.target else max(rules.pool) < 0
        return not self.spans and one_way and rules.overshoot is Overshoot.LOSES and rules.ban is Ban.NONE

    # Positions and bits

    def row(self, position: Position) -> int:
        """Return the row of a position."""
        left = position.pool
        return sum(
            (copies - left.count(number)) * stride
            for number, copies, stride in zip(self.numbers, self.copies, self.strides, strict=True)
        )

    def bit(self, position: Position) -> int | None:
        """Return the bit of a position, None if its totals have no cell or cannot arise."""
        return self.bit_at(self.row(position), position.totals, position.seat) if self.fits(position) else None

    def fits(self, position: Position) -> bool:
        """Whether the seat and the totals that have no cells are what the used numbers make them."""
        rules, left = self.rules, position.pool
        if not self.seat_cells and (len(rules.pool) - len(left)) % 2 != position.seat - 1:
            return False
        if len(self.spans) == len(rules.start):
            return True
        return sum(position.totals) == sum(rules.start) + sum(rules.pool) - sum(left)

    def position(self, bit: int, previous: Move | None = None) -> Position:
        """Return the unfinished position of a bit."""
        row, cell = divmod(bit, self.cells)
        left: list[int] = []
        used = total = 0
        for number, copies, stride in zip(self.numbers, self.copies, self.strides, strict=True):
            taken = row // stride % (copies + 1)
            left += [number] * (copies - taken)
            used, total = used + taken, total + taken * number
        second_half, cell = divmod(cell, self.half)
        seat = Seat.SECOND if (second_half if self.seat_cells else used % 2) else Seat.FIRST
        return unchecked(self.rules, tuple(left), self._totals(cell, total), seat, previous)

    def _totals(self, cell: int, used: int) -> tuple[int, ...]:
        """Return the totals of a cell in a row whose used numbers sum to `used`."""
        if not self.spans:
            return (self.rules.start[0] + used,)
        first = self.spans[0]
        at, rest = divmod(cell, first.stride)
        if self.rules.totals is Totals.SHARED:
            return (first.low + at,)
        if len(self.spans) == 1:
            return (first.low + at, sum(self.rules.start) + used - first.low - at)
        return (first.low + at, self.spans[1].low + rest)

    def bit_at(self, row: int, totals: tuple[int, ...], seat: Seat) -> int | None:
        """Return the bit of a row and totals; the seat matters only if it has cells."""
        cell = self.half if self.seat_cells and seat is Seat.SECOND else 0
        for span, total in zip(self.spans, totals, strict=False):
            if not 0 <= total - span.low < span.width:
                return None
            cell += span.cell(total)
        return row * self.cells + cell

    def start_bit(self) -> int:
        """Return the bit of the start."""
        bit = self.bit_at(0, self.rules.start, Seat.FIRST)
        if bit is None:
            raise ValueError("the bound is below the start")
        return bit

    def rounds(self) -> Iterator[RoundStart]:
        """Yield every round that may begin after a refill: both as far from the target, as far as there are cells.

        Totals that are no multiple of the pool's common divisor away from the start cannot be made.
        """
        rules, far = self.rules, self.spans[0].width // 2
        common = gcd(*rules.pool)
        seats = (Seat.FIRST, Seat.SECOND) if self.seat_cells else (Seat.FIRST,)
        for distance, directions in [(0, _DIRECTIONS[0]), *product(range(1, far + 1), _DIRECTIONS)]:
            totals = (rules.target + directions[0] * distance, rules.target + directions[1] * distance)
            if any((total - start) % common for total, start in zip(totals, rules.start, strict=True)):
                continue
            if len(self.spans) == 1 and sum(totals) != sum(rules.start):
                continue
            for seat in seats:
                bit = self.bit_at(0, totals, seat)
                if bit is not None:
                    yield RoundStart(bit, distance, directions, seat)

    # Moves

    def used_by_row(self) -> list[tuple[int, int]]:
        """Return how many numbers are used in each row, and what they sum to."""
        used = [(0, 0)]
        for number, copies in zip(self.numbers, self.copies, strict=True):
            used = [(count + more, total + more * number) for more in range(copies + 1) for count, total in used]
        return used

    def moves_by_row(self) -> list[list[tuple[int, int]]]:
        """Return the moves of each row: the row each leads to, and by how much it changes the cell."""
        moves: list[list[tuple[int, int]]] = [[] for _ in range(self.rows)]
        counts = [count for count, _ in self.used_by_row()]
        for number, copies, stride in zip(self.numbers, self.copies, self.strides, strict=True):
            for operation in self.rules.operations:
                deltas = self.cell_changes(Move(number, operation))
                for row, count in enumerate(counts):
                    if row // stride % (copies + 1) < copies:
                        moves[row].append((row + stride, deltas[count % 2]))
        return moves

    def cell_changes(self, move: Move) -> tuple[int, int]:
        """Return by how much a move changes the cell, for each seat."""
        if self.rules.totals is Totals.SHARED:
            change = move.amount if self.spans else 0
            return change, change
        to_second = self.half if self.seat_cells else 0
        by_second = move.amount if len(self.spans) > 1 else 0
        return move.amount * self.spans[0].stride + to_second, by_second - to_second

    @cached_property
    def turns(self) -> tuple[int, int]:
        """The positions in which it is the turn of each seat."""
        if self.seat_cells:
            first = repeat(ones(self.half), self.cells, self.rows)
            return first, first << self.half
        return parity(self.copies, self.cells)

    def available(self, at: int) -> int:
        """Return the rows in which a copy of a number is left."""
        width = self.strides[at] * self.cells
        copies = self.copies[at]
        return repeat(ones(copies * width), (copies + 1) * width, self.size // ((copies + 1) * width))

    def only_left(self, amount: int) -> int:
        """Return the rows in which only moves that undo a move of this amount are left."""
        if self.rules.operations != ADD_ONLY:
            return 0  # A number that is left can be added and subtracted.
        rows = ones(self.size)
        for at, number in enumerate(self.numbers):
            if number != -amount:
                rows &= ~self.available(at)
        return rows


# What moves do: every move is a shift, and `judge` says where it ends the match

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
