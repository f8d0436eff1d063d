"""Talking to the processes that think, and games that are hard on them."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.patience import PATIENCE
from zerosum.rules.files import GAME_IDS, built_in, load_file
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.rules.schema import RulesDict, rules_to_dict
from zerosum.solver import solution_of
from zerosum.worker.client import WorkerClient
from zerosum.worker.errors import WorkerError

DOCS = Path(__file__).parents[2] / "docs"
RULES = [*map(built_in, GAME_IDS), *(load_file(str(path)) for path in sorted((DOCS / "variants").glob("*.toml")))]
SUM31 = rules_to_dict(built_in("sum31"))
AT = "1,2,3,4,7 28 1"
HOSTILE: RulesDict = {"format": 1, "id": "hostile", "name": "Hostile", "pool": list(range(1, 41)), "target": 400}
_RUNNING_AWAY: RulesDict = {"totals": "own", "exhausted": "closest", "tie": "sudden-death", "target": 33}
SLOW: RulesDict = {"format": 1, "id": "slow", "name": "Slow", "pool": [-10, -6, -1, 2, 7, 8, 8], **_RUNNING_AWAY}
"""Seven numbers that take seconds: totals run away from the target, and sudden death lets them."""
T = TypeVar("T")


def think(talk: Callable[[WorkerClient], Awaitable[T]], *, seconds: float = PATIENCE, waiting: int = 32) -> T:
    """Return what comes of talking to a new `Thinking`; afterwards none of its processes is left."""

    async def run() -> T:
        thinking = WorkerClient(seconds=seconds, waiting=waiting)
        try:
            return await talk(thinking)
        finally:
            pids = [lane.pid for lane in thinking.queues.values()]
            await thinking.close()
            assert not [pid for pid in pids if pid is not None and alive(pid)]

    return asyncio.run(run())


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
