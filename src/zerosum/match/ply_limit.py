"""Who wins if the referee stops a match: the seat that wins with perfect play from there."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from zerosum.base.errors import IllegalPositionError
from zerosum.rules.model import Rules, Seat, Totals
from zerosum.rules.outcome import closer_seat
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.solver import Solution

_MEMORY: Final = 64 << 20
"""Bytes that solving may take here. A server waits for the answer, and every reader of a record must find the same."""


def winner_at_limit(position: Position) -> Seat:
    """Return the seat that wins at the limit: by the exact verdict, seat 2 if neither can force an end.

    If a game is too large to solve, the seat closer to the target wins, seat 2 if both are as close.
    """
    from zerosum.solver import Verdict  # noqa: PLC0415 - a list of matches begins without the solver

    solution = solution_at_limit(position.rules)
    try:
        verdict = solution.value(position).verdict if solution else None
    except IllegalPositionError:  # a match that begins elsewhere
        verdict = None
    if verdict is Verdict.WIN:
        return position.seat
    if verdict is Verdict.LOSS:
        return position.seat.other
    if verdict is Verdict.DRAW or position.rules.totals is Totals.SHARED:
        return Seat.SECOND
    return closer_seat(position.rules, position.totals) or Seat.SECOND


@lru_cache(maxsize=8)
def solution_at_limit(rules: Rules) -> Solution | None:
    """Return the solution of a game, None if it is too large: found once, and remembered either way."""
    from zerosum.solver import SolverError, solve  # noqa: PLC0415 - as above

    try:
        return solve(rules, _MEMORY)
    except SolverError:
        return None
