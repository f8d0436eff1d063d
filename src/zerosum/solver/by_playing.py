"""The same answers by playing, position by position: for rules that no other method supports.

Positions come from `legal_moves` and `play_unchecked`, are distinguished by their `key`, and end by their `outcome`;
nothing else is known of the rules. Pools may be refilled and positions may come back: values are found from the ends,
nearest first, which makes plies exact, and what is never decided is a draw.

The two people are assumed to take turns: seats alternate, except that after a swap the same seat is to move and the
other person sits in it. Rules under which a seat moves twice are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zerosum.base.english import count_text
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules
from zerosum.rules.moves import Operation
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver.supports import naming_unknown
from zerosum.solver.value import DRAW, SolverError, TooLargeError, Value, Verdict

Found = dict[PositionKey, tuple[Position, Value]]


class _Graph(NamedTuple):
    """Positions, and how they hang together."""

    positions: dict[PositionKey, Position]
    before: dict[PositionKey, list[PositionKey]]
    """The positions that a move leads from; once for each such move."""
    undecided: dict[PositionKey, int]
    """How many moves of a position do not lead to a win of the opponent, as far as is known."""
    ends: dict[PositionKey, bool]
    """The positions with a move that wins at once (true), and those in which all moves lose at once (false)."""


def solve_by_playing(rules: Rules, largest: int, progress: Progress = silent) -> Found:
    """Return every position that can arise, with its value; refuse games of more than `largest` positions."""
    graph = _explore(rules, largest, progress)
    values = _values(graph)
    return {key: (position, values.get(key, DRAW)) for key, position in graph.positions.items()}


def _explore(rules: Rules, largest: int, progress: Progress) -> _Graph:
    start = start_position(rules)
    graph = _Graph({start.key: start}, {}, {}, {})
    layer = [start]
    while layer:
        following: list[Position] = []
        for position in layer:
            for after in _after(position, graph):
                if after.key not in graph.positions:
                    graph.positions[after.key] = after
                    following.append(after)
            if len(graph.positions) > largest:
                raise TooLargeError(
                    f"{rules.name} has more than {count_text(largest)} positions, which is all that the memory "
                    f"allowed has room for{naming_unknown(rules)}."
                )
        progress(f"{len(graph.positions)} positions")
        layer = following
    return graph


def _after(position: Position, graph: _Graph) -> Iterator[Position]:
    """Yield the unfinished positions after the moves of a position, and note how they hang together."""
    key = position.key
    undecided = 0
    for move in position.legal_moves():
        after = position.play_unchecked(move)
        if after.outcome is not None:
            if after.outcome.winner is position.seat:
                graph.ends[key] = True
            continue
        if (after.seat is position.seat) != (move.operation is Operation.SWAP):
            why = "its seats do not take turns"
            raise SolverError(f"{position.rules.name} cannot be solved: {why}{naming_unknown(position.rules)}.")
        undecided += 1
        graph.before.setdefault(after.key, []).append(key)
        yield after
    graph.undecided[key] = undecided
    if not undecided:
        graph.ends.setdefault(key, False)


def _values(graph: _Graph) -> dict[PositionKey, Value]:
    """Go back from the ends, nearest first: a move to a loss wins, and a player who has only moves to wins loses."""
    values = {key: Value(Verdict.WIN if wins else Verdict.LOSS, 1) for key, wins in graph.ends.items()}
    layer = list(values)
    plies = 1
    while layer:
        plies += 1
        following: list[PositionKey] = []
        for key in layer:
            lost = values[key].verdict is Verdict.LOSS
            for one in graph.before.get(key, ()):
                graph.undecided[one] -= not lost
                if one not in values and (lost or not graph.undecided[one]):
                    values[one] = Value(Verdict.WIN if lost else Verdict.LOSS, plies)
                    following.append(one)
        layer = following
    return values
