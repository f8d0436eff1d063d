"""The cheapest changes that make a good game of one that is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base.progress import Progress, silent
from zerosum.lab.edits import Edited, edited
from zerosum.lab.executors import Evaluate
from zerosum.lab.filters import ARITHMETIC, Candidate, Funnel, Look
from zerosum.lab.goals import Goal, score
from zerosum.lab.stages import missed
from zerosum.lab.store import Store
from zerosum.rules.model import Rules

NEAREST: Final = 3
"""Near misses that are named where nothing was found."""
_AT_ONCE: Final = 50
_DEAD: Final = "audit.dead"


@dataclass(frozen=True, slots=True)
class Repaired:
    """A game near another, and the lines of the goal that it misses."""

    edited: Edited
    document: dict[str, Any]
    score: float
    fails: tuple[str, ...] = ()
    away: float = 0.0
    """How far it is from meeting those lines."""
    known: bool = True
    """Whether every line was looked at; if not, it may miss more."""

    @property
    def order(self) -> tuple[int, float, int, str]:
        """Fewest lines missed first, then the nearest, then the cheapest."""
        return (len(self.fails), self.away, self.edited.cost, self.edited.fingerprint)


@dataclass(frozen=True, slots=True)
class Repairs:
    """What a repair found."""

    rules: Rules
    goal: Goal
    cost: int
    """Every game up to this cost was tried."""
    tried: int
    found: tuple[Repaired, ...]
    nearest: tuple[Repaired, ...]
    skipped: tuple[Look, ...]
    meets: bool
    """Whether the game meets the goal as it is."""


def repair(
    rules: Rules,
    goal: Goal,
    cost: int,
    count: int,
    *,
    store: Store,
    evaluate: Evaluate,
    patience: float | None = None,
    say: Progress = silent,
) -> Repairs:
    """Try all games by rising cost, until a cost is finished and `count` games meet the goal, or `cost` is reached."""
    tried: list[tuple[Edited, Look]] = []
    found: list[Repaired] = []
    funnel = Funnel(goal, store, evaluate, patience)
    (unchanged,) = funnel.look([Candidate.of(rules)])
    reached = 0
    for reached, games in enumerate(edited(rules, cost), 1):
        heard = _heard(say, reached, len(games))
        looks = funnel.look([Candidate(one.rules, one.fingerprint) for one in games], heard)
        tried += zip(games, looks, strict=True)
        found += [_repaired(goal, game, look) for game, look in zip(games, looks, strict=True) if look.good]
        if len(found) >= count:
            break
    found.sort(key=lambda one: (one.edited.cost, -one.score, one.edited.fingerprint))
    nearest = _nearest(goal, tried, funnel, say) if not found else ()
    skipped = tuple(look for _, look in tried if look.skipped is not None)
    return Repairs(rules, goal, reached, len(tried), tuple(found[:count]), tuple(nearest), skipped, unchanged.good)


def _heard(say: Progress, cost: int, total: int) -> Callable[[Look], None]:
    done = good = 0

    def heard(look: Look) -> None:
        nonlocal done, good
        done, good = done + 1, good + look.good
        say(f"cost {cost}: {done:,} of {total:,} · {good:,} good")

    return heard


def _repaired(goal: Goal, game: Edited, look: Look, *, known: bool = True) -> Repaired:
    """Return a game with the lines it misses, of those whose figures are known."""
    fails = {_DEAD: 1.0} if look.dropped == ARITHMETIC else {}
    fails |= missed(goal, look.document)
    away = round(sum(fails.values()), 12)
    return Repaired(game, look.document, score(goal, look.document), tuple(fails), away, known)


def _nearest(goal: Goal, tried: Sequence[tuple[Edited, Look]], funnel: Funnel, say: Progress) -> list[Repaired]:
    """Return the games that miss the fewest lines.

    Games left the funnel at the first stage they missed. What they miss for sure puts them in order; those in front are
    looked at to the end, until the first three are known whole.
    """
    last = max(goal.stages)
    whole = Funnel(goal, funnel.store, funnel.evaluate, funnel.patience, through=last, arithmetic=False)
    order = [_repaired(goal, game, look, known=False) for game, look in tried if look.skipped is None]
    looked = 0
    while True:
        order.sort(key=lambda one: one.order)
        if all(one.known for one in order[:NEAREST]):
            return order[:NEAREST]
        waiting = [one for one in order if not one.known][:_AT_ONCE]
        looks = whole.look([Candidate(one.edited.rules, one.edited.fingerprint) for one in waiting])
        looked += len(waiting)
        say(f"{looked:,} near misses looked at")
        fates = {one.edited.fingerprint: (one, look) for one, look in zip(waiting, looks, strict=True)}
        order = [one for one in order if one.edited.fingerprint not in fates]
        order += [_repaired(goal, one.edited, look) for one, look in fates.values() if look.skipped is None]
