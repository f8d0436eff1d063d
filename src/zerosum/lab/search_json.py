"""The documents of `search --json` and `repair --json`."""

from __future__ import annotations

from typing import Any, TypedDict

from zerosum.lab.filters import told_of
from zerosum.lab.repair import Change, Repaired, Repairs, repair_words
from zerosum.lab.search import Find, SearchResult
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import RulesDict, rules_to_dict


class FindJSON(TypedDict):
    """A game that meets the goal."""

    rules: RulesDict
    fingerprint: str
    score: float
    metrics: dict[str, Any]
    front: bool
    pick: int | None


class SkippedJSON(TypedDict):
    """A game that was given up."""

    rules: RulesDict
    why: str


ChangeJSON = TypedDict("ChangeJSON", {"key": str, "from": object, "to": object})


class SearchJSON(TypedDict):
    """The answer of `zerosum search --json`; `print_json` adds the schema."""

    space: str
    goal: str
    seed: int
    size: int
    sampled: bool
    games: int
    solved: int
    from_store: int
    skipped: list[SkippedJSON]
    good: int
    funnel: dict[str, int]
    finds: list[FindJSON]
    complete: bool
    seconds: float


class RepairedJSON(TypedDict):
    """A game near another; `fails` has the lines of the goal that it misses."""

    cost: int
    changes: list[ChangeJSON]
    words: str
    rules: RulesDict
    fingerprint: str
    score: float
    metrics: dict[str, Any]
    fails: list[str]


class RepairJSON(TypedDict):
    """The answer of `zerosum repair --json`."""

    game: str
    goal: str
    meets: bool
    cost: int
    tried: int
    found: list[RepairedJSON]
    nearest: list[RepairedJSON]
    skipped: list[SkippedJSON]


def search_json(result: SearchResult) -> SearchJSON:
    """Return a search as a document."""
    return SearchJSON(
        space=result.request.space.name,
        goal=result.request.goal.name,
        seed=result.request.seed,
        size=result.size,
        sampled=result.sampled,
        games=result.games,
        solved=result.solved,
        from_store=result.from_store,
        skipped=[_skipped(look.candidate.rules, str(look.skipped)) for look in result.skipped],
        good=result.good,
        funnel=result.funnel,
        finds=[_find(one) for one in result.finds],
        complete=result.complete,
        seconds=round(result.seconds, 3),
    )


def _skipped(rules: Rules, why: str) -> SkippedJSON:
    return SkippedJSON(rules=rules_to_dict(rules), why=why)


def _find(find: Find) -> FindJSON:
    return FindJSON(
        rules=rules_to_dict(find.rules),
        fingerprint=find.fingerprint,
        score=find.score,
        metrics=dict(find.document),
        front=find.front,
        pick=find.pick,
    )


def repair_json(repairs: Repairs) -> RepairJSON:
    """Return a repair as a document."""
    return RepairJSON(
        game=repairs.rules.id,
        goal=repairs.goal.name,
        meets=repairs.meets,
        cost=repairs.cost,
        tried=repairs.tried,
        found=[_repaired(repairs.rules, one) for one in repairs.found],
        nearest=[_repaired(repairs.rules, one) for one in repairs.nearest],
        skipped=[_skipped(look.candidate.rules, str(look.skipped)) for look in repairs.skipped],
    )


def _repaired(before: Rules, one: Repaired) -> RepairedJSON:
    return RepairedJSON(
        cost=one.edited.cost,
        changes=[_change(change) for change in one.edited.changes],
        words=repair_words(before, one.edited, one.document),
        rules=rules_to_dict(one.edited.rules),
        fingerprint=one.edited.fingerprint,
        score=one.score,
        metrics=told_of(one.edited.rules, one.document),
        fails=list(one.fails),
    )


def _change(change: Change) -> ChangeJSON:
    return {"key": change.key, "from": change.before, "to": change.after}
