"""The graph of a game: every position that play can reach, and where each move leads, as flat arrays.

Positions are *nodes*, numbered layer by layer; moves are *edges*. The edges of node n are `first[n]` up to
`first[n + 1]`, in the order of `legal_moves`. Edge e is the move `rules.moves[move[e]]` and leads to `to[e]`:

    to >= 0   a node, always of a later layer
    to < 0    an end: -1 - 2 * (index of the reason in REASONS), and one less if the player who moved has lost,
              so an odd end is won and an even end is lost

An array of figures by node that is followed by ENDS figures of the ends can therefore be indexed by `to` directly.

After any move, a swap too, the other person is to move. Figures belong to the person who moves, so a pass over the
graph knows nothing of seats and swaps: what a move wins is what the next mover loses.

A *layer* holds the nodes whose longest way from a start is the same. Only a swap makes ways of different lengths: a
move instead of a swap skips a layer. `lags` is the largest number of layers that a way skips, plus 1.

The last nodes are *open*: the pool was refilled, the next round begins, and they have no edges. The caller of a pass
says what they are worth.

Positions that are mirrors of each other can share a node. The node is then the first of them that was found, its edges
are the moves of that one, and `count` is the number of positions that the node stands for.

`graph_of` builds the graph from a table of codes (`graph_codes.py`; `graph_build.py` is the plain builder,
`graph_build_numpy.py` the fast one) if that table knows every key of the rules, and else by playing moves
(`by_playing.py`). The passes are in `graph_passes.py` and, for large graphs, in `graph_passes_numpy.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import zerosum.solver.graph_passes as plain_passes
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Reaching, Seat
from zerosum.rules.position import Position, can_make
from zerosum.solver.by_playing import MOST_PLAYED, play_graph
from zerosum.solver.graph_arrays import MOST_NODES, Graph
from zerosum.solver.graph_build import grow
from zerosum.solver.graph_codes import codes_fit
from zerosum.solver.graph_passes import Passes, Truth
from zerosum.solver.laws import Fact, Found, true_facts
from zerosum.solver.supports import MOVE_CODES, fast_installed, unknown_key
from zerosum.solver.value import AT_ONCE, Option, SolverError, Value, Verdict, worth_of

NUMPY_FROM: Final = 3_000
"""Nodes from which on loading NumPy pays."""


def graph_of(*starts: Position, mirrors: bool = True, most: int = MOST_NODES, progress: Progress = silent) -> Graph:
    """Return the graph from one position, or from several that have equally large pools.

    The graph is built by playing if the table of codes does not know some key; then it has no mirrors.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.position import start_position
    >>> graph = graph_of(start_position(load_game("sum31")))
    >>> graph.size, truth_of(graph).value(0)
    (420, Value(verdict=Verdict.LOSS, plies=7))
    """
    if unknown_key(MOVE_CODES, starts[0].rules) is not None:
        return play_graph(starts, most=min(most, MOST_PLAYED), progress=progress)
    for graph in grow(starts, mirrors=mirrors, most=most, progress=progress):
        if graph.size >= NUMPY_FROM and fast_installed() and codes_fit(graph):
            from zerosum.solver.graph_build_numpy import build  # noqa: PLC0415 - an extra, and slow to load

            return build(starts, mirrors=mirrors, most=most, progress=progress)
    return graph


def passes_of(graph: Graph, numpy_from: int | None = None) -> Passes:
    """Return the passes that suit a graph: those of NumPy if it is installed and the graph is large.

    A process that goes through many graphs gains from NumPy in smaller ones, because it loads NumPy once.
    """
    if graph.size >= (NUMPY_FROM if numpy_from is None else numpy_from) and fast_installed():
        from zerosum.solver import graph_passes_numpy  # noqa: PLC0415 - an extra, and slow to load

        return graph_passes_numpy
    return plain_passes


def truth_of(graph: Graph, options: Callable[[Position], Sequence[Option]] | None = None) -> Truth:
    """Return what is true of every node; a game that refills its pool needs the `options` of its solution."""
    opened = [options(graph.position(node)) for node in graph.opened] if options is not None else []
    if len(opened) < len(graph.opened):
        raise SolverError(f"{graph.rules.name} refills its pool: its graph needs a solution of the next rounds.")
    return passes_of(graph).values(
        graph, [(worth_of(of[0].value), sum(one.value.verdict is Verdict.WIN for one in of)) for of in opened]
    )


class ReachedPositions:
    """The values of all nodes of a graph; it has no mirrors, refills no pool and swaps no seats."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._truth = truth_of(graph)
        self.count = graph.size

    def value(self, position: Position) -> Value | None:
        """Return the value of a position, None if play cannot reach it."""
        node = self._graph.index(position)
        return None if node is None else self._truth.value(node)

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position with its value."""
        return ((self._graph.position(node), self._truth.value(node)) for node in range(self.count))

    def laws(self) -> Found:
        """Compare every law with every value; within a layer each fact holds everywhere or nowhere."""
        facts, makes = frozenset(Fact), False
        size = len(self._graph.rules.pool)
        for used, (low, high) in enumerate(self._graph.spans):
            true = true_facts(size - used, Seat.SECOND if used % 2 else Seat.FIRST)
            for node in range(low, high):
                if self._makes(node, size - used):
                    makes = True
                else:
                    facts = facts & true if self._truth.worth[node] > 0 else facts - true
                    if not facts:
                        return facts, makes
        return facts, makes

    def _makes(self, node: int, left: int) -> bool:
        """Whether a move lands on the target and wins: to win at once is nothing else while numbers stay."""
        if left > 1:
            return self._truth.worth[node] == AT_ONCE and self._graph.rules.reaching is Reaching.WINS
        return can_make(self._graph.position(node))
