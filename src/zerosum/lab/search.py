"""Searching a space for games that meet a goal: every game of a small space, samples of a large one.

Of the games found, twins are folded; some form the Pareto front, and a few that are far apart are picked.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic, perf_counter
from typing import Any, Final

from zerosum.base.documents import OMITTED, key, to_json
from zerosum.base.progress import Progress, silent
from zerosum.lab import limits
from zerosum.lab.batches import Evaluate
from zerosum.lab.filters import (
    KINDS,
    Assessment,
    Candidate,
    Funnel,
    NearMiss,
    missed,
    near_miss,
    nearest,
    own_document,
    skipped_json,
    turned_away_by,
)
from zerosum.lab.goals import Document, Goal, Stage, figure, score
from zerosum.lab.map_elites import GENERATION, Archive, niche_of
from zerosum.lab.spaces import Point, Space
from zerosum.lab.store import VERSION, Store
from zerosum.rules.model import Overshoot, Reaching, Rules, Totals, kept_unwritten, written_dict
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver.fingerprint import canonical, normal
from zerosum.version import __version__

FRONT: Final = (("balance.worst", 1), ("density.level:5", 1), ("behind.level:5", 1), ("early.level:2", -1))
"""What the front weighs against each other; 1 if more is better."""
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

    rules: Rules = field(metadata=OMITTED)
    fingerprint: str
    score: float
    document: Mapping[str, Any] = field(metadata=key("metrics"))
    front: bool = False
    pick: int | None = None
    """Its place among the games that are far apart, None if it is not one of them."""

    @property
    def order(self) -> tuple[float, str]:
        """Best score first; the fingerprint decides between equals."""
        return (-self.score, self.fingerprint)


def twin_key(rules: Rules) -> str:
    """Return a text that is the same for games that are played alike: twins, and misère twins.

    With one total, numbers that all lead towards the target, and a loss for going past it, it is the same to land
    on 31 or to be the one who has to go to 32 or beyond, as long as the pool has enough to get there.
    """
    form = normal(rules).table
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
        form = normal(replace(rules, target=nearer, reaching=Reaching.WINS)).table
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


SAMPLES: Final = 2_500
"""Samples of a large space, unless told otherwise."""
_DRAWS: Final = 20
"""How often a sample is drawn again if it is no game, or one that was looked at already."""
_SAID_EACH: Final = 0.1
_AT_ONCE: Final = 4_000
"""Games of a space that are looked at together; only what turned the others away is remembered of earlier ones."""
_NEAR: Final = 200
"""Games that may be the nearest to the goal, by what is known of them when they are turned away."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to search, and for what."""

    space: Space
    goal: Goal
    count: int = 10
    samples: int | None = None
    seed: int = 1
    patience: float | None = 10.0
    fresh: bool = False

    @property
    def key(self) -> str:
        """What this run is called in the store: the same for the same command, as long as nothing it uses changes."""
        used = {kind: VERSION[kind] for kind in KINDS.values()}
        goal = [[[one.path, str(one.least), str(one.most), one.among] for one in self.goal.bounds], self.goal.weights]
        space = [self.space.text, written_dict(self.space.base)]
        asked = [self.count, self.samples, self.seed, self.patience, self.fresh]
        text = canonical({"search": [__version__, used, goal, space, asked]})
        return f"search {hashlib.sha256(text.encode()).hexdigest()[:32]}"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found."""

    request: Request = field(metadata=OMITTED)
    size: int
    """Points of the space, invalid ones and twins too."""
    sampled: bool
    games: int
    """Games that were looked at, twins once."""
    solved: int
    from_store: int
    skipped: tuple[Assessment, ...] = field(metadata=OMITTED)
    good: int
    """Games that meet the goal, misère twins once."""
    funnel: dict[str, Any]
    """How many games left at each stage; by line of the goal and by kind of finding, how many it turned away."""
    nearest: tuple[NearMiss, ...] = field(metadata=OMITTED)
    """Games that miss the fewest lines."""
    finds: tuple[Find, ...] = field(metadata=OMITTED)
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether every game of the space was looked at."""
        return not self.sampled and not self.skipped


@dataclass(slots=True)
class _Run:
    """A search under way."""

    request: Request
    store: Store
    evaluate: Evaluate
    say: Progress
    total: int
    seen: dict[str, Candidate] = field(default_factory=dict)
    invalid: int = 0
    twins: int = 0
    good: list[Assessment] = field(default_factory=list)
    skipped: list[Assessment] = field(default_factory=list)
    by_line: Counter[str] = field(default_factory=Counter)
    by_finding: Counter[str] = field(default_factory=Counter)
    near: list[NearMiss] = field(default_factory=list)
    began: float = field(default_factory=monotonic)
    said: float = 0.0
    done: int = 0
    found: int = 0

    def new(self, point: Point) -> Candidate | None:
        """Return the game at a point if it is one, and has not been seen."""
        rules = self.request.space.rules_at(point)
        if rules is None:
            self.invalid += 1
            return None
        candidate = Candidate.of(rules)
        if candidate.fingerprint in self.seen:
            self.twins += 1
            return None
        self.seen[candidate.fingerprint] = candidate
        return candidate

    def took(self, looks: list[Assessment]) -> None:
        """Remember what a batch found."""
        self.good += [look for look in looks if look.good]
        self.skipped += [look for look in looks if look.skipped is not None]
        away = [look for look in looks if look.dropped is not None]
        for look in away:
            lines, kinds = turned_away_by(look, self.request.goal)
            self.by_line.update(lines)
            self.by_finding.update(kinds)
        misses = (near_miss(self.request.goal, look) for look in away)
        self.near = heapq.nsmallest(_NEAR, (*self.near, *misses), key=lambda one: one.order)

    def progress(self, look: Assessment) -> None:
        """Say how far the search is, a few times a second."""
        self.done += 1
        self.found += look.good
        now = monotonic()
        if now - self.said < _SAID_EACH:
            return
        self.said = now
        pace = self.done / max(now - self.began, 1e-3)
        left = max(self.total - self.done, 0) / pace
        self.say(f"{self.done:,} of {self.total:,} · {self.found:,} good · {pace:,.0f}/s · {left:,.0f} s left")


def search(request: Request, store: Store, evaluate: Evaluate, say: Progress = silent) -> SearchResult:
    """Search a space; whatever is computed is kept, so the same search goes on where it was stopped."""
    began = perf_counter()
    size = request.space.size()
    samples = request.samples or (0 if size <= limits.ENUMERATED else SAMPLES)
    sampled = 0 < samples < size
    run = _Run(request, store, evaluate, say, min(samples, size) if sampled else size)
    funnel = Funnel(
        request.goal, store, evaluate, request.patience, fresh=request.fresh, planned=_plan(store, request.key)
    )
    if sampled:
        _illuminate(run, funnel, samples)
    else:
        games = _every_game(run)
        for first in range(0, len(games), _AT_ONCE):
            run.took(funnel.look(games[first : first + _AT_ONCE], run.progress))
    goods = [
        Find(look.candidate.rules, look.candidate.fingerprint, score(request.goal, look.document), look.document)
        for look in run.good
    ]
    ordered = ranked(goods, request.count)
    finds = _measured(run, ordered[: limits.FINDS])
    counts = {"points": len(run.seen) + run.invalid + run.twins, "invalid": run.invalid, "twins": run.twins}
    counts |= {name: funnel.dropped[name] for name in ("arithmetic", *(stage.name.lower() for stage in Stage))}
    turned_away = {"by_line": _in_order(run.by_line), "by_finding": _in_order(run.by_finding)}
    near = []
    for miss in nearest(run.near, funnel, say):
        name = miss.candidate.fingerprint
        near.append(replace(miss, candidate=Candidate(_own_name(run, miss.candidate.rules, name), name)))
    return SearchResult(
        request,
        size,
        sampled,
        len(run.seen),
        funnel.solved,
        funnel.from_store,
        tuple(run.skipped),
        len(ordered),
        {**counts, "skipped": len(run.skipped), "good": len(run.good), **turned_away},
        tuple(near),
        tuple(finds),
        round(perf_counter() - began, 3),
    )


def search_json(result: SearchResult) -> dict[str, Any]:
    """Return the document of a search."""
    asked = result.request
    return {
        "space": asked.space.name,
        "goal": asked.goal.name,
        "seed": asked.seed,
        **to_json(result),
        "skipped": skipped_json(result.skipped),
        "nearest": [
            {
                "rules": written_dict(one.candidate.rules),
                "fingerprint": one.candidate.fingerprint,
                "metrics": own_document(one.candidate.rules, one.document),
                "fails": list(one.fails),
            }
            for one in result.nearest
        ],
        "finds": [{"rules": written_dict(one.rules), **to_json(one)} for one in result.finds],
        "complete": result.complete,
    }


def finish(request: Request, store: Store) -> None:
    """Note that a run has given its answer; the next one like it starts its count from 0."""
    store.keep_run(request.key, {"complete": True, "plan": []})


def _plan(store: Store, key: str) -> Callable[[int], int]:
    """Return how the games to be solved are counted: each batch as it was planned when the run first came to it."""
    kept = store.run(key)
    plan: list[int] = list(kept["plan"]) if kept is not None and not kept["complete"] else []
    batches = iter(range(limits.SAMPLES))

    def planned(count: int) -> int:
        at = next(batches)
        if at >= len(plan):
            plan.append(count)
            store.keep_run(key, {"complete": False, "plan": plan})
        return plan[at]

    return planned


def _every_game(run: _Run) -> list[Candidate]:
    found = (run.new(point) for point in run.request.space.points())
    games = [one for one in found if one is not None]
    run.total = len(games)
    return games


def _illuminate(run: _Run, funnel: Funnel, samples: int) -> None:
    archive = Archive()
    for first in range(0, samples, GENERATION):
        drawn = list(_drawn(run, archive, range(first, min(first + GENERATION, samples))))
        looks = funnel.look([one for one, _ in drawn], run.progress)
        run.took(looks)
        for look, (_, point) in zip(looks, drawn, strict=True):
            if "openings" in look.document:
                document = look.document
                niche = niche_of(look.candidate.rules, document["value"]["plies"], document["openings"]["share"])
                away = sum(missed(run.request.goal, document).values())
                # How far down the funnel it came: of games that left at the same stage the same lines are known.
                passed = len(Stage) if look.dropped is None else Stage[look.dropped.upper()] - 1
                archive.add(niche, (passed, -away, score(run.request.goal, document)), point)


def _drawn(run: _Run, archive: Archive, samples: range) -> Iterator[tuple[Candidate, Point]]:
    """Yield new games; a sample that is none after many draws is left out."""
    for n in samples:
        for again in range(_DRAWS):
            point = archive.draw(run.request.space, f"{run.request.seed}/{n}/{again}")
            candidate = run.new(point)
            if candidate is not None:
                yield candidate, point
                break


def _measured(run: _Run, finds: list[Find]) -> list[Find]:
    """Return the finds, those to be shown with their full metrics, each with its name."""
    shown = [one for one in finds if one.pick is not None or one.front]
    run.total, run.done, run.began = len(shown), 0, monotonic()
    goal = Goal(run.request.goal.name, (), ())
    full = Funnel(goal, run.store, run.evaluate, run.request.patience, through=Stage.METRICS)
    looks = full.look([Candidate(one.rules, one.fingerprint) for one in shown], run.progress)
    run.skipped += [
        replace(look, skipped=f"full metrics: {look.skipped}") for look in looks if look.skipped is not None
    ]
    metrics: dict[str, dict[str, Any]] = {look.candidate.fingerprint: look.document for look in looks}
    named = []
    for one in finds:
        rules = _own_name(run, one.rules, one.fingerprint)
        document = dict(sorted({**one.document, **metrics.get(one.fingerprint, {})}.items()))
        named.append(replace(one, rules=rules, document=own_document(rules, document)))
    return named


def _own_name(run: _Run, rules: Rules, fingerprint: str) -> Rules:
    base, short = run.request.space.base, fingerprint[:8]
    named = replace(rules, id=f"{base.id[:40]}-{short}", name=f"{base.name[:60]} variant {short}")
    return kept_unwritten(rules, named)


def _in_order(counts: Counter[str]) -> dict[str, int]:
    """Return counts, the largest first."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
