"""The verdict on a match that the referee is about to stop: worked out beside the event loop."""

from __future__ import annotations

import asyncio

from zerosum.match.match import Match
from zerosum.match.ply_limit import solution_at_limit
from zerosum.rules.model import Rules, Tie


async def prepare_limit_verdict(match: Match) -> None:
    """Have the verdict ready where the next move may be the last."""
    if len(match.moves) + 1 >= match.setup.plies:
        await solve_for_limit(match.setup.rules)


async def solve_for_limit(rules: Rules) -> None:
    """Solve a game whose matches can come to the limit, in a thread; the solution is remembered."""
    if rules.tie is Tie.SUDDEN_DEATH:
        await asyncio.to_thread(solution_at_limit, rules)
