"""A position as one integer, its *code*, to which every move adds a constant.

From the lowest bits up: the used copies of the pool's numbers (of equal numbers the first copies first), the seat to
move, how far the swap rule has come, the amount of the move before if a ban remembers it, and the totals.

While numbers are left, a move ends the match or not by where it takes the mover's total: below, onto or above the
target. So `judge` is asked once for each of the three, and of empty pools once for each pair of totals.

This table knows only the keys that `supports.MOVE_CODES` names; it refuses all others by name.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import MutableSequence, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from zerosum.base.errors import BadValueError
from zerosum.rules.model import Ban, Rules, Seat, Totals
from zerosum.rules.moves import Move
from zerosum.rules.outcome import judge
from zerosum.rules.position import Position, unchecked
from zerosum.solver.graph_arrays import Graph, end_of
from zerosum.solver.mirrors import Mirror, mirror_of
from zerosum.solver.supports import MOVE_CODES, refuse_unknown

BEFORE_SWAP: Final = 0
SWAP_OPEN: Final = 1
SWAP_PAST: Final = 2
"""The phases of the swap rule: before the first move, at the ply at which `swap` is a move, and later."""
_PHASE_BITS: Final = 2
_NOT_EMPTY: Final = (1,)  # `judge` asks only whether the pool is empty.
CHUNK: Final = 10


class CodedMove(NamedTuple):
    """A move that uses one copy of a number; legal if of `copies` only `first` is used."""

    move: int
    amount: int
    copies: int
    """The copy, and the one that must be used before it."""
    first: int
    """The one that must be used before it, if any."""
    change: int
    """What the move adds to a code, of which `Codes.keep` is kept."""


class Codes:
    """The codes of one game from some starts on, with room for the totals of some rounds."""

    def __init__(self, rules: Rules, starts: Sequence[Position], *, mirrors: bool = False, rounds: int = 1) -> None:
        refuse_unknown(MOVE_CODES, rules)
        self.rules = rules
        self.bans = rules.ban is Ban.MIRROR
        self.own = rules.totals is Totals.OWN
        self.used = (1 << len(rules.pool)) - 1
        self.seat = len(rules.pool)
        self.phase_shift = self.seat + 1
        before = self.phase_shift + (_PHASE_BITS if rules.swap else 0)
        self._amounts = sorted({move.amount for move in rules.moves if move.number})
        width = len(self._amounts).bit_length() if self.bans else 0
        self.before = ((1 << width) - 1) << before
        self.before_shift = before
        self.keep = ~(self.before | (((1 << _PHASE_BITS) - 1 << self.phase_shift) if rules.swap else 0))
        """Clears what a move overwrites: the amount before, and the phase of the swap rule."""
        reach = sum(map(abs, rules.pool))
        totals = [total for start in starts for total in start.totals]
        far = max(abs(total - rules.target) for total in totals) + rounds * reach
        self.low = rules.target - far
        self.middle = far
        """The target as a total is written."""
        self.total_bits = (2 * far).bit_length()
        self.totals = [before + width, before + width + (self.total_bits if self.own else 0)]
        """Where the total of each seat begins."""
        self.places = self.totals if self.own else self.totals[:1]
        """The same, a shared total once."""
        self.bits = self.totals[1] + self.total_bits
        self.total = (1 << self.total_bits) - 1
        self.steps = [self._steps(seat) for seat in Seat]
        self.banned = [None, *(-amount for amount in self._amounts)]
        """The amount that a ban forbids after each amount, by how that is written."""
        self.ends = [self._ends(seat) for seat in Seat]
        self._last: dict[int, int] = {}
        self.mirror = mirror_of(rules) if mirrors else None

    def _steps(self, seat: Seat) -> list[CodedMove]:
        rules = self.rules
        steps = []
        indices = {move: at for at, move in enumerate(rules.moves)}
        for place, number in enumerate(rules.pool):
            copy = 1 << place
            first = copy >> 1 if place and rules.pool[place - 1] == number else 0
            for operation in rules.operations:
                move = Move(number, operation)
                change = copy + (move.amount << self.totals[seat - 1])
                change += (1 if seat is Seat.FIRST else -1) << self.seat
                if self.bans:
                    change += (1 + self._amounts.index(move.amount)) << self.before_shift
                steps.append(CodedMove(indices[move], move.amount, copy | first, first, change))
        return steps

    def _ends(self, seat: Seat) -> list[int]:
        """Return the ends of moves to below, onto and above the target while numbers are left; 0 if play goes on."""
        near = (self.rules.target + by for by in (-1, 0, 1))
        return [self._end(_NOT_EMPTY, (total,) * len(self.rules.start), seat) for total in near]

    def _end(self, pool: tuple[int, ...], totals: tuple[int, ...], mover: Seat) -> int:
        outcome = judge(self.rules, pool, totals, mover)
        return 0 if outcome is None else end_of(outcome, mover)

    def last_end(self, code: int) -> int:
        """Return the end of a move that empties the pool and leads to a code; 0 if the pool is refilled."""
        key = code >> self.totals[0] << 1 | code >> self.seat & 1
        found = self._last.get(key)
        if found is None:
            # The code has the seat that would move next.
            found = self._last[key] = self._end((), self.totals_of(code), self.seat_of(code).other)
        return found

    def end_of_pool(self, one: int, two: int, *, second: bool) -> int:
        """Return the end of a move that empties the pool and leads to both totals, 0 if the pool is refilled.

        A shared total is given twice; `second`: whether the second seat would move next.
        """
        return self._end((), (one, two) if self.own else (one,), Seat.FIRST if second else Seat.SECOND)

    # Codes and positions

    def seat_of(self, code: int) -> Seat:
        """Return the seat to move."""
        return Seat.SECOND if code >> self.seat & 1 else Seat.FIRST

    def totals_of(self, code: int) -> tuple[int, ...]:
        """Return the totals."""
        return tuple((code >> place & self.total) + self.low for place in self.places)

    def phase_of(self, position: Position) -> int:
        """Return how far the swap rule has come."""
        if not self.rules.swap or position.previous is None:
            return BEFORE_SWAP
        return SWAP_OPEN if position.swap_open else SWAP_PAST

    def phase_bits(self, phase: int) -> int:
        """Return how a phase of the swap rule is written."""
        return phase << self.phase_shift if self.rules.swap else 0

    def code(self, position: Position) -> int | None:
        """Return the code of a position; None if no position with this code can arise."""
        pool, used = self.rules.pool, self.used
        for number, left in Counter(position.pool).items():
            copies = pool.count(number)
            if left > copies:
                return None
            used ^= ((1 << left) - 1) << (pool.index(number) + copies - left)
        code = used | (position.seat is Seat.SECOND) << self.seat
        code |= self.phase_bits(self.phase_of(position))
        if self.bans and position.previous is not None:
            if position.previous.amount not in self._amounts:
                return None
            code |= (1 + self._amounts.index(position.previous.amount)) << self.before_shift
        for place, total in zip(self.totals, position.totals, strict=False):
            if not 0 <= total - self.low <= 2 * self.middle:
                return None
            code |= (total - self.low) << place
        return code

    def position(self, code: int, previous: Move | None) -> Position:
        """Return the position of a code, given the move before it."""
        rules = self.rules
        pool = tuple(number for place, number in enumerate(rules.pool) if not code >> place & 1)
        phase = code >> self.phase_shift & 3 if rules.swap else BEFORE_SWAP
        before = previous if rules.remembers else None
        return unchecked(rules, pool, self.totals_of(code), self.seat_of(code), before, phase == SWAP_OPEN)

    # Mirrors

    def canonical(self, code: int) -> tuple[int, int]:
        """Return the code that all mirrors of a code share, and which mirror the code is of it."""
        if self.mirror is Mirror.SIDES:
            flipped = 0
            for bit, place in enumerate(self.places):
                above = (code >> place & self.total) - self.middle
                if above > 0:
                    code -= above << place + 1
                    flipped |= 1 << bit
            return code, flipped
        if self.mirror is Mirror.NEGATION:
            negated = self._negate(code)
            return (negated, 1) if negated < code else (code, 0)
        return code, 0

    def movable(self, code: int) -> int:
        """Return which mirrors of a code differ from it."""
        if self.mirror is Mirror.SIDES:
            return sum((code >> place & self.total != self.middle) << bit for bit, place in enumerate(self.places))
        return int(self.mirror is Mirror.NEGATION and self._negate(code) != code)

    def _negate(self, code: int) -> int:
        used = code & self.used
        code -= used
        for at, table in enumerate(self.negated_bits):
            code += table[used >> at * CHUNK & (1 << CHUNK) - 1]
        for place in self.places:
            code -= (code >> place & self.total) - self.middle << place + 1
        return code

    @cached_property
    def negated_bits(self) -> list[list[int]]:
        """For each ten used copies, the copies of the negated numbers."""
        return _negating_tables(self.rules.pool)


def _negating_tables(pool: tuple[int, ...]) -> list[list[int]]:
    bits = []
    for place, number in enumerate(pool):
        bits.append(1 << pool.index(-number) + place - pool.index(number))
    tables = []
    for low in range(0, len(pool), CHUNK):
        table = [0]
        for bit in bits[low : low + CHUNK]:
            table += [one | bit for one in table]
        tables.append(table)
    return tables


XORED: Final = [[sum(1 << (at ^ by) for at in range(4) if mask >> at & 1) for mask in range(16)] for by in range(4)]
"""A set of mirrors, as bits, after one more mirror."""
DIFFERENT: Final = [
    [len({at & movable for at in range(4) if mask >> at & 1}) for mask in range(16)] for movable in range(4)
]
"""How many different positions a set of mirrors has, by which mirrors of a position differ from it."""


def legal_steps(table: Codes, code: int, seat: int) -> list[CodedMove]:
    """Return the legal moves but for a swap: a banned one only if there is no other."""
    used = code & table.used
    legal = [step for step in table.steps[seat] if used & step.copies == step.first]
    if not table.bans or not code & table.before:
        return legal
    banned = table.banned[(code & table.before) >> table.before_shift]
    return [step for step in legal if step.amount != banned] or legal


# The nodes of a graph

WORD: Final = 62
"""Codes of at most this many bits fit into an array."""


class CodedNames:
    """Nodes are distinguished by the codes that their mirrors share."""

    def __init__(self, table: Codes) -> None:
        self.table = table
        self.codes: MutableSequence[int] = array("q") if table.bits <= WORD else []

    def position(self, node: int, previous: Move | None) -> Position:
        """Return the position of a node."""
        return self.table.position(self.codes[node], previous)

    def key(self, position: Position) -> int | None:
        """Return the code that the mirrors of a position share."""
        code = self.table.code(position)
        return None if code is None else self.table.canonical(code)[0]

    def key_of(self, node: int) -> int:
        """Return the code that the mirrors of a node share."""
        return self.table.canonical(self.codes[node])[0]


def codes_fit(graph: Graph) -> bool:
    """Return whether the codes of a graph fit into an array."""
    return isinstance(graph.names, CodedNames) and graph.names.table.bits <= WORD


def begin(starts: Sequence[Position], *, mirrors: bool) -> tuple[Graph, CodedNames]:
    """Return a graph of nothing yet, whose starts have equally large pools and are no mirrors of each other."""
    table = Codes(starts[0].rules, starts, mirrors=mirrors)
    names = CodedNames(table)
    keys = {names.key(start) for start in starts} - {None}
    if len(keys) < len(starts) or len({(len(start.pool), table.phase_of(start)) for start in starts}) > 1:
        raise BadValueError("A graph starts from different positions with equally large pools.")
    return Graph(starts[0].rules, names, [start.previous for start in starts]), names
