"""The position to analyse: whether it can arise, and where moves lead from it."""

from __future__ import annotations

from collections.abc import Iterable

from zerosum.base.errors import IllegalPositionError
from zerosum.rules.notation import play_numbered
from zerosum.rules.position import Position
from zerosum.solver import Solution


def check_arises(solution: Solution, position: Position) -> None:
    """Raise if a position cannot arise, wherever moves lead from it."""
    if position.outcome is None:
        solution.value(position)
    elif not solution.can_end_in(position):
        raise IllegalPositionError(f"'{position}' cannot arise in {solution.rules.name}.")


def play_on(position: Position, moves: Iterable[str]) -> tuple[Position, list[str]]:
    """Return where moves lead, and the moves as they are written; an error names the move's number."""
    played = []
    for n, token in enumerate(moves, 1):
        move, position = play_numbered(position, token, n)
        played.append(position.text_of(move))
    return position, played
