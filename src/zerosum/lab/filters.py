"""The filters of a search: cheap questions come first, and a game that cannot meet the goal is asked no more.

Each stage is a kind of fact in the store, under the fingerprint of the game, so no question is computed twice. A worker
gets a game, the goal and the facts that are known. It returns the facts that it had to add until the game met the goal
or missed it.

The nearest misses are the games that miss the fewest lines of a goal. A game leaves the funnel at the first stage whose
lines it misses, so more may be missed than are known. What is missed for sure puts games in order; those in front are
looked at to the end until the first few are known whole.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Final

from zerosum.base.progress import Progress, silent
from zerosum.lab.audit import audit
from zerosum.lab.batches import Evaluate
from zerosum.lab.endings import dead_by_arithmetic
from zerosum.lab.findings import Severity
from zerosum.lab.goals import DEAD, FIGURES, JUDGED, Bound, Document, Goal, Stage
from zerosum.lab.metrics import MANY, evenness, is_whole, metrics, opening_metrics
from zerosum.lab.store import Store, document_of, fact_of
from zerosum.rules.model import Rules, rules_from_dict, written_dict
from zerosum.solver.fingerprint import canonical, fingerprint

NEAREST: Final = 3
"""Near misses that are named."""
_AT_ONCE: Final = 12
JOB: Final = "zerosum.lab.filters:job"
KINDS: Final = {Stage.SOLVE: "openings", Stage.EVEN: "even", Stage.METRICS: "metrics", Stage.AUDIT: "findings"}
"""The kind of fact that each stage adds."""
_PARTS: Final = {Stage.SOLVE: "openings", Stage.EVEN: "first", Stage.METRICS: "skill", Stage.AUDIT: "audit"}
"""What the document of a game has once it has been through a stage."""

Facts = Mapping[str, dict[str, Any]]
"""What is known of a game, by kind."""


def _findings(rules: Rules, facts: Facts) -> dict[str, Any]:
    """Return the findings of an audit as a fact about every game like this one.

    Games of one fingerprint differ in their names, their examples and in what their files leave out. So a
    finding about a clause is kept with its key, as if every key were written; that two games are the same is not kept.
    """
    measured = document_of(facts[KINDS[Stage.METRICS]], rules)
    found = audit(replace(rules), screened=measured).findings
    kept = [[one.kind, one.severity, one.key] for one in found if one.kind in JUDGED]
    return {"findings": kept}


_COMPUTE: Final[dict[Stage, Callable[[Rules, Facts], dict[str, Any]]]] = {
    Stage.SOLVE: lambda rules, _: {**opening_metrics(rules)},
    Stage.EVEN: lambda rules, _: {**evenness(rules, numpy_from=MANY)},
    Stage.METRICS: lambda rules, _: fact_of(metrics(rules, numpy_from=MANY), rules),
    Stage.AUDIT: _findings,
}


def _judged(fact: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    """Return the findings of a fact by severity and kind, as they are for the file of these rules."""
    found: dict[str, Counter[str]] = {severity.value: Counter() for severity in Severity}
    for kind, severity, key in fact["findings"]:
        unwritten = severity == Severity.DEAD and key in rules.left_out
        found[Severity.NOTE.value if unwritten else severity][kind] += 1
    all_kinds = sum(found.values(), Counter[str]())
    return {
        "audit": {severity: kinds.total() for severity, kinds in found.items()} | dict(sorted(all_kinds.items())),
        "findings": {severity: dict(sorted(kinds.items())) for severity, kinds in found.items() if kinds},
    }


@dataclass(frozen=True, slots=True)
class StageStatus:
    """How far a game has come: what to compute next, or the stage at which it missed the goal; if neither, good."""

    document: dict[str, Any]
    needs: Stage | None = None
    dropped: Stage | None = None


def missed(goal: Goal, document: Document) -> dict[str, float]:
    """Return the lines of the goal that a game misses and how far it is from each, as far as its figures are known."""
    known = [bound for stage in Stage if _PARTS[stage] in document for bound in goal.at(stage)]
    return {bound.path: away for bound in known if (away := bound.distance(document)) > 0}


def turned_away_by(look: Assessment, goal: Goal) -> tuple[list[str], list[str]]:
    """Return what turned a game away: the lines that it misses where it left the funnel, and the kinds of findings."""
    if look.dropped == ARITHMETIC:
        return [DEAD], sorted(dead_by_arithmetic(look.candidate.rules))
    lines = list(missed(goal, look.document))
    named = {line.removeprefix("audit.") for line in lines if line.startswith("audit.")}
    found: Mapping[str, Mapping[str, int]] = look.document.get("findings", {})
    kinds = {kind for severity, some in found.items() for kind in some if {kind, severity} & named}
    return lines, sorted(kinds)


def status_of(goal: Goal, through: Stage, facts: Facts, rules: Rules) -> StageStatus:
    """Return how far a game has come; one that misses the goal still goes up to the stage `through`."""
    document: dict[str, Any] = {}
    dropped: Stage | None = None
    for stage in sorted({Stage.SOLVE, through, *goal.stages}):
        if dropped is not None and stage > through:
            break
        fact = _fact(stage, facts)
        if fact is None:
            return StageStatus(document, needs=stage)
        document |= _judged(fact, rules) if stage is Stage.AUDIT else fact
        if dropped is None and any(bound.distance(document) > 0 for bound in goal.at(stage)):
            dropped = stage
    return StageStatus(dict(sorted(document.items())), dropped=dropped)


def _fact(stage: Stage, facts: Facts) -> dict[str, Any] | None:
    """Return the fact of a stage, or that part of the fact of a later stage that has it all."""
    if KINDS[stage] in facts:
        return facts[KINDS[stage]]
    full = facts.get(KINDS[Stage.METRICS])
    return None if full is None or stage not in FIGURES else {key: full[key] for key in FIGURES[stage]}


def task(rules: Rules, goal: Goal, through: Stage, facts: Facts) -> str:
    """Return what a worker is sent."""
    bounds = [[one.path, one.least, one.most, one.among] for one in goal.bounds]
    sent = {"rules": written_dict(rules), "bounds": bounds, "weights": goal.weights, "through": through, "facts": facts}
    return json.dumps(sent)


def job(text: str) -> str:
    """Return the facts that a worker adds."""
    sent = json.loads(text)
    bounds = tuple(Bound(path, least, most, among and tuple(among)) for path, least, most, among in sent["bounds"])
    goal = Goal("", bounds, tuple((path, weight) for path, weight in sent["weights"]))
    rules, through, facts = rules_from_dict(sent["rules"]), Stage(sent["through"]), dict(sent["facts"])
    added: dict[str, Any] = {}
    while (stage := status_of(goal, through, facts | added, rules).needs) is not None:
        added[KINDS[stage]] = _COMPUTE[stage](rules, facts | added)
    return canonical(added)


def own_document(rules: Rules, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a game by its own name and with its own numbers, as far as it goes."""
    return document_of(document, rules) if "numbers" in document else {**document}


ARITHMETIC: Final = "arithmetic"
_SKIPPED: Final = "skipped"
_KEPT_AFTER: Final = 1.0
"""Seconds between two transactions; what came in between is computed again after a crash."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game to look at."""

    rules: Rules
    fingerprint: str

    @classmethod
    def of(cls, rules: Rules) -> Candidate:
        """Return the candidate for some rules."""
        return cls(rules, fingerprint(rules))


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is known of a game: the figures so far, and where it left the funnel."""

    candidate: Candidate
    document: dict[str, Any]
    dropped: str | None = None
    """The stage whose lines the game misses."""
    skipped: str | None = None

    @property
    def good(self) -> bool:
        """Whether the game meets the goal."""
        return self.dropped is None and self.skipped is None


@dataclass(slots=True)
class Funnel:
    """Looks at games, batch by batch."""

    goal: Goal
    store: Store
    evaluate: Evaluate
    patience: float | None = None
    fresh: bool = False
    """Whether facts are computed even if the store has them."""
    through: Stage = Stage.SOLVE
    """Up to this stage games are looked at even if they miss the goal."""
    arithmetic: bool = True
    """Whether arithmetic may refuse a game before anything is computed."""
    planned: Callable[[int], int] = lambda count: count
    """Takes how many games of a batch are about to be solved; returns how many of the batch this run solves in all.

    A run that was stopped half-way finds its earlier facts in the store, and they still count as solved.
    """
    solved: int = 0
    from_store: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def look(
        self, candidates: Sequence[Candidate], said: Callable[[Assessment], None] = lambda _: None
    ) -> list[Assessment]:
        """Return what is known of each game, in order; `said` gets each as soon as it is known."""
        looks: dict[str, Assessment] = {}
        asked: list[Candidate] = []
        for one in candidates:
            if self.arithmetic and self.goal.wants_no_dead_clause and dead_by_arithmetic(one.rules):
                looks[one.fingerprint] = Assessment(one, {}, ARITHMETIC)
                said(looks[one.fingerprint])
            else:
                asked.append(one)
        facts = {} if self.fresh else self._facts([one.fingerprint for one in asked])
        waiting = []
        for one in asked:
            look = self._look(one, facts.get(one.fingerprint, {}))
            if look is None:
                waiting.append(one)
            else:
                looks[one.fingerprint] = look
                said(look)
        count = self.planned(len(waiting))
        self.solved += count
        self.from_store += len(asked) - count
        for look in self._computed(waiting, facts):
            looks[look.candidate.fingerprint] = look
            said(look)
        found = [looks[one.fingerprint] for one in candidates]
        self.dropped.update(look.dropped for look in found if look.dropped is not None)
        return found

    def _look(self, one: Candidate, facts: Facts) -> Assessment | None:
        """Return what is known of a game, None if more must be computed."""
        now = status_of(self.goal, self.through, facts, one.rules)
        if now.needs is None:
            return Assessment(one, now.document, None if now.dropped is None else now.dropped.name.lower())
        kept = facts.get(_SKIPPED)
        if kept is not None and self._would_skip(kept):
            return Assessment(one, now.document, skipped=str(kept["why"]))
        return None

    def _would_skip(self, kept: Mapping[str, Any]) -> bool:
        """Return whether a game that was skipped once would be skipped again."""
        patient = self.patience is None or (kept["patience"] is not None and kept["patience"] < self.patience)
        return not patient and kept["stage"] <= self._last

    @property
    def _last(self) -> int:
        return max([self.through, *self.goal.stages])

    def _facts(self, names: Sequence[str]) -> dict[str, dict[str, dict[str, Any]]]:
        found: dict[str, dict[str, dict[str, Any]]] = {}
        for kind in (*KINDS.values(), _SKIPPED):
            for name, body in self.store.facts(kind, names).items():
                if kind != KINDS[Stage.METRICS] or is_whole(body):
                    found.setdefault(name, {})[kind] = body
        return found

    def _computed(self, waiting: Sequence[Candidate], facts: Mapping[str, Facts]) -> Iterator[Assessment]:
        """Yield games as they are computed, each after its facts are kept."""
        tasks = [task(one.rules, self.goal, self.through, facts.get(one.fingerprint, {})) for one in waiting]
        fresh: list[tuple[Candidate, dict[str, Any]]] = []
        since = monotonic()
        for at, row in self.evaluate(JOB, tasks, self.patience):
            fresh.append((waiting[at], json.loads(row)))
            if monotonic() - since > _KEPT_AFTER:
                yield from self._kept(fresh, facts)
                fresh, since = [], monotonic()
        yield from self._kept(fresh, facts)

    def _kept(
        self, rows: Sequence[tuple[Candidate, dict[str, Any]]], facts: Mapping[str, Facts]
    ) -> Iterator[Assessment]:
        by_kind: dict[str, dict[str, Any]] = {}
        for one, added in rows:
            if "skipped" in added:
                added = {_SKIPPED: {"why": added["skipped"], "patience": self.patience, "stage": self._last}}  # noqa: PLW2901
            for kind, body in added.items():
                by_kind.setdefault(kind, {})[one.fingerprint] = body
        for kind, bodies in by_kind.items():
            self.store.keep(kind, bodies)
        for one, added in rows:
            if "skipped" in added:
                yield Assessment(one, {}, skipped=str(added["skipped"]))
                continue
            now = status_of(self.goal, self.through, {**facts.get(one.fingerprint, {}), **added}, one.rules)
            yield Assessment(one, now.document, None if now.dropped is None else now.dropped.name.lower())


def skipped_json(games: Iterable[Assessment]) -> list[dict[str, Any]]:
    """Return the document of games that were given up."""
    return [{"rules": written_dict(one.candidate.rules), "why": str(one.skipped)} for one in games]


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
