"""A run of the arena: its folder, what is known before the first match, and playing the pairs that are missing.

The folder has the plan in its normal form, a manifest, the log, a record of every match, and a table of results. The
plan is written last: a folder without one has played nothing. Pairs are played in this process, in threads beside
programs, in other processes, or on a cluster; the lines of the log are the same everywhere.

Pairs count in the order of their numbers, never in that of arrival: the same pairs count, however fast each is. An
entrant that loses `CRASHES` matches in a row by a crash is withdrawn, and its later pairs are void. A sequential test
that is decided ends the run; pairs with later numbers that were already played do not count.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain
from itertools import count as counting
from threading import Event
from time import monotonic
from typing import Any, Final

from zerosum.arena import limits
from zerosum.arena.entrants.bot import shown_name
from zerosum.arena.entrants.entrant import Fault, IllegalMovePolicy, Turn
from zerosum.arena.entrants.open_entrant import open_entrant
from zerosum.arena.entrants.prompt import prompt
from zerosum.arena.plan import (
    ArenaPlan,
    Contender,
    Expectation,
    Pair,
    Slot,
    expectations_of,
    from_normal_form,
    is_policy,
    pair,
    short_hash,
    slot,
    total_pairs,
    with_books,
)
from zerosum.arena.play_match import PairPlayer
from zerosum.arena.strength.ratings import LEAST_PAIRS, Sprt, sprt
from zerosum.base import runs
from zerosum.base.errors import ZerosumError
from zerosum.base.progress import Progress, silent
from zerosum.base.text import printable, same_name
from zerosum.lab.executors import Cluster, Engine, Local, crew
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.rules.notation import parse_position
from zerosum.version import __version__

CRASHED: Final = frozenset({Fault.CRASH.value, Fault.UNREADABLE.value})


@dataclass
class CountedPairs:
    """The pairs up to number `known`, added up."""

    plan: ArenaPlan
    known: int = 0
    """Every pair up to this number is over or void."""
    counted: list[int] = field(default_factory=list)
    """The numbers of the pairs that count, in order."""
    void: int = 0
    withdrawn: set[int] = field(default_factory=set)
    cells: list[int] = field(default_factory=lambda: [0] * 5)
    """Of the first pairing: how many pairs gave A 0, ½, 1, 1½ and 2 points."""
    test: Sprt | None = None
    curve: list[float] = field(default_factory=list)
    """The log-likelihood ratio after each pair, from `LEAST_PAIRS` on."""
    _waiting: dict[int, tuple[float, list[tuple[int, bool]]]] = field(default_factory=dict)
    _streaks: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start the sequential test, if the plan has one."""
        if self.plan.sprt is not None:
            self.test = sprt(self.cells, *self.plan.sprt)

    @property
    def decided(self) -> bool:
        """Whether the sequential test is over."""
        return self.test is not None and self.test.decision is not None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.decided or self.known == total_pairs(self.plan)

    def is_void(self, where: Slot) -> bool:
        """Whether a pair that has not been played yet will not be."""
        return bool(self.withdrawn) and (where.a in self.withdrawn or where.b in self.withdrawn)

    def add(self, line: Mapping[str, Any]) -> None:
        """Take the line of a pair, which counts as soon as all pairs before it are known."""
        sides = [(match.get("by"), match.get("fault") in CRASHED) for match in line["matches"]]
        self._waiting[line["n"]] = line["points"], sides
        self.advance()

    def advance(self) -> None:
        """Count the pairs that follow the last one known, without a gap."""
        last = total_pairs(self.plan)
        while self.known < last and not self.decided:
            number = self.known + 1
            where = slot(self.plan, number)
            if self.is_void(where):
                self._waiting.pop(number, None)
                self.void += 1
            elif number in self._waiting:
                self._count(number, where)
            else:
                return
            self.known = number

    def _count(self, number: int, where: Slot) -> None:
        points, sides = self._waiting.pop(number)
        self.counted.append(number)
        for by, crashed in sides:
            for side, entrant in enumerate((where.a, where.b)):
                streak = self._streaks[entrant] = self._streaks.get(entrant, 0) + 1 if crashed and by == side else 0
                if streak >= limits.CRASHES:
                    self.withdrawn.add(entrant)
        if (where.a, where.b) == (0, 1):
            self.cells[round(2 * points)] += 1
            if self.plan.sprt is not None and sum(self.cells) >= LEAST_PAIRS:
                self.test = sprt(self.cells, *self.plan.sprt)
                self.curve.append(self.test.llr)


PLAN: Final = "plan.json"
RECORDS: Final = "records"
RESULTS: Final = "results.csv"
_KIND: Final = runs.RunKind("the arena", (runs.MANIFEST, PLAN), "pairs.log", "pair", limits.LINE_BYTES, (RECORDS,))

Watch = Callable[[CountedPairs, int], None]
"""Called with the state of a run, and how many pairs are in the log."""


_JOB: Final = "zerosum.arena.arena_run:pair_job"
_WAVE: Final = 2_000
"""Pairs that are handed out together, so that a long run takes no more memory than a short one."""


class UnplayedError(ZerosumError):
    """A pair that could not be played; the run is incomplete, and can be resumed."""

    exit_code = runs.INCOMPLETE


def play_pairs(plan: ArenaPlan, numbers: Sequence[int], engine: Engine) -> Generator[runs.Line, None, None]:
    """Yield the line of each of these pairs as it ends; raise an `UnplayedError` for one that cannot be played."""
    known = all(entrant.is_policy for entrant in plan.entrants)
    if isinstance(engine, Local) and not known:
        return _with_threads(plan, numbers, engine.jobs)
    if isinstance(engine, Local) and engine.jobs == 1:
        return _here(plan, numbers)
    return _elsewhere(plan, numbers, engine)


def _here(plan: ArenaPlan, numbers: Sequence[int]) -> Generator[runs.Line, None, None]:
    with closing(PairPlayer()) as player:
        for number in numbers:
            yield number, player.play(pair(plan, number))


def _with_threads(plan: ArenaPlan, numbers: Sequence[int], jobs: int) -> Generator[runs.Line, None, None]:
    """Play beside programs, each thread with its own: they do the thinking, so threads are enough."""

    @contextmanager
    def worker(stop: Event) -> Iterator[runs.Work]:
        with closing(PairPlayer(stop)) as player:
            yield lambda number: player.play(pair(plan, number))

    with closing(runs.RunThreads(numbers, jobs, worker)) as threads:
        for number, line in threads:
            if isinstance(line, ZerosumError):
                raise UnplayedError(str(line)) from line
            if isinstance(line, BaseException):
                raise line
            yield number, line


def _elsewhere(plan: ArenaPlan, numbers: Sequence[int], engine: Engine) -> Generator[runs.Line, None, None]:
    with crew(engine) as work:
        for first in range(0, len(numbers), _WAVE):
            wave = numbers[first : first + _WAVE]
            for at, row in work(_JOB, [_task(pair(plan, number)) for number in wave], None):
                if row.startswith('{"skipped"'):
                    raise UnplayedError(f"Pair {wave[at]} could not be played: {json.loads(row)['skipped']}")
                yield wave[at], row


def _task(one: Pair) -> str:
    rules = json.dumps(rules_to_dict(one.rules))
    return json.dumps([one.number, one.id, rules, one.position, one.a, one.b, one.seconds, one.illegal.value])


def pair_job(task: str) -> str:
    """Play the pair of a task; this runs in a worker process.

    Built-in players stay loaded. Programs are ended with the pair, since no worker learns when the run is over.
    """
    number, key, rules, position, a, b, seconds, illegal = json.loads(task)
    one = Pair(number, key, _rules(rules), position, a, b, seconds, IllegalMovePolicy(illegal))
    if is_policy(a) and is_policy(b):
        return _kept_player().play(one)
    with closing(PairPlayer()) as player:
        return player.play(one)


@lru_cache(maxsize=limits.GAMES)
def _rules(text: str) -> Rules:
    return rules_from_dict(json.loads(text))


_kept_player = cache(PairPlayer)


@dataclass(frozen=True, slots=True)
class ArenaRun:
    """A run whose folder is written: its plan, the names of the entrants, and what is known beforehand."""

    folder: runs.RunFolder
    plan: ArenaPlan
    names: tuple[str, ...]
    expectations: tuple[Expectation, ...]


def start_run(plan: ArenaPlan, path: str, progress: Progress = silent, *, resume: bool = False) -> ArenaRun:
    """Return a new run of a plan, or with `resume` the run in the folder, which must be of this plan."""
    return runs.RunFolder(path, _KIND).resume_or_create(
        lambda: _resume_run(path, plan), lambda: create_run(plan, path, progress), resume=resume
    )


def create_run(plan: ArenaPlan, path: str, progress: Progress = silent) -> ArenaRun:
    """Create a run in a folder that is missing or empty."""
    plan = with_books(plan, progress)
    names = _names(plan)
    expectations = tuple(expectations_of(plan, progress))
    manifest = {
        "schema": 1,
        "run": plan.key,
        "zerosum": __version__,
        "rules": {rules.id: short_hash(write_rules(rules)) for rules in plan.games},
        "books": {rules.id: short_hash("\n".join(book)) for rules, book in zip(plan.games, plan.books, strict=True)},
        "prompts": _prompts(plan),
        "names": names,
        "foreseen": [asdict(expectation) for expectation in expectations],
    }
    folder = runs.RunFolder(path, _KIND)
    folder.create({runs.MANIFEST: runs.manifest_text(manifest), PLAN: plan.normal_form})
    return ArenaRun(folder, plan, names, expectations)


def _names(plan: ArenaPlan) -> tuple[str, ...]:
    """Return the name of every entrant, all different: the plan's, or what an outsider calls itself."""
    names: list[str] = []
    for entrant in plan.entrants:
        name = entrant.name or _own_name(entrant, plan)
        if not entrant.is_policy and is_policy(name):
            name = f"{name[:30]} (outside)"  # so that it cannot pass for a built-in player
        numbered = chain([name], (f"{name[:36]} {number}" for number in counting(2)))
        names.append(next(one for one in numbered if not any(same_name(one, other) for other in names)))
    return tuple(names)


def _own_name(one: Contender, plan: ArenaPlan) -> str:
    if one.is_policy:
        prefix, colon, rest = one.who.partition(":")
        return shown_name(f"{prefix}{colon}{os.path.basename(rest)}")
    entrant = open_entrant(one.who)
    try:
        entrant.begin(plan.games[0])
        return shown_name(entrant.name)
    finally:
        entrant.close()


def _prompts(plan: ArenaPlan) -> dict[str, str]:
    """Return the hash of the first prompt of each game."""
    starts = [parse_position(book[0], rules) for rules, book in zip(plan.games, plan.books, strict=True)]
    turns = [Turn(start, (), start, plan.seconds, forfeits=plan.illegal.forfeits) for start in starts]
    return {turn.position.rules.id: short_hash(prompt(turn, forfeits=turn.forfeits)) for turn in turns}


def has_run(path: str) -> bool:
    """Return whether there is a run in a folder, and not just records."""
    return os.path.lexists(os.path.join(path, PLAN)) or not os.path.lexists(path)


def open_run(path: str) -> ArenaRun:
    """Return the run in a folder."""
    folder = runs.RunFolder(path, _KIND)
    with folder.reading(PLAN, runs.MANIFEST):
        plan = from_normal_form(folder.read(PLAN))
        manifest = json.loads(folder.read(runs.MANIFEST))
        names = tuple(map(str, manifest["names"]))
        expectations = tuple(Expectation(**one) for one in manifest["foreseen"])
        whole = manifest["run"] == plan.key and len(names) == len(plan.entrants)
    if not whole:
        raise folder.changed(PLAN, runs.MANIFEST)
    return ArenaRun(folder, plan, names, expectations)


def _resume_run(path: str, plan: ArenaPlan) -> ArenaRun:
    run = open_run(path)
    if replace(run.plan, books=()) != replace(plan, books=()):
        raise runs.RunError(f"{printable(path)}: is the run of another plan; give the same one, or a new folder.")
    return run


def write_records(run: ArenaRun, records: Iterable[tuple[str, str]]) -> None:
    """Write the records of matches that are missing, by name; they follow from the log, so none is synced."""
    folder = os.path.join(run.folder.path, RECORDS)
    for name, text in records:
        with contextlib.suppress(FileExistsError), open(os.path.join(folder, name), "x", encoding="utf-8") as file:
            file.write(text)


def state_of(run: ArenaRun, log: runs.RunLog) -> CountedPairs:
    """Return the state of a run by its log."""
    state = CountedPairs(run.plan)
    for line in log.read(sorted(log.at)):
        state.add(line)
    state.advance()
    return state


def play_run(run: ArenaRun, engine: Engine, watch: Watch = lambda _state, _done: None) -> CountedPairs:
    """Play the pairs of a run that are missing; return the state of the run then."""
    log = run.folder.log()
    # An engine that brings lines back soon enough to be synced in time.
    soon = engine if isinstance(engine, Cluster) else Local(engine.jobs, limits.BATCH_SECONDS)
    with closing(runs.RunLogWriter(log)) as writer:
        state = state_of(run, log)
        # Withdrawing an entrant takes back its pairs, so each time the rest is handed out again.
        while not state.complete:
            _play_on(run, soon, writer, state, watch)
    return state


def _play_on(run: ArenaRun, engine: Engine, writer: runs.RunLogWriter, state: CountedPairs, watch: Watch) -> None:
    """Play until nothing is left, the test is decided, or another entrant is withdrawn."""
    together = all(entrant.is_policy for entrant in run.plan.entrants)
    numbers = [
        number
        for number in writer.log.missing(total_pairs(run.plan))
        if number > state.known and not (state.withdrawn and state.is_void(slot(run.plan, number)))
    ]
    withdrawn = len(state.withdrawn)
    unsynced: list[runs.Line] = []
    since = monotonic()
    lines = play_pairs(run.plan, numbers, engine)
    try:
        for line in lines:
            unsynced.append(line)
            if together and monotonic() - since < limits.BATCH_SECONDS:
                continue
            _write(unsynced, writer, state)
            since = monotonic()
            watch(state, len(writer.log.at))
            if state.decided or len(state.withdrawn) > withdrawn:
                return
    finally:
        lines.close()
        _write(unsynced, writer, state)


def _write(lines: list[runs.Line], writer: runs.RunLogWriter, state: CountedPairs) -> None:
    batch = list(lines)
    lines.clear()  # first, so that no line is written twice, whatever interrupts the writing
    writer.append(batch)
    for _, body in batch:
        state.add(json.loads(body))
