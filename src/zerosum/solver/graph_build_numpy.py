"""Builds a graph by NumPy, of the extra `fast`: the same arrays as `graph_build.grow` makes, sooner."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.base.progress import Progress, silent
from zerosum.rules.position import Position
from zerosum.solver.graph_arrays import MOST_NODES, Graph, too_many
from zerosum.solver.graph_codes import CHUNK, DIFFERENT, SWAP_OPEN, SWAP_PAST, XORED, CodedNames, Codes, begin
from zerosum.solver.mirrors import Mirror

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
_ENTRIES_AT_ONCE: Final = 1 << 15
"""Moves that are played together; their columns fit into a cache."""
_SWAPPED: Final = 1
"""Stands for the end of a swap until its node has a number."""
_CASES: Final = 54
_SHORT: Final = 31
"""Codes of at most this many bits are played as short numbers."""
_XORED: Final = np.array(XORED)
_DIFFERENT: Final = np.array(DIFFERENT)


class _Generation(NamedTuple):
    """The same as `graph_build.Generation`."""

    codes: Ints
    flips: Ints
    masks: Ints
    came: Ints


def build(
    starts: Sequence[Position], *, mirrors: bool = True, most: int = MOST_NODES, progress: Progress = silent
) -> Graph:
    """Return the graph from some starts, with the arrays that `graph_build.grow` makes; codes must fit 62 bits."""
    graph, names = begin(starts, mirrors=mirrors)
    table, phase = names.table, names.table.phase_of(starts[0])
    codes = np.array([table.code(start) for start in starts], np.int64)
    flips = np.array([table.canonical(int(code))[1] for code in codes], np.int64)
    here = _Generation(codes, flips, 1 << flips, np.full(len(codes), -1))
    follow = _Follow(graph, table, most)
    for left in range(len(starts[0].pool), 0, -1):
        _add_nodes(graph, names, here)
        graph.layers.append(graph.size)
        swaps = len(here.codes) if graph.rules.swap and phase == SWAP_OPEN else 0
        if swaps:
            by = table.phase_bits(SWAP_PAST) - table.phase_bits(SWAP_OPEN)
            _add_nodes(graph, names, here._replace(codes=here.codes + by))
            graph.layers.append(graph.size)
            graph.lags = 2
            codes = np.concatenate([here.codes, here.codes + by])
            here = _Generation(codes, np.tile(here.flips, 2), np.tile(here.masks, 2), here.came)
        phase = min(phase + 1, SWAP_PAST)
        here = follow(here, table.phase_bits(phase), swaps, last=left == 1)
        if graph.size + len(here.codes) > most:
            raise too_many(graph.rules, most)
        progress(f"{graph.size:,} positions found")
        if not len(here.codes):
            return graph
    _add_nodes(graph, names, here)
    graph.first.extend([len(graph.to)] * len(here.codes))
    return graph


def _extend(column: array[int], found: NDArray[Any]) -> None:
    column.frombytes(found.astype(column.typecode).tobytes())


def _add_nodes(graph: Graph, names: CodedNames, here: _Generation) -> None:
    names.codes.extend(array("q", here.codes.tobytes()))
    _extend(graph.came, here.came)
    if names.table.mirror is None:
        _extend(graph.count, np.ones(len(here.codes), np.int64))
    else:
        _extend(graph.count, _DIFFERENT[_movable(names.table, here.codes), here.masks])


class _Edges(NamedTuple):
    """The edges of a generation, before the nodes that they lead to have numbers."""

    ends: NDArray[Any]
    """0 if play goes on, and `_SWAPPED` for the swaps, which the first nodes have."""
    moves: NDArray[np.int16]
    counts: NDArray[np.uint8]
    """How many edges each node has."""
    going: Ints
    """The edges after which play goes on."""
    after: NDArray[Any]
    """The codes that these lead to."""


class _Follow:
    """Adds the edges of a generation, and returns the nodes that they lead to."""

    def __init__(self, graph: Graph, table: Codes, most: int) -> None:
        self.graph, self.table, self.most = graph, table, most
        self.kind = np.int32 if table.bits <= _SHORT else np.int64
        steps = table.steps
        self.copies = np.array([step.copies for step in steps[0]], self.kind)
        self.first = np.array([step.first for step in steps[0]], self.kind)
        self.amount = np.array([step.amount for step in steps[0]], self.kind)
        self.changes = np.array([[step.change for step in of_seat] for of_seat in steps], self.kind)
        self.moves = np.array([*(step.move for step in steps[0]), len(graph.rules.moves) - 1], np.int16)
        self.ends = np.array(table.ends, np.int8)
        self.banned = np.array([one or 0 for one in table.banned], self.kind)

    def __call__(self, here: _Generation, phase: int, swaps: int, *, last: bool) -> _Generation:
        graph, table = self.graph, self.table
        free, edge = graph.size, len(graph.to)
        edges = self._edges(here.codes, phase, swaps, last=last)
        # Any of the numbers used may have been the last.
        ways = len(self.copies) * (2 if graph.rules.swap else 1) * (4 if table.mirror else 1)
        if len(edges.going) > (self.most - free) * ways:
            raise too_many(graph.rules, self.most)
        to, going, there = edges.ends, edges.going, edges.after
        if swaps:
            to[to == _SWAPPED] = np.arange(free - swaps, free)
            lasts = edge + np.cumsum(edges.counts[:swaps]) - 1
            graph.came[free - swaps : free] = array("i", lasts.tolist())
        if last:
            there &= ~table.used
        keys, flips = _canonical(table, there)
        node, chosen = _ranked(keys)
        to[going] = free + node
        graph.to.frombytes(to.view(np.uint8).data)
        graph.move.frombytes(edges.moves.view(np.uint8).data)
        _extend(graph.first, edge + np.cumsum(edges.counts))
        masks = np.ones(len(chosen), np.int64)
        if table.mirror is not None:
            parents = np.repeat(np.arange(len(edges.counts)), edges.counts)[going]
            masks = _together(node, _XORED[flips ^ here.flips[parents], here.masks[parents]], len(chosen))
        return _Generation(there[chosen].astype(np.int64), flips[chosen], masks, edge + going[chosen])

    def _edges(self, codes: Ints, phase: int, swaps: int, *, last: bool) -> _Edges:
        wide = len(self.copies) + (swaps > 0)
        rows = max(1, _ENTRIES_AT_ONCE // wide)
        moves = np.tile(self.moves[:wide], rows)
        parts, size = [], 0
        for low in range(0, len(codes), rows):
            some = codes[low : low + rows].astype(self.kind)
            legal = self._legal(some)
            after, ends = self._play(some, phase, last=last)
            if swaps:
                legal = np.column_stack([legal, np.arange(low, low + len(some)) < swaps])
                after = np.column_stack([after, some])
                ends = np.column_stack([ends, np.full(len(some), _SWAPPED, np.int8)])
            at = np.flatnonzero(legal)
            ends = ends.reshape(-1).take(at)
            going = np.flatnonzero(ends == 0)
            counts = legal.view(np.uint8).sum(axis=1, dtype=np.uint8)
            parts.append(_Edges(ends, moves.take(at), counts, going + size, after.reshape(-1).take(at.take(going))))
            size += len(at)
        joined = _Edges(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        return joined._replace(ends=joined.ends.astype(np.int32))

    def _legal(self, codes: NDArray[Any]) -> Flags:
        table = self.table
        used: NDArray[Any] = codes & table.used
        legal: Flags = (used[:, None] & self.copies) == self.first
        if table.bans:
            banned = self.banned[(codes & table.before) >> table.before_shift]
            allowed = legal & (self.amount != banned[:, None])
            legal = np.where(allowed.any(axis=1)[:, None], allowed, legal)
        return legal

    def _play(self, codes: NDArray[Any], phase: int, *, last: bool) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return the code after each move of each node, and its end, 0 if play goes on; both right if it is legal."""
        table = self.table
        seat = codes >> table.seat & 1
        # Seats differ only if the starts do.
        alike = seat.min() == seat.max()
        of = slice(seat[0], seat[0] + 1) if alike else seat
        base: NDArray[Any] = (codes & table.keep) + self.kind(phase)
        there = base[:, None] + self.changes[of]
        if last:
            one, two = (there >> place & table.total for place in table.totals)
            return there, last_ends(table, one, two, there >> table.seat & 1)
        places = table.totals[seat[0]] if alike else np.array(table.totals, self.kind)[seat]
        # What a move has to add to land on the target.
        need = (table.middle - (codes >> places & table.total))[:, None]
        below, on, above = (ends[:, None] for ends in self.ends[of].T)
        found = (self.amount == need).view(np.int8) * (on - below) + below
        if (below != above).any():
            found += (self.amount > need).view(np.int8) * (above - below)
        return there, found


def last_ends(table: Codes, one: NDArray[Any], two: NDArray[Any], seat: NDArray[Any]) -> NDArray[np.int8]:
    """Return the ends of moves that empty the pool, 0 if it is refilled: by both totals, as codes write them.

    `seat` is the bit of the seat that would move next. An empty pool is judged by who moved, on which side of the
    target each total is, and which is closer, so one example of each case is asked about.
    """
    one, two = one - table.middle, two - table.middle
    case = (np.sign(one) * 9 + np.sign(two) * 3 + np.sign(abs(one) - abs(two)) + (seat * 27 + 13)).astype(np.intp)
    example = np.full(_CASES, -1)
    example[case.reshape(-1)] = np.arange(case.size)
    ends = np.zeros(_CASES, np.int8)
    for at in np.flatnonzero(example >= 0).tolist():
        totals = (int(column.reshape(-1)[example[at]]) + table.rules.target for column in (one, two))
        ends[at] = table.end_of_pool(*totals, second=at >= _CASES // 2)
    found: NDArray[np.int8] = ends[case]
    return found


def _ranked(codes: NDArray[Any]) -> tuple[NDArray[np.int32], Ints]:
    """Return a number for each code, in the order in which they come first, and where each number comes first."""
    _, index, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(index)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    return rank[place], index[order]


def _together(node: NDArray[np.int32], masks: Ints, size: int) -> Ints:
    """Return all bits of the masks that belong to each node."""
    found = np.zeros(size, np.int64)
    for bit in range(4):
        found[node[masks >> bit & 1 == 1]] |= 1 << bit
    return found


def _canonical(table: Codes, codes: Ints) -> tuple[Ints, Ints]:
    flips = np.zeros(len(codes), np.int64)
    if table.mirror is Mirror.SIDES:
        keys = codes.copy()
        for bit, place in enumerate(table.places):
            above = np.maximum((codes >> place & table.total) - table.middle, 0)
            keys -= above << place + 1
            flips |= (above > 0).astype(np.int64) << bit
        return keys, flips
    if table.mirror is Mirror.NEGATION:
        negated = _negate(table, codes)
        return np.minimum(codes, negated), (negated < codes).astype(np.int64)
    return codes, flips


def _negate(table: Codes, codes: Ints) -> Ints:
    used = codes & table.used
    found = codes - used
    for at, bits in enumerate(table.negated_bits):
        found += np.array(bits)[used >> at * CHUNK & (1 << CHUNK) - 1]
    for place in table.places:
        found -= (codes >> place & table.total) - table.middle << place + 1
    return found


def _movable(table: Codes, codes: Ints) -> Ints:
    if table.mirror is Mirror.NEGATION:
        return np.asarray(_negate(table, codes) != codes, np.int64)
    found = np.zeros(len(codes), np.int64)
    for bit, place in enumerate(table.places):
        found |= ((codes >> place & table.total) != table.middle).astype(np.int64) << bit
    return found
