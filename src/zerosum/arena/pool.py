"""Where pairs are played: in this process, in threads beside programs, in other processes, or on a cluster.

The lines of the log are the same everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from threading import Event
from typing import Final

from zerosum.arena import limits
from zerosum.arena.entrants.entrant import IllegalMovePolicy
from zerosum.arena.plan import ArenaPlan, Pair, is_policy, pair
from zerosum.arena.play_match import PairPlayer
from zerosum.base.errors import ZerosumError
from zerosum.base.runs import INCOMPLETE, Line, RunThreads, Work
from zerosum.lab.batches import Evaluate
from zerosum.lab.executors import Cluster, Engine, Local, crew
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict

_JOB: Final = "zerosum.arena.pool:pair_job"
_WAVE: Final = 2_000
"""Pairs that are handed out together, so that a long run takes no more memory than a short one."""


class UnplayedError(ZerosumError):
    """A pair that could not be played; the run is incomplete, and can be resumed."""

    exit_code = INCOMPLETE


def play_pairs(plan: ArenaPlan, numbers: Sequence[int], engine: Engine) -> Generator[Line, None, None]:
    """Yield the line of each of these pairs as it ends; raise an `UnplayedError` for one that cannot be played."""
    known = all(one.is_policy for one in plan.entrants)
    if isinstance(engine, Local) and not known:
        return _with_threads(plan, numbers, engine.jobs)
    if isinstance(engine, Local) and engine.jobs == 1:
        return _here(plan, numbers)
    return _elsewhere(plan, numbers, engine)


def _here(plan: ArenaPlan, numbers: Sequence[int]) -> Generator[Line, None, None]:
    with closing(PairPlayer()) as player:
        for number in numbers:
            yield number, player.play(pair(plan, number))


def _with_threads(plan: ArenaPlan, numbers: Sequence[int], jobs: int) -> Generator[Line, None, None]:
    """Play beside programs, each thread with its own: they do the thinking, so threads are enough."""

    @contextmanager
    def worker(stop: Event) -> Iterator[Work]:
        with closing(PairPlayer(stop)) as player:
            yield lambda number: player.play(pair(plan, number))

    with closing(RunThreads(numbers, jobs, worker)) as threads:
        for number, line in threads:
            if isinstance(line, ZerosumError):
                raise UnplayedError(str(line)) from line
            if isinstance(line, BaseException):
                raise line
            yield number, line


def _elsewhere(plan: ArenaPlan, numbers: Sequence[int], engine: Engine) -> Generator[Line, None, None]:
    with crew(engine) as work:
        for first in range(0, len(numbers), _WAVE):
            yield from _wave(plan, numbers[first : first + _WAVE], work)


def _wave(plan: ArenaPlan, numbers: Sequence[int], work: Evaluate) -> Generator[Line, None, None]:
    tasks = [_task(pair(plan, number)) for number in numbers]
    for at, row in work(_JOB, tasks, None):
        if row.startswith('{"skipped"'):
            raise UnplayedError(f"Pair {numbers[at]} could not be played: {json.loads(row)['skipped']}")
        yield numbers[at], row


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


@lru_cache(maxsize=1)
def _kept_player() -> PairPlayer:
    return PairPlayer()


def engine_for(engine: Engine) -> Engine:
    """Return an engine that brings lines back soon enough to be synced in time."""
    return engine if isinstance(engine, Cluster) else Local(engine.jobs, limits.BATCH_SECONDS)
