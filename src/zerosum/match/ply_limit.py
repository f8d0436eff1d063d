"""Who wins where the referee stops a match: whoever would win with perfect play from there."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from zerosum.rules.errors import IllegalPositionError
from zerosum.rules.model import Rules, Seat, Totals
from zerosum.rules.outcome import closer_seat
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.solver import Solution

_MEMORY: Final = 64 << 20
"""Bytes that solving may take here. A server waits for the answer, and every reader of a record must find the same."""


def winner_at_limit(position: Position) -> Seat:
    """Return the seat that wins at the limit: by the exact verdict, seat 2 where neither can force an end.

    Where a game is too large to be solved, the seat closer to the target wins, seat 2 if both are as close.
    """
    from zerosum.solver import SolverError, Verdict  # noqa: PLC0415 - almost every match ends by its rules

    try:
        verdict = _solution(position.rules).value(position).verdict
    except (SolverError, IllegalPositionError):
        shared = position.rules.totals is Totals.SHARED
        return Seat.SECOND if shared else closer_seat(position.rules, position.totals) or Seat.SECOND
    if verdict is Verdict.DRAW:
        return Seat.SECOND
    return position.seat if verdict is Verdict.WIN else position.seat.other


@lru_cache(maxsize=8)
def _solution(rules: Rules) -> Solution:
    from zerosum.solver import solve  # noqa: PLC0415 - likewise

    return solve(rules, _MEMORY)
