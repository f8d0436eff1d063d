"""The idea behind a move, by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zerosum.coach.causes import NAMES, Why, why
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict

IDEAS: Final = {
    "ends": "make it",
    "leaves": "guard",
    "stuck": "shut the door",
    "settled": "settle it",
    "law": "the law",
    "no-safe-reply": "squeeze",
    "guarding": "safe moves",
    "forced": "force",
    "next-no-safe-reply": "squeeze in two",
    "plan": "a recipe",
    "card": "the card",
}
"""What the idea behind each cause is called."""
_ORDER: Final = list(NAMES.values())


def idea_held(found: Why, better: Sequence[Move], solution: Solution) -> str | None:
    """Return the name of the idea that would have held what a move let go; None where no short one would.

    Whoever lost at once, or left a win at once, lacked the guard, whatever else the better moves do; unless they could
    have won at once themselves.
    """
    best = min((why(found.position, move, solution) for move in better), key=lambda one: _ORDER.index(one.name))
    if best.verdict is not Verdict.WIN:
        return None
    if best.name != "ends" and found.name in ("ends", "leaves"):
        return IDEAS["leaves"]
    return IDEAS.get(best.name)


def idea_used(position: Position, move: Move, solution: Solution) -> str | None:
    """Return the name of the idea by which a move keeps a win; None where it is no short one."""
    found = why(position, move, solution)
    return IDEAS.get(found.name) if found.verdict is Verdict.WIN else None
