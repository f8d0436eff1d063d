"""What the funnel asks of a game, cheapest first, and when it can stop asking.

Each stage is a kind of fact in the store. A worker is sent a game, the goal and the facts that are known, and returns
those it had to add until the game met the goal or missed it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from zerosum.lab.audit import audit
from zerosum.lab.fingerprint import canonical
from zerosum.lab.goals import Bound, Document, Goal, Stage
from zerosum.lab.metrics import SCREENED, Opening, Screen, metrics, opening_metrics, screen
from zerosum.lab.stored_metrics import document_of, fact_of
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict

JOB: Final = "zerosum.lab.stages:job"
KINDS: Final = {Stage.SOLVE: "openings", Stage.SCREEN: "screen", Stage.AUDIT: "counts", Stage.METRICS: "metrics"}
"""The kind of fact that each stage adds."""
_PARTS: Final = {Stage.SOLVE: "openings", Stage.SCREEN: "graph", Stage.AUDIT: "audit", Stage.METRICS: "skill"}
"""What the document of a game has once it has been through a stage."""
_COMPUTE: Final[dict[Stage, Callable[[Rules], dict[str, Any]]]] = {
    Stage.SOLVE: lambda rules: {**opening_metrics(rules)},
    Stage.SCREEN: lambda rules: fact_of(screen(rules), rules),
    Stage.AUDIT: lambda rules: {"audit": audit(rules).counts},
    Stage.METRICS: lambda rules: fact_of(metrics(rules), rules),
}

Facts = Mapping[str, dict[str, Any]]
"""What is known of a game, by kind."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game is in the funnel: what to compute next, or at which stage it missed the goal, or neither: good."""

    document: dict[str, Any]
    needs: Stage | None = None
    dropped: Stage | None = None


def missed(goal: Goal, document: Document) -> dict[str, float]:
    """Return the lines of the goal that a game misses and how far it is from each, as far as its figures are known."""
    known = [bound for stage in Stage if _PARTS[stage] in document for bound in goal.at(stage)]
    return {bound.path: away for bound in known if (away := bound.distance(document)) > 0}


def standing(goal: Goal, through: Stage, facts: Facts) -> Standing:
    """Return where a game is; one that misses the goal is still asked everything up to the stage `through`."""
    document: dict[str, Any] = {}
    dropped: Stage | None = None
    for stage in sorted({Stage.SOLVE, through, *goal.stages}):
        if dropped is not None and stage > through:
            break
        fact = _fact(stage, facts)
        if fact is None:
            return Standing(document, needs=min(through, Stage.SCREEN) if stage is Stage.SOLVE else stage)
        document |= fact
        if dropped is None and any(bound.distance(document) > 0 for bound in goal.at(stage)):
            dropped = stage
    return Standing(dict(sorted(document.items())), dropped=dropped)


def _fact(stage: Stage, facts: Facts) -> dict[str, Any] | None:
    """Return the fact of a stage; where a later one is known that has all it has, that part of it."""
    if KINDS[stage] in facts:
        return facts[KINDS[stage]]
    full = facts.get(KINDS[Stage.METRICS])
    if stage is Stage.SCREEN and full is not None:
        return {key: _few(full[key]) if key in _BY_PLAYER else full[key] for key in _SCREEN}
    found = facts.get(KINDS[Stage.SCREEN], full)
    if stage is Stage.SOLVE and found is not None:
        return {key: found[key] for key in Opening.__annotations__}
    return None


_SCREEN: Final = tuple(key for key in Screen.__annotations__ if key != "game")
_BY_PLAYER: Final = frozenset(
    {"first", "balance", "length", "early", "density", "only", "changes", "behind", "endings", "refill"}
)


def _few(by_player: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what a screening has of figures by player."""
    return None if by_player is None else {who: by_player[who] for who in sorted(SCREENED)}


def task(rules: Rules, goal: Goal, through: Stage, facts: Facts) -> str:
    """Return what a worker is sent."""
    bounds = [[one.path, _finite(one.least), _finite(one.most), one.among] for one in goal.bounds]
    sent = {
        "rules": rules_to_dict(rules),
        "bounds": bounds,
        "weights": goal.weights,
        "through": through,
        "facts": facts,
    }
    return json.dumps(sent)


def job(text: str) -> str:
    """Return the facts that a worker adds."""
    sent = json.loads(text)
    bounds = tuple(
        Bound(path, -_INFINITE if least is None else least, _INFINITE if most is None else most, among and tuple(among))
        for path, least, most, among in sent["bounds"]
    )
    goal = Goal("", bounds, tuple((path, weight) for path, weight in sent["weights"]))
    rules, through, facts = rules_from_dict(sent["rules"]), Stage(sent["through"]), dict(sent["facts"])
    added: dict[str, Any] = {}
    while (stage := standing(goal, through, facts | added).needs) is not None:
        added[KINDS[stage]] = _COMPUTE[stage](rules)
    return canonical(added)


def told_of(rules: Rules, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a game by its own name and with its own numbers, as far as it goes."""
    return document_of(document, rules) if "numbers" in document else {**document}


_INFINITE: Final = float("inf")


def _finite(value: float) -> float | None:
    return None if abs(value) == _INFINITE else value
