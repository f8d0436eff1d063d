"""Of the games that meet a goal: twins folded, the Pareto front, and a few that are far apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from zerosum.lab.fingerprint import normal_form
from zerosum.lab.goals import Document, figure
from zerosum.rules.model import Overshoot, Reaching, Rules, Totals
from zerosum.rules.moves import ADD_ONLY

FRONT: Final = (("balance.worst", 1), ("density.level:5", 1), ("behind.level:5", 1), ("early.level:2", -1))
"""What the front weighs against each other; 1 where more is better."""
_WORDS: Final = ("operations", "totals", "reaching", "overshoot", "exhausted", "tie", "ban", "swap")
_SCALES: Final = (
    ("value.plies", 4.0),
    ("openings.share", 0.25),
    ("balance.worst", 0.25),
    ("density.level:5", 0.25),
    ("behind.level:5", 0.25),
)
"""By how much two games must differ in a figure to be as far apart as by a key."""


@dataclass(frozen=True, slots=True)
class Find:
    """A game that meets the goal."""

    rules: Rules
    fingerprint: str
    score: float
    document: Mapping[str, Any]
    front: bool = False
    pick: int | None = None
    """Its place among the games that are far apart, None where it is not one of them."""

    @property
    def order(self) -> tuple[float, str]:
        """Best score first; the fingerprint decides between equals."""
        return (-self.score, self.fingerprint)


def twin_key(rules: Rules) -> str:
    """Return a text that is the same for games that are played alike: twins, and misère twins.

    With one total, numbers that all lead towards the target, and a loss for going past it, it is the same to land
    on 31 or to be the one who has to go to 32 or beyond, as long as the pool has enough to get there.
    """
    form = normal_form(rules)
    steps, away = [abs(number) for number in rules.pool], rules.target - rules.start[0]
    towards = all((number > 0) == (away > 0) for number in rules.pool)
    if (
        rules.totals is Totals.SHARED
        and rules.operations == ADD_ONLY
        and rules.overshoot is Overshoot.LOSES
        and rules.reaching is Reaching.LOSES
        and towards
        and abs(away) > 1
        and sum(steps) > abs(away) - 1
    ):
        nearer = rules.target - (1 if away > 0 else -1)
        form = normal_form(replace(rules, target=nearer, reaching=Reaching.WINS))
    return repr(sorted(form.items()))


def folded(finds: Sequence[Find]) -> list[Find]:
    """Return the finds without twins, of each set the best, in order of score."""
    best: dict[str, Find] = {}
    for find in sorted(finds, key=lambda one: one.order):
        best.setdefault(twin_key(find.rules), find)
    return list(best.values())


def _front_figures(document: Document) -> tuple[float, ...]:
    values = ((figure(document, path), sign) for path, sign in FRONT)
    return tuple(sign * value if isinstance(value, (int, float)) else float("-inf") for value, sign in values)


def front(documents: Sequence[Document]) -> list[bool]:
    """Return of each whether none of the others is as good in everything and better in something."""
    figures = [_front_figures(one) for one in documents]
    # What beats another has a greater sum, so only what is on the front already has to be compared.
    order = sorted(range(len(figures)), key=lambda at: (-sum(figures[at]), figures[at]))
    on: list[int] = []
    for at in order:
        mine = figures[at]
        if not any(_beats(figures[other], mine) for other in on):
            on.append(at)
    return [at in set(on) for at in range(len(figures))]


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    return one != other and all(mine >= yours for mine, yours in zip(one, other, strict=True))


def distance(one: Find, other: Find) -> float:
    """Return how different two games are: 1 for each key, up to 1 for the pool, 1 for each scale of a figure."""
    keys = sum(getattr(one.rules, key) != getattr(other.rules, key) for key in _WORDS)
    mine, yours = Counter(one.rules.pool), Counter(other.rules.pool)
    pools = 1 - (mine & yours).total() / (mine | yours).total()
    return float(keys + pools) + sum(_apart(one, other, path) / scale for path, scale in _SCALES)


def _apart(one: Find, other: Find, path: str) -> float:
    mine, yours = figure(one.document, path), figure(other.document, path)
    if not isinstance(mine, (int, float)) or not isinstance(yours, (int, float)):
        return 0.0
    return abs(mine - yours)


def spread(finds: Sequence[Find], count: int) -> list[Find]:
    """Return the best find, then again and again the one that is farthest from all chosen before it."""
    left = sorted(finds, key=lambda one: one.order)
    chosen: list[Find] = []
    nearest = [float("inf")] * len(left)
    while left and len(chosen) < count:
        at = max(range(len(left)), key=lambda n: (nearest[n], -n))
        chosen.append(left.pop(at))
        del nearest[at]
        nearest = [min(far, distance(one, chosen[-1])) for far, one in zip(nearest, left, strict=True)]
    return chosen


def ranked(finds: Sequence[Find], count: int) -> list[Find]:
    """Return the finds without twins: `count` that are far apart, then the rest of the front, then by score."""
    best = folded(finds)
    marked = [replace(one, front=on) for one, on in zip(best, front([one.document for one in best]), strict=True)]
    picks = {one.fingerprint: place for place, one in enumerate(spread(marked, count), 1)}
    whole = [replace(one, pick=picks.get(one.fingerprint)) for one in marked]
    return sorted(whole, key=lambda one: (one.pick or count + 1, not one.front, one.order))
