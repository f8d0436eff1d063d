"""Talking to worker processes: with games that are hard on them, and with jobs that end when a test says so."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.patience import PATIENCE
from zerosum.rules.game_files import GAME_IDS, built_in, load_file
from zerosum.rules.model import Rules, RulesDict, rules_to_dict
from zerosum.rules.position import Position
from zerosum.server.worker.client import MODULES, WorkerClient, WorkerError, WorkQueue
from zerosum.solver import solution_of

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
EXTRA = "tests.server.worker.extra_jobs"
"""The module with jobs of the tests; a process finds it by `PYTHONPATH`, see `conftest.py`."""
RULES = [*map(built_in, GAME_IDS), *(load_file(str(path)) for path in sorted((DOCS / "variants").glob("*.toml")))]
SUM31 = rules_to_dict(built_in("sum31"))
AT = "1,2,3,4,7 28 1"
HOSTILE: RulesDict = {"format": 1, "id": "hostile", "name": "Hostile", "pool": list(range(1, 41)), "target": 400}
_RUNNING_AWAY: RulesDict = {"totals": "own", "exhausted": "closest", "tie": "sudden-death", "target": 33}
SLOW: RulesDict = {"format": 1, "id": "slow", "name": "Slow", "pool": [-10, -6, -1, 2, 7, 8, 8], **_RUNNING_AWAY}
"""Seven numbers that take seconds: totals run away from the target, and sudden death lets them."""
T = TypeVar("T")


def think(talk: Callable[[WorkerClient], Awaitable[T]], *, waiting: int = 32) -> T:
    """Return what comes of talking to a new client; afterwards none of its processes is left."""

    async def run() -> T:
        client = WorkerClient(seconds=PATIENCE, waiting=waiting, modules=(*MODULES, EXTRA))
        try:
            return await talk(client)
        finally:
            pids = [queue.pid for queue in client.queues.values()]
            await client.close()
            assert not [pid for pid in pids if pid is not None and alive(pid)]

    return asyncio.run(run())


def queue_of(talk: Callable[[WorkQueue], Awaitable[T]], *, seconds: float = PATIENCE, waiting: int = 32) -> T:
    """Return what comes of talking to a new queue, which is closed afterwards."""

    async def run() -> T:
        queue = WorkQueue(seconds=seconds, waiting=waiting, modules=(EXTRA,))
        try:
            return await talk(queue)
        finally:
            await queue.close()

    return asyncio.run(run())


@dataclass(frozen=True)
class Held:
    """A job that runs until it is let go."""

    gate: Path
    pid: int
    answer: asyncio.Task[bytes]

    def let_go(self) -> None:
        self.gate.touch()


async def held(queue: WorkQueue, gate: Path, caller: str = "") -> Held:
    """Ask for a job that keeps the process of a queue busy, and wait until it has begun."""
    answer = asyncio.create_task(queue.ask({"job": "hold", "gate": str(gate)}, caller))
    begun = Path(f"{gate}.begun")
    async with asyncio.timeout(PATIENCE):
        while not (begun.exists() and (text := begun.read_text())):
            assert not answer.done(), answer
            await asyncio.sleep(0.005)
    return Held(gate, int(text), answer)


async def until_waiting(queue: WorkQueue, count: int) -> None:
    """Wait until a number of questions wait for their turn."""
    async with asyncio.timeout(PATIENCE):
        while queue.waiting != count:
            await asyncio.sleep(0.005)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def code_of(asking: Coroutine[None, None, Any]) -> str:
    with pytest.raises(WorkerError) as caught:
        await asking
    assert caught.value.detail
    assert "--memory" not in caught.value.detail
    return caught.value.code


def positions_of(rules: Rules, matches: int = 2) -> Iterator[Position]:
    chance = random.Random(rules.id)
    for _ in range(matches):
        position = solution_of(rules).start
        while position.outcome is None:
            yield position
            position = position.play(chance.choice(position.legal_moves()))
