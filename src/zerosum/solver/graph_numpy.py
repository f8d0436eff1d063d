"""The builder and the passes of a graph by NumPy, of the extra `fast`: the same arrays and figures, sooner.

Within a layer every array has a row for each node and a column for each move; `legal` says which columns are moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Ban
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position
from zerosum.solver.graph_arrays import ENDS, MOST_NODES, REASONS, Graph, too_many
from zerosum.solver.graph_coded import WORD, CodedNames, begin
from zerosum.solver.graph_codes import CHUNK, DIFFERENT, SWAP_OPEN, SWAP_PAST, XORED, Codes, Mirror
from zerosum.solver.graph_passes import (
    END_CHANCES,
    END_WORTHS,
    Chooser,
    Counts,
    MatchCourse,
    Meeting,
    Pair,
    RoundChances,
    Strength,
    Truth,
    reasons,
)
from zerosum.solver.value import AT_ONCE, FAR

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_NEVER: Final = -(1 << 40)
"""The worth of a move that is not legal: below any other."""
_TRAP: Final = 3
_AT_ONCE_SIZE: Final = 1 << 17
"""Chances that are multiplied together; they fit into a cache."""
_ENTRIES_AT_ONCE: Final = 1 << 15
"""Moves that are played together; their columns fit into a cache."""
_SWAPPED: Final = 1
"""Stands for the end of a swap until its node has a number."""
_SLOTS: Final = 1 << 25
"""Keys below this number have a slot each, larger ones are sorted."""
_CASES: Final = 54
_SHORT: Final = 31
"""Codes of at most this many bits are played as short numbers."""
_XORED: Final = np.array(XORED)
_DIFFERENT: Final = np.array(DIFFERENT)


# Building


class _Generation(NamedTuple):
    """The same as `graph_coded.Generation`."""

    codes: Ints
    flips: Ints
    masks: Ints
    came: Ints


def build(
    starts: Sequence[Position], *, mirrors: bool = True, most: int = MOST_NODES, progress: Progress = silent
) -> Graph:
    """Return the graph from some starts, with the arrays that `graph_coded.grow` makes; codes must fit 62 bits."""
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
        self.rank = _Ranking(table, len(graph.before))

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
        node, chosen = self.rank(keys)
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


class _Ranking:
    """Numbers the different keys of a generation in the order in which they come first."""

    def __init__(self, table: Codes, starts: int) -> None:
        self._table = table
        totals = _totals(table)
        # The numbers used say what all totals come to if they were added to one start.
        sums = table.rules.operations == ADD_ONLY and starts == 1 and table.mirror is None
        self._totals = totals[1:] if sums else totals
        self._seats = starts > 1
        self._slots = np.empty(0, np.int32)

    def __call__(self, codes: NDArray[Any]) -> tuple[NDArray[np.int32], Ints]:
        """Return the number of each key, and where each number comes first."""
        found = self._small(codes)
        if found is None:
            _, index, place = np.unique(codes, return_index=True, return_inverse=True)
            order = np.argsort(index)
            rank = np.empty(len(order), np.int32)
            rank[order] = np.arange(len(order))
            return rank[place], index[order]
        keys, size = found
        if len(self._slots) < size:
            self._slots = np.empty(size, np.int32)
        every = np.arange(len(keys), dtype=np.int32)
        # Of those with one key the last to be written stays: from behind, that is the first.
        self._slots[keys[::-1]] = every[::-1]
        chosen = np.flatnonzero(self._slots.take(keys) == every)
        self._slots[keys[chosen]] = every[: len(chosen)]
        return self._slots.take(keys), chosen

    def _small(self, codes: NDArray[Any]) -> tuple[NDArray[Any], int] | None:
        """Return a smaller number for each code, equal if the codes are, and how many there can be; None if many."""
        table = self._table
        keys, size = (codes & table.used).astype(np.intp), table.used + 1
        fields = [(place, table.total) for place in self._totals]
        fields += [(table.before_shift, table.before >> table.before_shift)] if table.bans else []
        fields += [(table.seat, 1)] if self._seats else []
        for place, mask in fields:
            if size > _SLOTS or not len(codes):
                return None
            field = codes >> place & mask
            field -= field.min()
            wide = int(field.max()) + 1
            if size * wide > _SLOTS:
                return None
            keys += field.astype(np.intp) * size
            size *= wide
        return (keys, size) if size <= _SLOTS else None


def _together(node: NDArray[np.int32], masks: Ints, size: int) -> Ints:
    """Return all bits of the masks that belong to each node."""
    found = np.zeros(size, np.int64)
    for bit in range(4):
        found[node[masks >> bit & 1 == 1]] |= 1 << bit
    return found


def _totals(table: Codes) -> list[int]:
    return table.totals if table.own else table.totals[:1]


def _canonical(table: Codes, codes: Ints) -> tuple[Ints, Ints]:
    flips = np.zeros(len(codes), np.int64)
    if table.mirror is Mirror.SIDES:
        keys = codes.copy()
        for bit, place in enumerate(_totals(table)):
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
    for place in _totals(table):
        found -= (codes >> place & table.total) - table.middle << place + 1
    return found


def _movable(table: Codes, codes: Ints) -> Ints:
    if table.mirror is Mirror.NEGATION:
        return np.asarray(_negate(table, codes) != codes, np.int64)
    found = np.zeros(len(codes), np.int64)
    for bit, place in enumerate(_totals(table)):
        found |= ((codes >> place & table.total) != table.middle).astype(np.int64) << bit
    return found


# Layers


class _Layer(NamedTuple):
    """The edges of a layer, as a matrix."""

    low: int
    high: int
    edge: Ints
    to: Ints
    legal: Flags
    moves: Ints
    """How many moves each node has."""
    into: Ints
    """Where the moves lead, counted from the end of the layer and after the ends."""


def _layers(graph: Graph) -> list[tuple[int, int]]:
    return list(pairwise(graph.layers))


def _layer(graph: Graph, low: int, high: int) -> _Layer:
    first = np.asarray(graph.first)[low : high + 1].astype(np.int64)
    moves = np.diff(first)
    columns = np.arange(moves.max())
    legal = columns < moves[:, None]
    edge = np.where(legal, first[:-1, None] + columns, first[:-1, None])
    to = np.asarray(graph.to)[edge].astype(np.int64)
    into = np.where(to < 0, to + ENDS, to - high + ENDS).reshape(-1)
    return _Layer(low, high, edge, to, legal, moves, into)


def _back(truth: Truth) -> Ints:
    worth = np.asarray(truth.worth).astype(np.int64)
    return np.concatenate([_before_move(worth), END_WORTHS])


def _before_move(worth: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = np.sign(worth) - worth
    return found


def _worths(layer: _Layer, back: Ints) -> Ints:
    return np.where(layer.legal, back[layer.to], _NEVER)


# Passes


def values(graph: Graph, opened: Sequence[tuple[int, int]] = ()) -> Truth:
    """Return what `graph_passes.values` returns."""
    closed = graph.layers[-1]
    worth, winning = (np.zeros(graph.size, np.int32) for _ in range(2))
    if opened:
        worth[closed:], winning[closed:] = np.array(opened).T
    back = np.concatenate([_before_move(worth), np.array(END_WORTHS, np.int32)])
    first, to = np.asarray(graph.first), np.asarray(graph.to)
    for low, high in reversed(_layers(graph)):
        edges = first[low : high + 1]
        worths = back[to[edges[0] : edges[-1]]]
        starts = edges[:-1] - edges[0]
        worth[low:high] = best = np.maximum.reduceat(worths, starts)
        winning[low:high] = np.add.reduceat(worths > 0, starts, dtype=np.int32)
        back[low:high] = _before_move(best)
    return Truth(_shared(worth), _shared(winning))


def _shared(found: NDArray[Any]) -> Any:  # noqa: ANN401 - a memoryview, which is read as plain numbers
    """Return an array as numbers of Python that NumPy reads without a copy."""
    return np.ascontiguousarray(found).data


def counts(graph: Graph, truth: Truth) -> Counts:
    """Return what `graph_passes.counts` returns."""
    numbers = np.array([move.number for move in graph.rules.moves])
    move, count, back = np.asarray(graph.move), np.asarray(graph.count), _back(truth)
    found = Counts()
    for low, high in _layers(graph):
        layer = _layer(graph, low, high)
        worths = _worths(layer, back)
        many = count[low:high]
        real, only = _kinds(layer, worths)
        wins = worths > 0
        found.positions += int(many.sum())
        found.mover_wins += int(many[wins.any(axis=1)].sum())
        found.real += int(many[real].sum())
        found.only += int(many[only].sum())
        taken = numbers[move[layer.edge]]
        several = np.zeros(high - low, np.int64)
        winners = {}
        for number in np.unique(taken).tolist():
            winners[number] = (wins & (taken == number)).any(axis=1)
            several += winners[number]
        needed = real & (several == 1)
        for number, won in winners.items():
            if won.any():
                found.wins[number] = found.wins.get(number, 0) + int(many[won].sum())
            if (won & needed).any():
                found.needed[number] = found.needed.get(number, 0) + int(many[won & needed].sum())
    return found


def _kinds(layer: _Layer, worths: Ints) -> tuple[Flags, Flags]:
    """Return which nodes are real choices, and which have only one right move."""
    best = worths.max(axis=1)
    right = np.where(best > 0, (worths > 0).sum(axis=1), (worths == 0).sum(axis=1))
    right = np.where(best < 0, layer.moves, right)
    real = right < layer.moves
    return real, real & (right == 1) & (best >= 0)


class _Chances:
    """The chances of some players, layer by layer."""

    def __init__(self, truth: Truth, players: Sequence[Chooser]) -> None:
        self._back = _back(truth)
        self._winning = np.concatenate([np.asarray(truth.winning), np.zeros(ENDS, np.int32)]).astype(np.int64)
        self._levels = [one for one in players if not isinstance(one, Sequence | array)]
        # None for a level.
        self._others = [np.asarray(one) if isinstance(one, Sequence | array) else None for one in players]

    def of(self, layer: _Layer) -> tuple[Ints, list[Floats]]:
        """Return what each move is worth, and each player's chance of each move."""
        worths = _worths(layer, self._back)
        of_levels = iter(_chances(self._levels, layer, worths, self._winning[layer.to]) if self._levels else ())
        return worths, [
            next(of_levels) if chances is None else np.where(layer.legal, chances[layer.edge], 0.0)
            for chances in self._others
        ]


def _chances(levels: Sequence[Strength], layer: _Layer, worths: Ints, replies: Ints) -> list[Floats]:
    """Return each level's chance of each move: `chances_of` for a whole layer."""
    legal, best = layer.legal, worths.max(axis=1)
    quickest = worths == best[:, None]
    sure = _evenly(quickest)
    trap = sure
    if (best < 0).any():
        ranks = (np.minimum(FAR + worths, _TRAP) * 4096 - replies) * (1 << 31) + worths
        ranks = np.where(legal, ranks, np.iinfo(np.int64).min)
        trap = _evenly(ranks == ranks.max(axis=1)[:, None])
    blindly = legal / layer.moves[:, None]
    found: list[Floats] = []
    thinking: dict[int, Floats] = {}
    for level in levels:
        if level.sight not in thinking:
            seen = FAR - level.sight
            safe = legal & (worths > -seen)
            thinks = (best < seen) & safe.any(axis=1)
            thinking[level.sight] = _evenly(np.where(thinks[:, None], safe, quickest))
        chances: Any = level.slip * blindly + (1 - level.slip) * thinking[level.sight]
        if level.traps:
            chances = np.where(((best < 0) & (FAR + best <= level.sight))[:, None], trap, chances)
        if level.sure:
            chances = np.where((best == AT_ONCE)[:, None], sure, chances)
        found.append(chances)
    return found


def _evenly(chosen: Flags) -> Floats:
    shares: Floats = chosen / chosen.sum(axis=1)[:, None]
    return shares


def edge_chances(graph: Graph, truth: Truth, player: Strength) -> Sequence[float]:
    """Return what `graph_passes.edge_chances` returns."""
    chances = _Chances(truth, [player])
    found = []
    for low, high in _layers(graph):
        layer = _layer(graph, low, high)
        found.append(chances.of(layer)[1][0][layer.legal])
    return array("d", np.concatenate(found).tobytes())


def meet(
    graph: Graph,
    truth: Truth,
    players: Sequence[Chooser],
    pairs: Sequence[Pair],
    *,
    opened: Sequence[Sequence[float]] = (),
    keep: int = 0,
    progress: Progress = silent,
) -> Meeting:
    """Return what `graph_passes.meet` returns."""
    closed, wide = graph.layers[-1], len(pairs)
    # Columns in the order of those who do not move, so that all that one mover needs lie together.
    order = sorted(range(wide), key=lambda at: (pairs[at][1], pairs[at][0]))
    column = {pairs[at]: n for n, at in enumerate(order)}
    blocks = []
    for mover in sorted({one for one, _ in pairs}):
        others_of = [two for one, two in (pairs[at][::-1] for at in order) if one == mover]
        low = column[others_of[0], mover]
        blocks.append((mover, slice(low, low + len(others_of)), [column[mover, two] for two in others_of]))
    others = np.zeros((graph.size + ENDS, wide))
    if opened:
        others[closed : graph.size] = 1 - np.array(opened)[:, order]
    others[graph.size :] = np.array(END_CHANCES)[:, None]
    chances = _Chances(truth, players)
    for low, high in reversed(_layers(graph)):
        layer = _layer(graph, low, high)
        _, of_players = chances.of(layer)
        size = max(1, _AT_ONCE_SIZE // (layer.to.shape[1] * wide))
        for begin_at in range(0, high - low, size):
            part = slice(begin_at, min(begin_at + size, high - low))
            rows = others[layer.to[part]]
            for mover, block, into in blocks:
                won = np.einsum("nd,ndk->nk", of_players[mover][part], rows[:, :, block])
                others[low + part.start : low + part.stop, into] = 1 - won
        progress(f"{graph.size - low:,} of {graph.size:,} positions")
    back = [column[pair] for pair in pairs]
    starts = (1 - others[: len(graph.before), back]).tolist()
    return Meeting(starts, [_shared(1 - others[: graph.size, back[n]]) for n in range(keep)])


def best_response(graph: Graph, truth: Truth, policy: Chooser) -> tuple[Sequence[float], Sequence[float]]:
    """Return what `graph_passes.best_response` returns."""
    if graph.opened:
        raise BadValueError("A match may go on for ever; no best response is known.")
    responds = np.concatenate([np.zeros(graph.size), 1 - np.array(END_CHANCES)])
    waits = np.concatenate([np.zeros(graph.size), END_CHANCES])
    chances = _Chances(truth, [policy])
    for low, high in reversed(_layers(graph)):
        layer = _layer(graph, low, high)
        worths, (shares,) = chances.of(layer)
        won = worths.max(axis=1) > 0
        best = np.where(layer.legal, waits[layer.to], 0.0).max(axis=1)
        mean = (shares * responds[layer.to]).sum(axis=1)
        responds[low:high] = np.where(won, 1.0, np.minimum(best, 1.0))
        waits[low:high] = np.where(won, np.minimum(mean, 1.0), 1.0)
    return _shared(responds[: graph.size]), _shared(waits[: graph.size])


def courses(
    graph: Graph, truth: Truth, players: Sequence[Chooser], won: Sequence[Sequence[float]], start: int = 0
) -> list[MatchCourse]:
    """Return what `graph_passes.courses` returns."""
    why = reasons(graph)
    found = [MatchCourse([0.0] * len(graph.layers), dict.fromkeys(why, 0.0)) for _ in players]
    forward = _Forward(graph, len(players), start)
    chances = _Chances(truth, players)
    likes = [np.asarray(column) for column in won]
    for at, (low, high) in enumerate(_layers(graph)):
        layer = _layer(graph, low, high)
        worths, of_players = chances.of(layer)
        best = worths.max(axis=1)
        real, only = _kinds(layer, worths)
        worse = np.where(best[:, None] > 0, worths <= 0, worths < 0) & layer.legal & real[:, None]
        for player, course in enumerate(found):
            like = likes[player][low:high]
            behind = np.where(best > 0, 1 - like, np.where(best < 0, like, 0.0))
            changes = np.where(worse, of_players[player], 0.0).sum(axis=1)
            for ply, mass in forward.masses(player, at):
                course.behind += float(mass @ behind)
                course.real += float(mass[real].sum())
                course.only += float(mass[only].sum())
                course.changes += float(mass @ changes)
                ended = forward.move(player, at, ply, layer, of_players[player])
                course.plies[ply + 1] += sum(ended)
                for reason in course.endings:
                    end = 2 * REASONS.index(reason)
                    course.endings[reason] += ended[end] + ended[end + 1]
    for player, course in enumerate(found):
        for ply, mass in forward.masses(player, len(graph.layers) - 1):
            course.refill += float(mass.sum())
            course.plies[ply] += float(mass.sum())
    return found


class _Forward:
    """How often each node is reached, by player and by how many plies sooner than by the longest way."""

    def __init__(self, graph: Graph, players: int, start: int) -> None:
        self._bounds = [*graph.layers, graph.size]
        self.mass = np.zeros((players, graph.lags, graph.size))
        self.mass[:, 0, start] = 1.0

    def masses(self, player: int, layer: int) -> list[tuple[int, Floats]]:
        """Return the plies at which a layer is reached, with how often each of its nodes is."""
        low, high = self._bounds[layer], self._bounds[layer + 1]
        found = ((layer - lag, mass[low:high]) for lag, mass in enumerate(self.mass[player]))
        return [(ply, mass) for ply, mass in found if mass.any()]

    def move(self, player: int, at: int, ply: int, layer: _Layer, chances: Floats) -> list[float]:
        """Move on from a layer that was reached at a ply; return how often each end is, -1 first."""
        lags = self.mass.shape[1]
        lag = at - ply
        # Columns that are no moves have no chance, wherever they lead.
        flow = (self.mass[player, lag, layer.low : layer.high, None] * chances).reshape(-1)
        end = self._bounds[min(at + 1 + lags, len(self._bounds) - 1)]
        into = np.bincount(layer.into, flow, ENDS + end - layer.high)
        for skipped, (low, high) in enumerate(pairwise(self._bounds[at + 1 : at + 2 + lags])):
            part = into[ENDS + low - layer.high : ENDS + high - layer.high]
            if part.any():
                self.mass[player, lag + skipped, low:high] += part
        ended: list[float] = into[:ENDS][::-1].tolist()
        return ended


def reached(
    graph: Graph, truth: Truth, mover: Chooser, other: Chooser, start: int = 0
) -> tuple[float, Sequence[float]]:
    """Return what `graph_passes.reached` returns."""
    forward = _Forward(graph, 1, start)
    chances = _Chances(truth, [mover, other])
    won = 0.0
    for at, (low, high) in enumerate(_layers(graph)):
        layer = _layer(graph, low, high)
        _, of_players = chances.of(layer)
        for ply, _ in forward.masses(0, at):
            ended = forward.move(0, at, ply, layer, of_players[ply % 2])
            won += sum(ended[ply % 2 :: 2])
    return won, _shared(forward.mass[0].sum(axis=0))


def rounds(graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> list[RoundChances]:
    """Return what `graph_passes.rounds` returns, by one way back for all starts."""
    size, closed = graph.size, graph.layers[-1]
    opened = size - closed
    if graph.lags > 1:
        raise BadValueError("Rounds are known only of games without swaps.")
    # Columns: the one who moves first wins; then each open node.
    following = np.zeros((opened, 1 + opened))
    following[:, 1:] = np.eye(opened)
    chances = _Chances(truth, [mover, other])
    for at in range(len(graph.layers) - 2, -1, -1):
        layer = _layer(graph, *graph.layers[at : at + 2])
        _, of_players = chances.of(layer)
        ends = np.zeros((ENDS, 1 + opened))
        ends[:, 0] = END_CHANCES if at % 2 == 0 else 1 - np.array(END_CHANCES)
        rows = np.concatenate([following, ends])
        to = np.where(layer.to < 0, layer.to, layer.to - layer.high)
        following = np.zeros((layer.high - layer.low, 1 + opened))
        step = max(1, _AT_ONCE_SIZE // (to.shape[1] * (1 + opened)))
        for low in range(0, len(following), step):
            part = slice(low, low + step)
            following[part] = np.einsum("nd,ndk->nk", of_players[at % 2][part], rows[to[part]])
    return [RoundChances(float(row[0]), row[1:].tolist()) for row in following[: len(graph.before)]]


# Tables of environments

GOES_ON: Final = 0
ACTION_WON: Final = 1
ACTION_LOST: Final = 2
ILLEGAL: Final = 3


def table_of(graph: Graph) -> NDArray[np.int32]:
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
