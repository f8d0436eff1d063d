"""When moves are made: by a clock that does not wait for answers, or each as soon as the one before is acknowledged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.load.seats import Playing, Tally
from tests.patience import PATIENCE

_BEFORE: Final = 0.5


@dataclass(frozen=True)
class Run:
    """How long a run took, in seconds of the clock and of this process, and how late its clock was at worst."""

    seconds: float
    own_work: float
    late: float = 0.0


async def open_loop(tables: Sequence[Playing], rate: float, seconds: float) -> Run:
    """Have `rate` moves a second made, each due at its own time whatever became of those before."""
    clock = asyncio.get_running_loop().time
    began, worked, late = clock() + _BEFORE, time.process_time(), 0.0
    for number in range(round(rate * seconds)):
        due = began + number / rate
        if (wait := due - clock()) > 0:
            await asyncio.sleep(wait)
        late = max(late, clock() - due)
        tables[number % len(tables)].due(due)
    ended = clock()
    await settle(tables)
    return Run(ended - began, time.process_time() - worked, late)


async def closed_loop(tables: Sequence[Playing], tally: Tally, warm: float, seconds: float) -> tuple[float, Run]:
    """Have a move made at every table as soon as the last is acknowledged; return how many a second were."""
    clock = asyncio.get_running_loop().time
    for table in tables:
        table.due(clock())
    await asyncio.sleep(warm)
    began, worked, before = clock(), time.process_time(), len(tally.acknowledged)
    await asyncio.sleep(seconds)
    run = Run(clock() - began, time.process_time() - worked)
    rate = (len(tally.acknowledged) - before) / run.seconds
    for table in tables:
        table.stop()
    await settle(tables)
    return rate, run


async def settle(tables: Sequence[Playing]) -> None:
    """Wait until everything sent is acknowledged and told; what is not counts as an error."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and not all(table.idle for table in tables):
        await asyncio.sleep(0.05)
    for table in tables:
        if not table.idle:
            table.wrong("something was never acknowledged or told")
        for person in table.persons:
            if person.socket is not None and person.socket.lost is not None:
                table.wrong(person.socket.lost)
