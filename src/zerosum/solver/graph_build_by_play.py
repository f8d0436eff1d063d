"""Builds a graph by playing moves, whatever the rules are: for keys that the table of codes does not know.

Positions come from `legal_moves` and `play_unchecked`, are distinguished by their `key`, and end by their `outcome`.
Nothing is assumed of the rules but that the two people take turns and that no position returns; a game that breaks
one of the two is refused. There are no mirrors, and positions and time are limited.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from time import monotonic
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver.graph_arrays import Graph, end_of, too_many
from zerosum.solver.supports import naming_unknown
from zerosum.solver.value import SolverError, TooLargeError

MOST_PLAYED: Final = 300_000
"""Nodes of a graph that is built by playing; each holds a whole position."""
SECONDS: Final = 120.0
_NOW_AND_THEN: Final = 5_000


class PlayedNames:
    """Nodes are distinguished by the keys of their positions."""

    def __init__(self, positions: list[Position]) -> None:
        self.positions = positions

    def position(self, node: int, _previous: Move | None) -> Position:
        """Return the position of a node."""
        return self.positions[node]

    def key(self, position: Position) -> PositionKey:
        """Return the key of a position."""
        return position.key

    def key_of(self, node: int) -> PositionKey:
        """Return the key of a node."""
        return self.positions[node].key


class _Found:
    """The positions found so far, in the order in which they were found, and where their moves lead."""

    def __init__(self, starts: Sequence[Position]) -> None:
        self.positions = list(starts)
        self.numbers = {start.key: at for at, start in enumerate(starts)}
        self.edges: list[list[tuple[int, int]]] = []
        """Of each position, the moves as indices and where they lead: a number from above, or an end."""
        self.opened: set[int] = set()
        """The positions with which another round begins."""

    def number(self, position: Position) -> int:
        key = position.key
        if key not in self.numbers:
            self.numbers[key] = len(self.positions)
            self.positions.append(position)
        return self.numbers[key]


def play_graph(
    starts: Sequence[Position], *, most: int = MOST_PLAYED, seconds: float = SECONDS, progress: Progress = silent
) -> Graph:
    """Return the graph from some starts."""
    rules = starts[0].rules
    found, moves = _Found(starts), {move: at for at, move in enumerate(rules.moves)}
    until = monotonic() + seconds
    for at, position in enumerate(found.positions):  # it grows
        found.edges.append([] if at in found.opened else _edges(position, found, moves))
        if len(found.positions) > most:
            raise too_many(rules, most)
        if at % _NOW_AND_THEN == 0:
            progress(f"{at:,} positions found")
            if monotonic() > until:
                too_long = f"too many positions to play through in {seconds:.0f} seconds{naming_unknown(rules)}"
                raise TooLargeError(f"{rules.name} has {too_long}.")
    return _in_layers(found, len(starts))


def _edges(position: Position, found: _Found, moves: dict[Move, int]) -> list[tuple[int, int]]:
    rules = position.rules
    edges = []
    for move in position.legal_moves():
        after = position.play_unchecked(move)
        if after.outcome is not None:
            edges.append((moves[move], end_of(after.outcome, position.seat)))
            continue
        if (after.seat is position.seat) != (move == SWAP):
            raise _refusal(rules, "its seats do not take turns")
        to = found.number(after)
        if rules.tie is Tie.SUDDEN_DEATH and len(position.pool) == 1 and after.pool == rules.pool and move != SWAP:
            found.opened.add(to)
        edges.append((moves[move], to))
    return edges


def _in_layers(found: _Found, starts: int) -> Graph:
    """Return the graph of the positions found, numbered by the longest ways from the starts."""
    longest, shortest = _ways(found, starts)
    order = sorted(range(len(longest)), key=lambda at: (at in found.opened, longest[at]))
    numbers = {at: n for n, at in enumerate(order)}
    positions = found.positions
    graph = Graph(
        positions[0].rules, PlayedNames([positions[at] for at in order]), [one.previous for one in positions[:starts]]
    )
    graph.count = array("i", [1] * len(order))
    graph.came = array("i", [-1] * len(order))
    for at in order:
        for move, there in found.edges[at]:
            to = there if there < 0 else numbers[there]
            if to >= starts and graph.came[to] < 0:
                graph.came[to] = len(graph.to)
            graph.to.append(to)
            graph.move.append(move)
        graph.first.append(len(graph.to))
    closed = [longest[at] for at in order if at not in found.opened]
    graph.layers += [n for n in range(1, len(closed)) if closed[n] > closed[n - 1]] + [len(closed)]
    graph.lags = 1 + max(far - near for far, near in zip(longest, shortest, strict=True))
    return graph


def _ways(found: _Found, starts: int) -> tuple[list[int], list[int]]:
    """Return the longest and the shortest way to each position; refuse a game in which a position returns."""
    size = len(found.positions)
    longest, shortest, waiting = [0] * size, [size] * size, [0] * size
    shortest[:starts] = [0] * starts
    for edges in found.edges:
        for _, to in edges:
            if to >= 0:
                waiting[to] += 1
    ready = [at for at in range(size) if not waiting[at]]
    for at in ready:  # it grows
        for _, to in found.edges[at]:
            if to >= 0:
                longest[to] = max(longest[to], longest[at] + 1)
                shortest[to] = min(shortest[to], shortest[at] + 1)
                waiting[to] -= 1
                if not waiting[to]:
                    ready.append(to)
    if len(ready) < size or any(longest[:starts]):
        raise _refusal(found.positions[0].rules, "a position can return")
    return longest, shortest


def _refusal(rules: Rules, why: str) -> SolverError:
    """Return the error of a game that has no such graph; it names the key that the table of codes does not know."""
    return SolverError(f"{rules.name} has no exact figures: {why}{naming_unknown(rules)}.")
