"""Every position of a board, by distance from the end: first all that are decided in one ply, then in two, and so on.

Let `lost` be the positions lost in d-1 plies. A position not yet decided is won in d if some move leads into
`lost`: shift that set back along every move and unite. It is lost in d if it is not won and no move escapes,
that is, leads to a position that is not already won by the opponent. Each is a shift, an *and* and an *or* of whole
sets. Taking distances in order makes plies exact, the winner hurrying and the loser delaying, and loops do no harm:
what is never decided is a draw.

If a ban remembers the move before, there is one set for each amount that it may have had (a *class*); a move of
amount a leads to class a, and in class a the moves of amount -a are left out.

Laws are compared with the whole sets too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Ban, Reaching, Seat, Totals
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver.bits import between, moved, ones, parity, stack
from zerosum.solver.board import BitBoard, BoardEnds, BoardStep, WonLost
from zerosum.solver.laws import Fact, Found
from zerosum.solver.value import WIN_AT_ONCE, Value, Verdict, bits_of, value_of_bits

Sets = list[int]
"""One set of bits for each class."""

Movers = tuple[int | None, ...]
"""The seats, 0 and 1, whose moves are looked at; None stands for either if it makes no difference."""

START: Final = 0
"""The class of the start, and of all positions if nothing is banned."""


class BanClasses:
    """What a ban remembers: which classes there are, and which moves each of them leaves out."""

    def __init__(self, board: BitBoard, steps: Sequence[BoardStep]) -> None:
        self._bans = board.rules.ban is Ban.MIRROR
        by_amount: dict[int, list[BoardStep]] = {}
        for step in steps:
            by_amount.setdefault(step.move.amount, []).append(step)
        self.amounts = sorted(by_amount)
        self.groups = [by_amount[amount] for amount in self.amounts]
        self.count = len(self.amounts) + 1 if self._bans else 1
        self._shifts = [(step.mover, step.shift, step.go) for step in steps]
        self._into = [self.after(amount) for amount in self.amounts]
        self._turns = board.turns if board.rules.totals is Totals.OWN else None
        self._only = [board.only_left(amount) for amount in self.amounts] if self._bans else []

    def after(self, amount: int | None) -> int:
        """Return the class of the positions after a move of this amount; None is no move at all."""
        return self.amounts.index(amount) + 1 if self._bans and amount is not None else START

    def move_before(self, at: int) -> Move | None:
        """Return a move that leads to the positions of a class; None for the start, and if nothing is banned."""
        return self.groups[at - 1][0].move if at != START else None

    def of(self, position: Position) -> int:
        """Return the class of a position."""
        return self.after(position.previous.amount if position.previous else None)

    def _mirror(self, at: int) -> int | None:
        """Return which amount is the negation of another, if it is one."""
        return self.amounts.index(-self.amounts[at]) if -self.amounts[at] in self.amounts else None

    def united(self, parts: Sequence[int]) -> Sets:
        """Unite sets, one for each amount, to sets, one for each class, of what its moves make."""
        every = _union(parts)
        if not self._bans:
            return [every]
        return [every, *self._all_but_mirrors(parts, self._only)]

    def sources(self, sets: Sets) -> Sequence[int]:
        """Return, for each amount, the positions of all classes from which a move of that amount is allowed."""
        if not self._bans:
            return [sets[START]] * len(self.amounts)
        # Amounts and their mirrors change places: amount a is left out if the move before was -a.
        only = [
            self._only[mirror] if (mirror := self._mirror(at)) is not None else 0 for at in range(len(self.amounts))
        ]
        return [part | sets[START] for part in self._all_but_mirrors(sets[1:], only)]

    def movers_into(self, sets: Sets) -> Movers:
        """Return which seats can have moved into some sets: both, if steps do not tell them apart."""
        if not any(sets):
            return ()
        if self._turns is None:
            return (None,)
        every = _union(sets)
        return tuple(1 - seat for seat in (0, 1) if every & self._turns[seat])

    def turns_of(self, movers: Movers) -> int:
        """Return the positions in which it is the turn of some seats."""
        if self._turns is None:
            return -1 if movers else 0
        return _union(self._turns[seat] for seat in movers if seat is not None)

    def leading_into(self, sets: Sets, movers: Movers) -> Sets:
        """Return the positions of each class from which a move of one of the movers leads into the sets."""
        if not movers:
            return [0] * self.count
        if not self._bans:
            into, every = sets[START], 0
            for mover, shift, go in self._shifts:
                if mover in movers:
                    every |= go & (into >> shift if shift >= 0 else into << -shift)
            return [every]
        parts = []
        for at, group in zip(self._into, self.groups, strict=True):
            into, part = sets[at], 0
            for step in group:
                if step.mover in movers:
                    part |= step.go & (into >> step.shift if step.shift >= 0 else into << -step.shift)
            parts.append(part)
        return self.united(parts)

    def _all_but_mirrors(self, parts: Sequence[int], unless: Sequence[int]) -> Iterator[int]:
        """Yield, for each amount, the union of all parts but its mirror's, of which only `unless` is kept."""
        before, after = [0], [0]
        for part in parts:
            before.append(before[-1] | part)
        for part in reversed(parts):
            after.append(after[-1] | part)
        after.reverse()
        for at in range(len(parts)):
            mirror = self._mirror(at)
            if mirror is None:
                yield before[-1]
            else:
                yield before[mirror] | after[mirror + 1] | (parts[mirror] & unless[at])


def _union(parts: Iterable[int]) -> int:
    return reduce(or_, parts, 0)


def reachable(classes: BanClasses, seeds: Sets, beyond: int = 0) -> Sets:
    """Return every position that play can lead to from the seeds, and no further than `beyond`."""
    reached = list(seeds)
    frontier = seeds
    while any(frontier):
        following = [0] * classes.count
        for amount, group, source in zip(classes.amounts, classes.groups, classes.sources(frontier), strict=True):
            into = classes.after(amount)
            for step in group:
                following[into] |= moved(source & step.go, step.shift)
        frontier = [new & ~(old | beyond) for new, old in zip(following, reached, strict=True)]
        reached = [old | new for old, new in zip(reached, following, strict=True)]
    return reached


class SolvedSets:
    """The value of every position in some sets, as bit planes.

    `positions` holds one set for each class. Plane k of a class is the set of its positions whose values have bit k in
    their `bits_of`. Fill it with `set`, then call `freeze` once; only then can `value` be asked.
    """

    def __init__(self, positions: Sets) -> None:
        self.positions = positions
        self.planes: list[list[int]] = [[] for _ in positions]
        self._bytes: list[list[bytes]] = []

    def set(self, sets: Sets, value: Value) -> None:
        """Give every position in some sets a value; each position gets one once."""
        code = bits_of(value)
        for planes, bits in zip(self.planes, sets, strict=True):
            if bits:
                planes.extend([0] * (code.bit_length() - len(planes)))
                for at in range(code.bit_length()):
                    if code >> at & 1:
                        planes[at] |= bits

    def freeze(self) -> None:
        """Turn the planes into bytes: reading one bit of a long integer copies it, reading a byte does not."""
        self._bytes = [
            [plane.to_bytes((plane.bit_length() + 7) // 8, "little") for plane in (positions, *planes)]
            for positions, planes in zip(self.positions, self.planes, strict=True)
        ]

    def value(self, at: int, bit: int) -> Value | None:
        """Return the value of a position of class `at`, None if it is not in the sets."""
        code = 0
        byte, mask = bit >> 3, 1 << (bit & 7)
        for place, plane in enumerate(self._bytes[at]):
            if byte < len(plane) and plane[byte] & mask:
                code |= 1 << place
        return value_of_bits(code >> 1) if code & 1 else None

    def lost(self, at: int) -> int:
        """Return the positions of a class that are lost."""
        return self.planes[at][0] if self.planes[at] else 0

    def drawn(self, at: int) -> int:
        """Return the positions of a class that are never decided."""
        return self.positions[at] & ~_union(self.planes[at])

    def having(self, at: int, value: Value) -> int:
        """Return the positions of a class that have a value."""
        code, planes = bits_of(value), self.planes[at]
        if code.bit_length() > len(planes):
            return 0
        found = self.positions[at]
        for place, plane in enumerate(planes):
            found &= plane if code >> place & 1 else ~plane
        return found


Known = Mapping[int, tuple[Sets, Sets]]
"""Positions whose values are given and not looked for: by plies, those won and those lost."""
_NOTHING: Final[Known] = MappingProxyType({})


def retrograde(
    classes: BanClasses, positions: Sets, beyond: int = 0, known: Known = _NOTHING, progress: Progress = silent
) -> SolvedSets:
    """Return the values of `positions`; moves may lead `beyond` them too, to values that are known or never decided."""
    solved = SolvedSets(positions)
    undecided = list(positions)
    standing = [inside | beyond for inside in positions]
    plies = 0
    won = lost = [1]  # Anything but nothing: the first ply needs no ply before it.
    last_known = max(known, default=0)
    while any(undecided) and (plies <= last_known or any(won) or any(lost)):
        plies += 1
        progress(f"{plies} plies")
        if plies == 1:
            winning, escaping, losing = *_at_once(classes), undecided
        else:
            # Only a seat that can move to what was decided a ply ago can win or lose now.
            winning = classes.leading_into(lost, classes.movers_into(lost))
            movers = classes.movers_into(won)
            escaping = classes.leading_into(standing, movers)
            losing = [left & classes.turns_of(movers) for left in undecided]
        won = [left & wins for left, wins in zip(undecided, winning, strict=True)]
        lost = [left & ~(wins | out) for left, wins, out in zip(losing, winning, escaping, strict=True)]
        undecided = [left & ~(one | two) for left, one, two in zip(undecided, won, lost, strict=True)]
        solved.set(won, Value(Verdict.WIN, plies))
        solved.set(lost, Value(Verdict.LOSS, plies))
        if plies in known:
            won, lost = (list(map(or_, *both)) for both in zip((won, lost), known[plies], strict=True))
        standing = [still & ~one for still, one in zip(standing, won, strict=True)]
    solved.freeze()
    return solved


def _at_once(classes: BanClasses) -> tuple[Sets, Sets]:
    """Return the positions of each class from which a move wins at once, and those from which play can go on."""
    return (
        classes.united([_union(step.win for step in group) for group in classes.groups]),
        classes.united([_union(step.go for step in group) for group in classes.groups]),
    )


def laws_of_sets(board: BitBoard, values: SolvedSets, classes: BanClasses) -> Found:
    """Compare every law with whole sets of positions at once; see `laws.by_positions`."""
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


# The same answers row by row from the end: quicker if rows are wide and no position returns. A row's moves lead to rows
# with one number more used, so going through the rows from the last to the first, each is settled once, by shifts of
# integers that are only as long as a row. Refilled pools (rows would depend on each other) and bans are not supported.

ByPlies = dict[int, int]
"""The cells decided, by plies."""
Moves = list[tuple[int, int]]
"""The rows that moves lead to, each with the change of the cell."""

_NOW_AND_THEN = 256


def solve_by_rows(board: BitBoard, progress: Progress = silent) -> SolvedSets:
    """Return the values of every position that can arise."""
    ends = BoardEnds(board).by_row()
    moves = board.moves_by_row()
    reached = _reachable(board, moves, ends)
    wins, losses = zip(*ends, strict=True)
    won: list[ByPlies] = [{} for _ in moves]
    lost: list[ByPlies] = [{} for _ in moves]
    for row in range(board.full - 1, -1, -1):
        if row % _NOW_AND_THEN == 0:
            progress(f"{board.full - row} of {board.full} sets of numbers")
        if reached[row]:
            won[row] = _decided(reached[row], moves[row], wins, lost, hurries=True)
            rest = reached[row] & ~sum(won[row].values())
            lost[row] = _decided(rest, moves[row], losses, won, hurries=False)
    return _stacked(board, reached, won, lost)


def _reachable(board: BitBoard, moves: list[Moves], ends: list[WonLost]) -> list[int]:
    reached = [0] * board.rows
    reached[0] = 1 << board.start_bit()
    over = [won | lost for won, lost in ends]
    for row, leads in enumerate(moves):
        for child, delta in leads:
            here = reached[row]
            reached[child] |= (here << delta if delta >= 0 else here >> -delta) & ~over[child]
    return reached


def _decided(cells: int, moves: Moves, ends: Sequence[int], after: list[ByPlies], *, hurries: bool) -> ByPlies:
    """Return the cells from which some move ends so, at once or after a row; a winner hurries, a loser delays."""
    by_plies: ByPlies = {1: 0}
    for child, delta in moves if cells else ():
        by_plies[1] |= moved(ends[child], -delta)
        for plies, bits in after[child].items():
            by_plies[plies + 1] = by_plies.get(plies + 1, 0) | moved(bits, -delta)
    found = {}
    for plies in sorted(by_plies, reverse=not hurries):
        if bits := by_plies[plies] & cells:
            found[plies] = bits
            cells &= ~bits
    return found


def _stacked(board: BitBoard, reached: list[int], won: list[ByPlies], lost: list[ByPlies]) -> SolvedSets:
    planes: list[list[int]] = []
    for row in range(board.rows):
        for verdict, decided in ((Verdict.WIN, won[row]), (Verdict.LOSS, lost[row])):
            for plies, bits in decided.items():
                code = bits_of(Value(verdict, plies))
                while len(planes) < code.bit_length():
                    planes.append([0] * board.rows)
                for at, plane in enumerate(planes):
                    if code >> at & 1:
                        plane[row] |= bits
    solved = SolvedSets([stack(reached, board.cells)])
    solved.planes = [[stack(plane, board.cells) for plane in planes]]
    solved.freeze()
    return solved
