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
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, product
from math import gcd, prod
from operator import mul
from typing import NamedTuple

from zerosum.rules.model import Ban, Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position, unchecked
from zerosum.solver.bits import ones, parity, repeat
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
