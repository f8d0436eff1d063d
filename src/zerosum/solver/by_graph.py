"""Only the positions that play can reach, as a graph: for games that cut most play short, and for large numbers.

Sum31 on 1..64 has 2^64 sets of used numbers, of which play reaches 2,035.
"""

from __future__ import annotations

from collections.abc import Iterator

from zerosum.rules.model import Reaching, Seat
from zerosum.rules.position import Position, can_make
from zerosum.solver.graph import truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.laws import Fact, Found, true_facts
from zerosum.solver.value import AT_ONCE, Value


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
