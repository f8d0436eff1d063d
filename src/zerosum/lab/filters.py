"""The funnel: games go in, cheap questions come first, and a game that cannot meet the goal is asked no more.

Whatever is found is kept in the store under the game's fingerprint, so no question about a game is computed twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from zerosum.lab.executors import Evaluate
from zerosum.lab.fingerprint import fingerprint
from zerosum.lab.goals import Goal, Stage
from zerosum.lab.lemmas import ALWAYS_DEAD, lemmas
from zerosum.lab.stages import JOB, KINDS, Facts, standing, task
from zerosum.lab.store import Store
from zerosum.rules.model import Rules

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
class Look:
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
    """Whether facts of the store are computed anew."""
    through: Stage = Stage.SOLVE
    """Up to this stage games are looked at even if they miss the goal."""
    arithmetic: bool = True
    """Whether arithmetic may refuse a game before anything is computed."""
    planned: Callable[[int], int] = lambda count: count
    """Told how many games of a batch are about to be solved; says how many of the batch this run solves in all.

    A run that was stopped half-way finds facts of its own in the store, and they still count as solved.
    """
    solved: int = 0
    from_store: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def look(self, candidates: Sequence[Candidate], said: Callable[[Look], None] = lambda _: None) -> list[Look]:
        """Return what is known of each game, in order; each is `said` as soon as it is known."""
        looks: dict[str, Look] = {}
        asked: list[Candidate] = []
        for one in candidates:
            if self.arithmetic and self.goal.wants_no_dead_clause and dead_by_arithmetic(one.rules):
                looks[one.fingerprint] = Look(one, {}, ARITHMETIC)
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

    def _look(self, one: Candidate, facts: Facts) -> Look | None:
        """Return what is known of a game, None where more must be computed."""
        now = standing(self.goal, self.through, facts)
        if now.needs is None:
            return Look(one, now.document, None if now.dropped is None else now.dropped.name.lower())
        kept = facts.get(_SKIPPED)
        if kept is not None and self._would_skip(kept):
            return Look(one, now.document, skipped=str(kept["why"]))
        return None

    def _would_skip(self, kept: Mapping[str, Any]) -> bool:
        """Whether a game that was skipped once would be skipped again."""
        patient = self.patience is None or (kept["patience"] is not None and kept["patience"] < self.patience)
        return not patient and kept["stage"] <= self._last

    @property
    def _last(self) -> int:
        return max([self.through, *self.goal.stages])

    def _facts(self, names: Sequence[str]) -> dict[str, dict[str, dict[str, Any]]]:
        found: dict[str, dict[str, dict[str, Any]]] = {}
        for kind in (*KINDS.values(), _SKIPPED):
            for name, body in self.store.facts(kind, names).items():
                found.setdefault(name, {})[kind] = body
        return found

    def _computed(self, waiting: Sequence[Candidate], facts: Mapping[str, Facts]) -> Iterator[Look]:
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

    def _kept(self, rows: Sequence[tuple[Candidate, dict[str, Any]]], facts: Mapping[str, Facts]) -> Iterator[Look]:
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
                yield Look(one, {}, skipped=str(added["skipped"]))
                continue
            now = standing(self.goal, self.through, {**facts.get(one.fingerprint, {}), **added})
            yield Look(one, now.document, None if now.dropped is None else now.dropped.name.lower())


def dead_by_arithmetic(rules: Rules) -> bool:
    """Whether arithmetic alone shows a clause that can never apply, other than the one that is dead in many games."""
    return any(proof.lemma != ALWAYS_DEAD for proof in lemmas(rules).values())
