"""Values and graphs by playing, position by position: for rules that nothing else supports.

Positions come from `legal_moves` and `play_unchecked`, are distinguished by their `key`, and end by their `outcome`;
nothing else is known of the rules. To be solved, pools may be refilled and positions may come back: values are found
from the ends, nearest first, which makes plies exact, and what is never decided is a draw. A graph needs more: a game
in which a position returns has none. It has no mirrors, and positions and time are limited.

The two people are assumed to take turns: seats alternate, except that after a swap the same seat is to move and the
other person sits in it. Rules under which a seat moves twice are refused.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from time import monotonic
from typing import Final

from zerosum.base.english import count_text
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver.graph_arrays import Graph, end_of, too_many
from zerosum.solver.supports import naming_unknown
from zerosum.solver.value import DRAW, LOSS_AT_ONCE, WIN_AT_ONCE, SolverError, TooLargeError, Value, Verdict

MOST_PLAYED: Final = 300_000
"""Nodes of a graph that is built by playing; each holds a whole position."""
SECONDS: Final = 120.0
_NOW_AND_THEN: Final = 5_000
_UNSOLVED: Final = "cannot be solved"
_NO_FIGURES: Final = "has no exact figures"

Edges = list[tuple[int, int]]
"""The moves of a position as indices, and where they lead: the number of a position, or an end."""


class _Found:
    """The positions found so far, in the order in which they were found, and where their moves lead."""

    def __init__(self, starts: Sequence[Position]) -> None:
        self.positions = list(starts)
        self.numbers = {start.key: at for at, start in enumerate(starts)}
        self.edges: list[Edges] = []
        self.opened: set[int] = set()
        """The positions with which another round begins."""

    def number(self, position: Position) -> int:
        key = position.key
        if key not in self.numbers:
            self.numbers[key] = len(self.positions)
            self.positions.append(position)
        return self.numbers[key]


def _explore(
    starts: Sequence[Position], most: int, too_large: TooLargeError, *, without: str, say: Progress, one_round: bool
) -> _Found:
    """Find all positions; in one round, nothing is played on from where the next begins."""
    found, moves = _Found(starts), {move: at for at, move in enumerate(starts[0].rules.moves)}
    for at, position in enumerate(found.positions):  # it grows
        found.edges.append([] if one_round and at in found.opened else _edges(position, found, moves, without))
        if len(found.positions) > most:
            raise too_large
        if at % _NOW_AND_THEN == 0:
            say(f"{at:,} positions found")
    return found


def _edges(position: Position, found: _Found, moves: dict[Move, int], without: str) -> Edges:
    rules = position.rules
    edges = []
    for move in position.legal_moves():
        index, after = moves.setdefault(move, len(moves)), position.play_unchecked(move)
        if after.outcome is not None:
            edges.append((index, end_of(after.outcome, position.seat)))
            continue
        if (after.seat is position.seat) != (move == SWAP):
            raise _refusal(rules, without, "its seats do not take turns")
        to = found.number(after)
        if rules.tie is Tie.SUDDEN_DEATH and len(position.pool) == 1 and after.pool == rules.pool and move != SWAP:
            found.opened.add(to)
        edges.append((index, to))
    return edges


def _refusal(rules: Rules, without: str, why: str) -> SolverError:
    """Return the error of a game that cannot be played through; it names the key that the table of codes does not."""
    return SolverError(f"{rules.name} {without}: {why}{naming_unknown(rules)}.")


def solve_by_playing(
    rules: Rules, largest: int, progress: Progress = silent
) -> dict[PositionKey, tuple[Position, Value]]:
    """Return every position that can arise, with its value; refuse games of more than `largest` positions."""
    too_large = TooLargeError(
        f"{rules.name} has more than {count_text(largest)} positions, which is all that the memory "
        f"allowed has room for{naming_unknown(rules)}."
    )
    found = _explore([start_position(rules)], largest, too_large, without=_UNSOLVED, say=progress, one_round=False)
    values = _values(found.edges)
    return {position.key: (position, values.get(at, DRAW)) for at, position in enumerate(found.positions)}


def _values(edges: Sequence[Edges]) -> dict[int, Value]:
    """Go back from the ends, nearest first: a move to a loss wins, and a player who has only moves to wins loses."""
    before: list[list[int]] = [[] for _ in edges]
    for at, leads in enumerate(edges):
        for _, to in leads:
            if to >= 0:
                before[to].append(at)
    undecided = [sum(to >= 0 for _, to in leads) for leads in edges]
    values = dict(_at_once(edges))
    layer, plies = list(values), 1
    while layer:
        plies += 1
        following = []
        for at in layer:
            lost = values[at].verdict is Verdict.LOSS
            for one in before[at]:
                undecided[one] -= not lost
                if one not in values and (lost or not undecided[one]):
                    values[one] = Value(Verdict.WIN if lost else Verdict.LOSS, plies)
                    following.append(one)
        layer = following
    return values


def _at_once(edges: Sequence[Edges]) -> Iterator[tuple[int, Value]]:
    """Yield the positions that a move wins at once, and those in which every move loses at once."""
    for at, leads in enumerate(edges):
        if any(to < 0 and to % 2 for _, to in leads):
            yield at, WIN_AT_ONCE
        elif all(to < 0 for _, to in leads):
            yield at, LOSS_AT_ONCE


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


def play_graph(
    starts: Sequence[Position], *, most: int = MOST_PLAYED, seconds: float = SECONDS, progress: Progress = silent
) -> Graph:
    """Return the graph from some starts."""
    rules, until = starts[0].rules, monotonic() + seconds

    def say(words: str) -> None:
        progress(words)
        if monotonic() > until:
            too_long = f"too many positions to play through in {seconds:.0f} seconds{naming_unknown(rules)}"
            raise TooLargeError(f"{rules.name} has {too_long}.")

    found = _explore(starts, most, too_many(rules, most), without=_NO_FIGURES, say=say, one_round=True)
    return _in_layers(found, len(starts))


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
    going = {at: [to for _, to in edges if to >= 0] for at, edges in enumerate(found.edges)}
    longest, shortest = [0] * len(going), [len(going)] * len(going)
    shortest[:starts] = [0] * starts
    try:
        last_first = list(TopologicalSorter(going).static_order())
    except CycleError:
        last_first = []
    for at in reversed(last_first):
        for to in going[at]:
            longest[to] = max(longest[to], longest[at] + 1)
            shortest[to] = min(shortest[to], shortest[at] + 1)
    if not last_first or any(longest[:starts]):
        raise _refusal(found.positions[0].rules, _NO_FIGURES, "a position can return")
    return longest, shortest
