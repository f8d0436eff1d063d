"""The atlas of a family: every game solved once, tabulated, with its sequences and what holds in the whole table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final

from zerosum.base.documents import OMITTED, to_json
from zerosum.base.progress import Progress, silent
from zerosum.lab.executors import Engine, evaluate
from zerosum.lab.expressions import ExpressionError, value
from zerosum.lab.expressions import holds as is_met
from zerosum.lab.families import COLUMNS, Family, FamilyError, FamilySequence, Member, members
from zerosum.lab.hypotheses import Row, holds
from zerosum.lab.store import VERSION, Store
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.solver import Verdict, solve
from zerosum.solver.fingerprint import canonical, fingerprint

JOB: Final = "zerosum.lab.atlas:job"
KIND: Final = "value"
_ALSO: Final = ("openings", "metrics")
"""Other kinds of facts that say as much."""
_KEPT: Final = 0.5
"""Seconds after which what has come is kept."""

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """A sequence of whole numbers, and the value of the parameter where it begins."""

    name: str
    offset: int
    data: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AtlasPlan:
    """What is to be found out: the games of a family, and what each is known by in the store."""

    family: Family
    games: tuple[Member, ...]
    fingerprints: tuple[str, ...]
    key: str
    """What the run is known by: the same for the same question."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """What was found out about a family."""

    plan: AtlasPlan = field(metadata=OMITTED)
    rows: tuple[Document, ...]
    """For each solved game its parameters, then `COLUMNS`."""
    skipped: tuple[Document, ...]
    sequences: tuple[Found, ...]
    holds: tuple[Document, ...]
    solved: int
    from_store: int
    seconds: float

    @property
    def family(self) -> Family:
        """The family that was asked about."""
        return self.plan.family

    def document(self) -> Document:
        """Return the atlas as JSON."""
        shown = (*self.family.parameters, *self.family.columns)
        return {
            "family": self.family.id,
            "name": self.family.name,
            "parameters": {name: one.text for name, one in self.family.parameters.items()},
            "games": len(self.plan.games),
            **to_json(self),
            "rows": [{name: row[name] for name in shown} for row in self.rows],
        }


def plan(family: Family) -> AtlasPlan:
    """Return the games of a family, all of them checked."""
    games = tuple(members(family))
    prints = tuple(fingerprint(one.rules) for one in games)
    asked = [family.id, family.name, repr(family.parameters), family.columns, repr(family.sequences)]
    key = hashlib.sha256(canonical(["atlas", VERSION[KIND], asked, prints]).encode()).hexdigest()
    return AtlasPlan(family, games, prints, key)


def chart(asked: AtlasPlan, store: Store, engine: Engine, say: Progress = silent) -> Atlas:
    """Find out everything; what is known already is taken from the store, and what is new is kept there.

    A run that was cut short goes on where it stopped, and counts what it solved before as solved.
    """
    began = perf_counter()
    distinct = dict(zip(asked.fingerprints, asked.games, strict=True))
    known = _known(store, list(distinct))
    tasks = {name: one.rules for name, one in distinct.items() if name not in known}
    planned = _planned(store, asked.key, len(tasks))
    known |= _computed(tasks, store, engine, say)
    unsolved = sum("skipped" in fact for fact in known.values())
    rows, skipped = _rows(asked.games, [known[name] for name in asked.fingerprints])
    # As numbers alone, a draw has winner 0 and plies 0.
    plain = [{name: number or 0 for name, number in row.items()} for row in rows]
    return Atlas(
        plan=asked,
        rows=tuple(rows),
        skipped=tuple(skipped),
        sequences=tuple(_sequence(one, plain, skipped, asked.family.source) for one in asked.family.sequences),
        holds=tuple(
            {"words": one.words, "range": _range(asked, one.rows)}
            for one in holds(list(asked.family.parameters), plain)
        ),
        solved=planned - unsolved,
        from_store=len(distinct) - planned,
        seconds=round(perf_counter() - began, 3),
    )


def finish(atlas: Atlas, store: Store) -> None:
    """Note that a run has given its answer; the next one like it starts its count from 0."""
    store.keep_run(atlas.plan.key, {"complete": True, "solved": 0})


def job(task: str) -> str:
    """Solve one game; this runs in a worker."""
    return json.dumps(facts_of(rules_from_dict(json.loads(task))))


def facts_of(rules: Rules) -> Document:
    """Return who wins a game, in how many plies, and how many of its openings win, swapping left aside."""
    solution = solve(rules)
    plain = solve(replace(rules, swap=False)) if rules.swap else solution
    openings = plain.options(plain.start)
    return {
        "winner": solution.winner,
        "plies": solution.value(solution.start).plies,
        "winning": sum(one.value.verdict is Verdict.WIN for one in openings),
        "openings": len(openings),
    }


def _known(store: Store, prints: list[str]) -> dict[str, Document]:
    """Return what the store knows, by the atlas or by other commands, whose documents have the same figures."""
    known: dict[str, Document] = store.facts(KIND, prints)
    for kind in _ALSO:
        missing = [name for name in prints if name not in known]
        for name, body in store.facts(kind, missing).items() if kind in VERSION else ():
            openings = {"winning": body["openings"]["winning"], "openings": body["openings"]["count"]}
            known[name] = {**body["value"], **openings}
    return known


def _planned(store: Store, key: str, unknown: int) -> int:
    """Return how many games this run solves, counted when it first began."""
    kept = store.run(key)
    before = 0 if kept is None or kept["complete"] else int(kept["solved"])
    planned = max(before, unknown)  # what was kept may have been forgotten in the meantime
    if kept is None or kept["complete"] or planned > before:
        store.keep_run(key, {"complete": False, "solved": planned})
    return planned


def _computed(tasks: Mapping[str, Rules], store: Store, engine: Engine, say: Progress) -> dict[str, Document]:
    """Return the facts of games that are not known yet; those that could not be solved are not kept."""
    prints = list(tasks)
    texts = [json.dumps(rules_to_dict(rules)) for rules in tasks.values()]
    found: dict[str, Document] = {}
    fresh: dict[str, Document] = {}
    began = kept = perf_counter()
    try:
        for at, text in evaluate(JOB, texts, engine, None):
            found[prints[at]] = fact = json.loads(text)
            if "skipped" not in fact:
                fresh[prints[at]] = fact
            now = perf_counter()
            if now - kept > _KEPT:
                store.keep(KIND, fresh)
                fresh, kept = {}, now
                rate = len(found) / (now - began)
                left = (len(texts) - len(found)) / rate
                say(f"{len(found):,} of {len(texts):,} · {rate:,.0f}/s · {left:,.0f} s left")
    finally:
        store.keep(KIND, fresh)
    return found


def _rows(games: Iterable[Member], facts: list[Document]) -> tuple[list[Document], list[Document]]:
    rows: list[Document] = []
    skipped: list[Document] = []
    for game, fact in zip(games, facts, strict=True):
        if "skipped" in fact:
            skipped.append({**game.values, "why": fact["skipped"]})
        else:
            rows.append({**game.values, **{column: fact[column] for column in COLUMNS}})
    return rows, skipped


def _sequence(asked: FamilySequence, rows: list[dict[str, int]], skipped: list[Document], source: str) -> Found:
    """Return a sequence as far as it is known: it ends before the first value that is not, or that is not one value."""
    missing = {row[asked.by] for row in skipped}
    terms: dict[int, list[int]] = {row[asked.by]: [] for row in rows}
    for row in rows:
        try:
            if asked.where is None or is_met(asked.where, row):
                terms[row[asked.by]].append(1 if asked.value is None else value(asked.value, row))
        except ExpressionError as error:
            raise FamilyError(f"{source}: [columns] sequences: {asked.name}: {error}") from None
    if asked.value is not None:
        terms = {at: found for at, found in terms.items() if len(found) == 1}
    data: list[int] = []
    first = min(terms, default=0)
    while first + len(data) in terms and first + len(data) not in missing:
        data.append(sum(terms[first + len(data)]))
    return Found(asked.name, first, tuple(data))


def _range(asked: AtlasPlan, rows: tuple[Row, ...]) -> str:
    """Return in which games something was tested."""
    (n, _), *others = asked.family.parameters.items()
    values = sorted({row[n] for row in rows})
    first, last = values[0], values[-1]
    parts = [
        f"{n} = {first}..{last}" if first < last else f"{n} = {first}",
        *(f"{name} = {one.text}" for name, one in others),
    ]
    return f"{', '.join(parts)}: tested in {len(rows):,} of {len(asked.games):,} games"
