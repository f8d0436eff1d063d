"""A position as numbers: what an agent observes, and which actions are legal. Every environment has the same.

An action is the index of a move in `rules.moves`. An observation is a row of whole numbers, seen by one seat:

    for each different number of the pool, how many of it are left
    the seat: 1 or 2
    how far the total is from the target (target less total); if totals are own, the agent's, then the opponent's
    with a ban: what the move before added (0 at the start)
    with a swap: 2 before it, 1 if it is a move now, 0 afterwards

So equal observations are equal positions, and nothing is scaled or rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from zerosum.base.extras import missing

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.base import limits
from zerosum.rules.model import Ban, Rules, Seat, Tie, Totals
from zerosum.rules.position import Position, start_position
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_codes import WORD, CodedNames, Codes

_REMEMBERED: Final = 1 << 14


class Encoding:
    """How positions of one game become arrays. It never changes; `encoding_of` makes it once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = start_position(rules)
        self.moves = rules.moves
        self.action_of = {move: action for action, move in enumerate(self.moves)}
        self.numbers = tuple(dict.fromkeys(rules.pool))
        self._own = rules.totals is Totals.OWN
        self._ban = rules.ban is not Ban.NONE
        self._plain = not rules.remembers
        self._of_pool = lru_cache(maxsize=_REMEMBERED)(self._counts_and_mask)

    def __deepcopy__(self, memo: object) -> Encoding:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding_of, (self.rules,)

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return len(self.moves)

    def bounds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the least and the greatest that each number of an observation can be."""
        rules = self.rules
        far = most_plies(rules) * max(map(abs, rules.pool))
        ways = [(0, rules.pool.count(number)) for number in self.numbers]
        ways.append((1, 2))
        gaps = [rules.target - start for start in rules.start]
        ways += [(min(gaps) - far, max(gaps) + far)] * len(gaps)
        if self._ban:
            most = max(map(abs, rules.pool))
            ways.append((-most, most))
        if rules.swap:
            ways.append((0, 2))
        low, high = np.array(ways, np.int32).T
        return low.copy(), high.copy()

    def names(self) -> list[str]:
        """Return what each number of an observation is.

        >>> from zerosum.rules.game_files import load_game
        >>> encoding_of(load_game("sum31")).names()[-3:]
        ['9 left', 'seat', 'to go']
        """
        found = [f"{number} left" for number in self.numbers]
        found += ["seat", *(["own to go", "other's to go"] if self._own else ["to go"])]
        return found + ["added before"] * self._ban + ["swap"] * self.rules.swap

    def observe(self, position: Position, seat: Seat) -> NDArray[np.int32]:
        """Return what `seat` sees of a position."""
        counts, _ = self._of_pool(position.pool)
        target, totals = self.rules.target, position.totals
        if not self._own:
            row = (*counts, seat, target - totals[0])
        elif seat == 1:
            row = (*counts, seat, target - totals[0], target - totals[1])
        else:
            row = (*counts, seat, target - totals[1], target - totals[0])
        return np.array(row if self._plain else (*row, *self._memory(position)), np.int32)

    def observe_all(self, columns: Columns) -> NDArray[Any]:
        """Return what the seat to move sees of many positions, as rows of the smallest type that holds them."""
        target = self.rules.target
        rows = [*columns.left.T, columns.seat, target - columns.mine]
        if self._own:
            rows.append(target - columns.other)
        if self._ban:
            rows.append(columns.before)
        if self.rules.swap:
            rows.append(2 - columns.phase.astype(np.int8))
        found = np.empty((len(columns.seat), len(rows)), self._seen)
        for at, row in enumerate(rows):
            found[:, at] = row
        return found

    @cached_property
    def _seen(self) -> type[np.signedinteger[Any]]:
        rules = self.rules
        if rules.tie is Tie.SUDDEN_DEATH:
            return np.int64
        most = sum(map(abs, rules.pool)) + max(abs(rules.target - start) for start in rules.start)
        return next(kind for kind in (np.int8, np.int16, np.int32) if most <= np.iinfo(kind).max)

    def _memory(self, position: Position) -> tuple[int, ...]:
        previous = position.previous
        banned = (previous.amount if previous else 0,) if self._ban else ()
        swap = (2 if previous is None else int(position.swap_open),) if self.rules.swap else ()
        return banned + swap

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Return 1 for each legal action, 0 for the others: of a match that is over, only zeros."""
        if position.outcome is not None:
            return np.zeros(len(self.moves), np.int8)
        if self._plain:
            return self._of_pool(position.pool)[1].copy()
        found = np.zeros(len(self.moves), np.int8)
        found[self.legal(position)] = 1
        return found

    def legal(self, position: Position) -> list[int]:
        """Return the legal actions, ascending."""
        return [self.action_of[move] for move in position.legal_moves()]

    def _counts_and_mask(self, pool: tuple[int, ...]) -> tuple[tuple[int, ...], NDArray[np.int8]]:
        counts = tuple(map(pool.count, self.numbers))
        mask = np.zeros(len(self.moves), np.int8)
        mask[[at for move, at in self.action_of.items() if move.number in pool]] = 1
        return counts, mask


@lru_cache(maxsize=16)
def encoding_of(rules: Rules) -> Encoding:
    """Return how positions of a game become arrays."""
    return Encoding(rules)


def most_plies(rules: Rules) -> int:
    """Return the length of the longest match."""
    return limits.MATCH_PLIES if rules.tie is Tie.SUDDEN_DEATH else len(rules.pool) + rules.swap


# A whole graph

GOES_ON: Final = 0
ACTION_WON: Final = 1
ACTION_LOST: Final = 2
ILLEGAL: Final = 3


def entries_of(graph: Graph) -> NDArray[np.int32]:
    """Return a row for each node and a column for each move of the game: where it leads, and its outcome.

    An entry is `node after << 2 | outcome`; after an end and after an illegal move the node is 0, the start.
    """
    closed, actions = graph.layers[-1], len(graph.rules.moves)
    to = np.asarray(graph.to)
    entries = to << 2
    ends = np.flatnonzero(to < 0)
    entries[ends] = np.where(to[ends] & 1, ACTION_WON, ACTION_LOST)
    found = np.full(closed * actions, ILLEGAL, np.int32)
    found[cells_of(graph, actions)] = entries
    return found.reshape(closed, actions)


def cells_of(graph: Graph, wide: int) -> NDArray[np.int32]:
    """Return where each edge is in a table with a row of `wide` cells for each node and a cell for each move."""
    closed = graph.layers[-1]
    rows = np.arange(0, closed * wide, wide, dtype=np.int32)
    cells = np.repeat(rows, np.diff(np.asarray(graph.first)[: closed + 1]))
    cells += np.asarray(graph.move)
    return cells


class Columns(NamedTuple):
    """The nodes as columns of whole numbers."""

    left: NDArray[Any]
    """A column for each different number of the pool: how many copies are left."""
    seat: NDArray[Any]
    """1 or 2."""
    mine: NDArray[Any]
    """The total of the seat to move; the total if it is shared."""
    other: NDArray[Any]
    """The other seat's total; the total if it is shared."""
    before: NDArray[Any]
    """The amount of the move before if a ban remembers it, else 0."""
    phase: NDArray[Any]
    """Of the swap rule: 0 before the first move, 1 if `swap` is a move, 2 later; 0 without the rule."""


def columns(graph: Graph) -> Columns:
    """Return every node as columns."""
    if isinstance(graph.names, CodedNames):
        table = graph.names.table
        return decode(table, *split(table, graph.names.codes))
    numbers = dict.fromkeys(graph.rules.pool)
    bans, rows = graph.rules.ban is not Ban.NONE, []
    for node in range(graph.size):
        one = graph.position(node)
        before = one.previous.amount if bans and one.previous else 0
        phase = 0 if not graph.rules.swap or one.previous is None else 1 if one.swap_open else 2
        left = (one.pool.count(number) for number in numbers)
        rows.append((*left, one.seat, one.total(one.seat), one.total(one.seat.other), before, phase))
    found = np.array(rows, np.int64)
    return Columns(found[:, : len(numbers)], *found[:, len(numbers) :].T)


def split(table: Codes, codes: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the used copies of some codes, and the bits above them; these as long numbers of Python if need be."""
    if table.bits <= WORD:
        words = np.array(codes, np.int64)
        return words & table.used, words >> table.seat
    rest = np.array([code >> table.seat for code in codes], object)
    if table.bits - table.seat <= WORD:
        rest = rest.astype(np.int64)
    return np.array([code & table.used for code in codes], np.uint64), rest


def decode(table: Codes, used: NDArray[Any], rest: NDArray[Any]) -> Columns:
    """Return codes as columns, given the used copies and the bits above them."""
    pool, shift = table.rules.pool, table.seat
    groups = [sum(1 << place for place, one in enumerate(pool) if one == number) for number in dict.fromkeys(pool)]
    left = np.stack([np.bitwise_count(~used & used.dtype.type(group)) for group in groups]).T
    seat = (rest & 1).astype(np.uint8)
    one, two = ((rest >> place - shift & table.total) + table.low for place in table.totals)
    amounts = np.array([-amount if amount else 0 for amount in table.banned])
    before = amounts[((rest & table.before >> shift) >> table.before_shift - shift).astype(np.intp)]
    phase = (rest >> table.phase_shift - shift & 3).astype(np.uint8) if table.rules.swap else np.zeros_like(seat)
    first = seat == 0
    return Columns(left, seat + 1, np.where(first, one, two), np.where(first, two, one), before, phase)
