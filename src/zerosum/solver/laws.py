"""Laws: the whole truth about a game in one sentence, if there is one.

A law says: the player to move wins if they can make the target now, or if a *fact* holds; otherwise they lose. The
facts are a closed list: an odd or an even count of numbers is left, or the player to move is the first or the second;
or none. Each law is compared with the value of every position that can arise, and counts only if there is no
exception; a draw is one. No law is looked for if seats can be swapped, as seats are then not players.

"Can make the target" is meant literally: a legal move lands exactly on it, and that wins. To win at once by
taking the last number does not count.

If totals grow without end, the positions compared are those of the rounds that the solver laid out. That is enough:
each of the others is the copy of one of them, with the same seat, pool and verdict, in a round in which nobody can
reach the target (`solver/endless.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from zerosum.base.documents import OMITTED, member
from zerosum.base.enums import StrChoice
from zerosum.rules.model import Reaching, Rules, Seat, Tie, Totals
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, can_make
from zerosum.solver.bits import between, moved, ones, parity
from zerosum.solver.board import BitBoard
from zerosum.solver.retrograde import BanClasses, SolvedSets
from zerosum.solver.value import WIN_AT_ONCE, Value, Verdict


class Fact(StrChoice):
    """What makes the player to move win, apart from making the target now."""

    ODD = "odd"
    EVEN = "even"
    FIRST = "first"
    SECOND = "second"
    NONE = "none"


def true_facts(left: int, seat: Seat) -> frozenset[Fact]:
    """Return the facts that hold if a seat is to move and some count of numbers is left."""
    return _TRUE[left % 2, seat]


_TRUE: Final = {
    (parity, seat): frozenset({_of_parity, _of_seat})
    for parity, _of_parity in ((0, Fact.EVEN), (1, Fact.ODD))
    for seat, _of_seat in ((Seat.FIRST, Fact.FIRST), (Seat.SECOND, Fact.SECOND))
}
_COUNTS: Final = (Fact.ODD, Fact.EVEN)
_SEATS: Final = (Fact.FIRST, Fact.SECOND)
_WORDS: Final = {
    Fact.ODD: "if an odd number of numbers is left",
    Fact.EVEN: "if an even number of numbers is left",
    Fact.FIRST: "if they are the first player",
    Fact.SECOND: "if they are the second player",
}


@dataclass(frozen=True, slots=True)
class Law:
    """A law without exceptions; `makes`: whether the target can be made at once in any position at all."""

    target: int = field(metadata=OMITTED)
    fact: Fact = field(metadata=OMITTED)
    makes: bool = field(metadata=OMITTED)

    @property
    @member
    def id(self) -> str:
        """The name of the law: `make-or-odd`, for one."""
        parts = [*(["make"] if self.makes else []), *([] if self.fact is Fact.NONE else [self.fact.value])]
        return "-or-".join(parts) or "never"

    @property
    @member
    def words(self) -> str:
        """The law as a sentence."""
        ifs = [f"if they can make {self.target} now"] if self.makes else []
        if self.fact is not Fact.NONE:
            ifs.append(_WORDS[self.fact])
        if not ifs:
            return "The player to move always loses."
        return f"The player to move wins {', or '.join(ifs)}; otherwise they lose."

    def verdict(self, position: Position) -> Verdict:
        """Return what the law says of an unfinished position."""
        return Verdict.WIN if can_make(position) or self.holds(position) else Verdict.LOSS

    def holds(self, position: Position) -> bool:
        """Whether the law's fact, the part after "or", holds in a position."""
        return self.fact in true_facts(len(position.pool), position.seat)


Found = tuple[frozenset[Fact], bool]
"""The facts whose laws have no exception, and whether the target can be made at once anywhere."""


def law_of(rules: Rules, found: Found) -> Law | None:
    """Return the law of a game, given what was found; if a count and a seat say the same, the more natural one.

    Without refills the seat follows from the count, which is what players see; rounds change the count, never the seat.
    """
    facts, makes = found
    seats_first = rules.tie is Tie.SUDDEN_DEATH
    order = (*_SEATS, *_COUNTS) if seats_first else (*_COUNTS, *_SEATS)
    return next((Law(rules.target, fact, makes) for fact in (*order, Fact.NONE) if fact in facts), None)


def by_positions(everything: Iterable[tuple[Position, Value]]) -> Found:
    """Compare position by position, and stop as soon as every law has an exception."""
    facts, makes = frozenset(Fact), False
    for position, value in everything:
        if value.verdict is Verdict.DRAW:
            return frozenset(), makes
        if can_make(position):
            makes = True
            continue
        true = true_facts(len(position.pool), position.seat)
        facts = facts & true if value.verdict is Verdict.WIN else facts - true
        if not facts:
            break
    return facts, makes


def by_sets(board: BitBoard, values: SolvedSets, classes: BanClasses) -> Found:
    """Compare whole sets of positions at once."""
    even_used, odd_used = parity(board.copies, board.cells)
    odd_left, even_left = (even_used, odd_used) if len(board.rules.pool) % 2 else (odd_used, even_used)
    where = {
        Fact.ODD: odd_left,
        Fact.EVEN: even_left,
        Fact.FIRST: board.turns[0],
        Fact.SECOND: board.turns[1],
        Fact.NONE: 0,
    }
    last = list(_last_moves(board))
    facts, makes = frozenset(Fact), False
    for at, positions in enumerate(values.positions):
        if not positions:
            continue
        if values.drawn(at):
            return frozenset(), makes
        now = _made_at_once(board, classes, at, values, last) & positions
        makes = makes or now != 0
        won = positions & ~values.lost(at)
        facts = frozenset(fact for fact in facts if (now | where[fact]) & positions == won)
        if not facts:
            break
    return facts, makes


_LastMove = tuple[Move, int, int]
"""A move that takes the only number left, the first bit of its row, and the cells from which it lands on the target."""


def _made_at_once(board: BitBoard, classes: BanClasses, at: int, values: SolvedSets, last: list[_LastMove]) -> int:
    """Return the positions of a class in which a move lands on the target.

    While more than one number is left, to win at once is nothing else.
    """
    now = values.having(at, WIN_AT_ONCE)
    if board.rules.reaching is not Reaching.WINS or not now:
        return 0
    before = classes.move_before(at)
    for row in {row for _, row, _ in last}:
        now &= ~(ones(board.cells) << row)
    for move, row, cells in last:
        banned = before is not None and move.amount == -before.amount and len(board.rules.operations) > 1
        if not banned:
            now |= cells << row
    return now


def _last_moves(board: BitBoard) -> Iterator[_LastMove]:
    """Yield the moves that take the only number left."""
    rules = board.rules
    used, total = len(rules.pool) - 1, sum(rules.pool)
    for number, stride in zip(board.numbers, board.strides, strict=True):
        row = (board.full - stride) * board.cells
        for operation in rules.operations:
            move = Move(number, operation)
            cells = 0
            for seat in Seat:
                if board.seat_cells or used % 2 == seat - 1:
                    cells |= _cells_on_target(board, seat, total - number, move.amount)
            yield move, row, cells


def _cells_on_target(board: BitBoard, seat: Seat, used: int, amount: int) -> int:
    """Return the cells from which `amount` takes a seat's total to the target; the used numbers sum to `used`."""
    rules = board.rules
    need = rules.target - amount
    if not board.spans:
        return int(rules.start[0] + used == need)
    first = board.spans[0]
    half = board.half if board.seat_cells and seat is Seat.SECOND else 0
    if rules.totals is Totals.SHARED or seat is Seat.FIRST:
        cells = between(first.cell(need), first.cell(need + 1), board.half)
    elif len(board.spans) > 1:
        second = board.spans[1]
        cells = 0
        if 0 <= need - second.low < second.width:
            cells = sum(1 << (at * first.stride + second.cell(need)) for at in range(first.width))
    else:
        own = sum(rules.start) + used - need
        cells = between(first.cell(own), first.cell(own + 1), board.half)
    return moved(cells, half)
