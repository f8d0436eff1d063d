"""Builds a graph from the table of codes, one count of used numbers at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.rules.position import Position
from zerosum.solver.graph_arrays import MOST_NODES, Graph, too_many
from zerosum.solver.graph_codes import DIFFERENT, SWAP_OPEN, SWAP_PAST, XORED, CodedNames, Codes, begin, legal_steps


@dataclass(slots=True)
class Generation:
    """The nodes that have used equally many numbers and have no edges yet."""

    codes: list[int]
    flips: list[int]
    """Which mirror each is of the code that all its mirrors share."""
    masks: list[int]
    """Which mirrors of that code arise, as bits."""
    came: list[int]
    """The edge that first led to each."""


def grow(
    starts: Sequence[Position],
    *,
    mirrors: bool = True,
    most: int = MOST_NODES,
    most_edges: int | None = None,
    progress: Progress = silent,
) -> Iterator[Graph]:
    """Yield the graph from some starts each time that it has grown by the moves that use one more number.

    More than `most` nodes, or `most_edges` edges, are refused.
    """
    graph, names = begin(starts, mirrors=mirrors)
    table, phase = names.table, names.table.phase_of(starts[0])
    codes = [code for code in map(table.code, starts) if code is not None]
    flips = [table.canonical(code)[1] for code in codes]
    here = Generation(codes, flips, [1 << flip for flip in flips], [-1] * len(codes))
    for _ in starts[0].pool:
        _add_layer(graph, names, here)
        swaps = len(here.codes) if graph.rules.swap and phase == SWAP_OPEN else 0
        if swaps:
            here = _with_swapped(graph, names, here)
        phase = min(phase + 1, SWAP_PAST)
        limit = _Limit(most, most_edges or most * len(graph.rules.moves))
        here = _follow(graph, table, here, table.phase_bits(phase), limit, swaps=swaps)
        progress(f"{graph.size:,} positions found")
        yield graph
        if not here.codes:
            return
    _add_nodes(graph, names, here)
    graph.first.extend([len(graph.to)] * len(here.codes))
    yield graph


def _add_nodes(graph: Graph, names: CodedNames, here: Generation) -> None:
    names.codes.extend(here.codes)
    graph.came.extend(here.came)
    if names.table.mirror is None:
        graph.count.extend([1] * len(here.codes))
    else:
        movable = map(names.table.movable, here.codes)
        graph.count.extend(DIFFERENT[at][mask] for at, mask in zip(movable, here.masks, strict=True))


def _add_layer(graph: Graph, names: CodedNames, here: Generation) -> None:
    _add_nodes(graph, names, here)
    graph.layers.append(graph.size)


def _with_swapped(graph: Graph, names: CodedNames, here: Generation) -> Generation:
    """Add the layer of positions whose seats were just swapped, and return them after those before the swap."""
    table, size = names.table, len(here.codes)
    by = table.phase_bits(SWAP_PAST) - table.phase_bits(SWAP_OPEN)
    swapped = Generation([code + by for code in here.codes], here.flips, here.masks, [0] * size)
    _add_layer(graph, names, swapped)
    graph.lags = 2
    return Generation(here.codes + swapped.codes, here.flips * 2, here.masks * 2, [])


class _Limit(NamedTuple):
    """How large a graph may grow."""

    nodes: int
    edges: int


def _follow(graph: Graph, table: Codes, here: Generation, phase: int, limit: _Limit, *, swaps: int) -> Generation:
    """Add the edges of all nodes of a generation, and return the nodes that they lead to.

    The first `swaps` nodes have a swap as their last move, which leads as many nodes on.
    """
    to, move, first, came = graph.to, graph.move, graph.first, graph.came
    free = graph.size
    begin = free - len(here.codes)
    found: dict[int, int] = {}
    after = Generation([], [], [], [])
    keep, used, middle, mirrored = table.keep, table.used, table.middle, table.mirror is not None
    swap = len(graph.rules.moves) - 1
    last = (here.codes[0] & used).bit_count() + 1 == len(graph.rules.pool)
    for at, code in enumerate(here.codes):
        seat = code >> table.seat & 1
        mine = code >> table.totals[seat] & table.total
        below, on, above = table.ends[seat]
        base = (code & keep) + phase
        for index, amount, _, _, change in legal_steps(table, code, seat):
            there = base + change
            total = mine + amount
            end = table.last_end(there) if last else below if total < middle else on if total == middle else above
            move.append(index)
            if end:
                to.append(end)
                continue
            if last:
                there &= ~used
            key, flip = table.canonical(there) if mirrored else (there, 0)
            node = found.get(key)
            if node is None:
                node = found[key] = len(after.codes)
                after.codes.append(there)
                after.flips.append(flip)
                after.masks.append(0)
                after.came.append(len(to))
            if mirrored:
                after.masks[node] |= XORED[flip ^ here.flips[at]][here.masks[at]]
            to.append(free + node)
        if at < swaps:
            came[begin + swaps + at] = len(to)
            move.append(swap)
            to.append(begin + swaps + at)
        first.append(len(to))
        if free + len(after.codes) > limit.nodes or len(to) > limit.edges:
            raise too_many(graph.rules, limit.nodes)
    return after
