"""Games that almost meet a goal: those that miss the fewest of its lines, and of these the nearest.

A game leaves the funnel at the first stage whose lines it misses, so more lines may be missed than are known. What is
missed for sure puts games in order; those in front are looked at to the end until the first few are known whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base.progress import Progress, silent
from zerosum.lab.filters import ARITHMETIC, Assessment, Candidate, Funnel, missed
from zerosum.lab.goals import DEAD, Goal

NEAREST: Final = 3
"""Near misses that are named."""
_AT_ONCE: Final = 12


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A game, and the lines of the goal that it misses."""

    candidate: Candidate
    document: dict[str, Any]
    fails: tuple[str, ...]
    away: float
    """How far it is from meeting those lines."""
    cost: int = 0
    """What it costs to make it of the game to be repaired."""
    known: bool = False
    """Whether every line was looked at; if not, it may miss more."""

    @property
    def order(self) -> tuple[int, float, int, str]:
        """Fewest lines missed first, then the nearest, then the cheapest."""
        return (len(self.fails), self.away, self.cost, self.candidate.fingerprint)


def near_miss(goal: Goal, look: Assessment, cost: int = 0, *, known: bool = False) -> NearMiss:
    """Return a game with the lines that it misses, of those whose figures are known."""
    fails = {DEAD: 1.0} if look.dropped == ARITHMETIC else {}
    fails |= missed(goal, look.document)
    return NearMiss(look.candidate, look.document, tuple(fails), round(sum(fails.values()), 12), cost, known)


def nearest(misses: Iterable[NearMiss], funnel: Funnel, say: Progress = silent) -> list[NearMiss]:
    """Return the games that miss the fewest lines."""
    goal, order, looked = funnel.goal, list(misses), 0
    whole = Funnel(goal, funnel.store, funnel.evaluate, funnel.patience, through=max(goal.stages), arithmetic=False)
    while True:
        order.sort(key=lambda one: one.order)
        if all(one.known for one in order[:NEAREST]):
            return order[:NEAREST]
        waiting = [one for one in order if not one.known][:_AT_ONCE]
        looks = whole.look([one.candidate for one in waiting])
        looked += len(waiting)
        say(f"{looked:,} near misses looked at")
        asked = {one.candidate.fingerprint for one in waiting}
        order = [one for one in order if one.candidate.fingerprint not in asked]
        order += [
            near_miss(goal, look, one.cost, known=True)
            for one, look in zip(waiting, looks, strict=True)
            if look.skipped is None
        ]
