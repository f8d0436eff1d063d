"""The idea behind a move by its name, and the one sentence that a match teaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zerosum.coach.causes import NAMES, NONE, Why, why
from zerosum.coach.phrases import LISTED, listed
from zerosum.solver import Solution, Verdict

if TYPE_CHECKING:
    # A review asks for its lesson, and a lesson is about a review.
    from zerosum.coach.review import Reviewed

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


def best_explained(one: Reviewed, solution: Solution) -> Why:
    """Return the cause of a turning point's best-explained better move."""
    found = [why(one.position, move, solution) for move in one.better]
    return min(found, key=lambda each: _ORDER.index(each.name))


def idea_held(one: Reviewed, solution: Solution) -> str | None:
    """Return the name of the idea that would have held a turning point; None where no short one would.

    Whoever lost at once, or left a win at once, lacked the guard, whatever else the better moves do; unless they could
    have won at once themselves.
    """
    better = best_explained(one, solution)
    if better.verdict is not Verdict.WIN:
        return None
    if better.name != "ends" and one.reason is not None and one.reason.name in ("ends", "leaves"):
        return IDEAS["leaves"]
    return IDEAS.get(better.name)


def idea_used(one: Reviewed, solution: Solution) -> str | None:
    """Return the name of the idea by which a move kept a win; None where it is no short one."""
    found = why(one.position, one.move, solution)
    return None if found.name == NONE or found.verdict is not Verdict.WIN else IDEAS.get(found.name)


def better_moves(one: Reviewed) -> str:
    """Return the moves that would have kept the result."""
    return listed(one.position, one.better, LISTED)
