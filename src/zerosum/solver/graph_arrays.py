"""The arrays of a graph; `graph.py` says what they mean."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final, Protocol

from zerosum.base.english import count_text
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position
from zerosum.solver.supports import naming_unknown
from zerosum.solver.value import TooLargeError

REASONS: Final = tuple(Reason)
ENDS: Final = 2 * len(REASONS)
"""How many different ends there are."""
WON: Final = -1
LOST: Final = -2
MOST_NODES: Final = 1_000_000


class NodeNames(Protocol):
    """What tells the nodes of a graph apart: how each is written as a position, and found again."""

    def position(self, node: int, previous: Move | None) -> Position:
        """Return the position of a node, given the move that first led to it."""

    def key(self, position: Position) -> Hashable:
        """Return what a position has in common with all that share its node; None if it can have no node."""

    def key_of(self, node: int) -> Hashable:
        """Return the same for a node."""


@dataclass(eq=False)
class Graph:
    """The positions and moves of a game; see above for the arrays."""

    rules: Rules
    names: NodeNames
    before: list[Move | None]
    """For each start, the move before it. The starts are the first nodes."""
    first: array[int] = field(default_factory=lambda: array("i", [0]))
    to: array[int] = field(default_factory=lambda: array("i"))
    move: array[int] = field(default_factory=lambda: array("h"))
    count: array[int] = field(default_factory=lambda: array("i"))
    came: array[int] = field(default_factory=lambda: array("i"))
    """The edge that first led to each node; -1 for a start."""
    layers: list[int] = field(default_factory=lambda: [0])
    """The bounds of the layers: layer n is the nodes from `layers[n]` up to `layers[n + 1]`. Open nodes follow."""
    lags: int = 1

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.came)

    @property
    def opened(self) -> range:
        """The open nodes."""
        return range(self.layers[-1], self.size)

    @property
    def spans(self) -> Iterator[tuple[int, int]]:
        """The first node of each layer and the first node after it."""
        return pairwise(self.layers)

    def edges(self, node: int) -> range:
        """Return the edges of a node."""
        return range(self.first[node], self.first[node + 1])

    def node_of(self, edge: int) -> int:
        """Return the node that an edge leads from."""
        return bisect_right(self.first, edge) - 1

    def position(self, node: int) -> Position:
        """Return a node as a position."""
        edge, at = self.came[node], node
        # After a swap, the move before it is still the one that is remembered.
        while edge >= 0 and self._moves[self.move[edge]] == SWAP:
            at = self.node_of(edge)
            edge = self.came[at]
        return self.names.position(node, self._moves[self.move[edge]] if edge >= 0 else self.before[at])

    def index(self, position: Position) -> int | None:
        """Return the node of a position; None if play does not reach it from the starts."""
        key = self.names.key(position)
        return None if key is None else self._numbers.get(key)

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        return self.rules.moves

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {self.names.key_of(node): node for node in range(self.size)}

    def line_to(self, node: int) -> list[Move]:
        """Return moves that lead from a start to a node, as few as possible in a game without swaps."""
        line = []
        while (edge := self.came[node]) >= 0:
            line.append(self._moves[self.move[edge]])
            node = self.node_of(edge)
        return line[::-1]


def end_of(outcome: Outcome, mover: Seat) -> int:
    """Return the code of an end."""
    return -1 - 2 * REASONS.index(outcome.reason) - (outcome.winner is not mover)


def reason_of(end: int) -> Reason:
    """Return the reason of an end."""
    return REASONS[(-1 - end) // 2]


def too_many(rules: Rules, most: int) -> TooLargeError:
    """Return the error of a graph that would have more than `most` nodes."""
    most_text = f"{count_text(most)} positions, the limit of exact figures{naming_unknown(rules)}"
    return TooLargeError(f"{rules.name} has more than {most_text}.")


def ask(graph: Graph, chances: Callable[[Position], Sequence[float]]) -> array[float]:
    """Return a policy as the chance of every edge: `chances` returns those of the legal moves of a position."""
    found = array("d")
    for node in range(graph.layers[-1]):
        found.extend(chances(graph.position(node)))
    return found
