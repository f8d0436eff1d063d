"""How deep a player has to look: what a search of a few plies keeps of a choice, exactly, and the rungs of a ladder.

A search of depth d sees every forced end within d plies and nothing beyond. It takes a move that it sees win, else one
whose end it does not see, else any; among equals it draws. So what it keeps follows from the plies of each move, and
no tree is searched here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zerosum.solver import Value, Verdict

DEPTHS: Final = (1, 2, 3, 4, 6, 8)
"""The depths of which a report says what they keep."""
RUNGS: Final = {1: range(1, 3), 2: range(3, 5), 3: range(5, 7), 4: range(7, 100)}
"""The rungs of the ladder of difficulty: how deep a search must be that keeps every choice of a set."""


def _seen(value: Value, depth: int) -> bool:
    """Whether a search of this depth sees how a move ends."""
    return value.plies is not None and value.plies <= depth


def kept_by_search(values: Sequence[Value], depth: int) -> float:
    """Return the chance that a search keeps the best verdict; `values` are those of the moves, the best first."""
    wins = [value for value in values if value.verdict is Verdict.WIN and _seen(value, depth)]
    chosen = wins or [value for value in values if not _seen(value, depth)] or list(values)
    return sum(one.verdict is values[0].verdict for one in chosen) / len(chosen)


def depth_needed(values: Sequence[Value]) -> int | None:
    """Return the least depth of a search that keeps a choice for certain; None if none does, 0 if every move does.

    It has to see a win, or to see through every move that loses.
    """
    if all(value.verdict is values[0].verdict for value in values):
        return 0
    wins = [value.plies for value in values if value.verdict is Verdict.WIN and value.plies is not None]
    worse = [value.plies for value in values if value.verdict is not values[0].verdict]
    through = [plies for plies in worse if plies is not None]
    found = [*([min(wins)] if wins else []), *([max(through)] if len(through) == len(worse) else [])]
    return min(found, default=None)


def rung_of(depth: int | None) -> int:
    """Return the rung of the ladder that a choice of this depth belongs to."""
    return next((rung for rung, depths in RUNGS.items() if depth in depths), max(RUNGS))
