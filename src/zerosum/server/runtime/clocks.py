"""Clocks: when a command arrives, when the time of the person to move is up, and the event that ends the match then.

Time in which the server or its database was down is on nobody's clock. `NamedTasks` runs work beside the requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context
from functools import partial
from typing import Final

import structlog

from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.hub import LastSeen, Presence
from zerosum.server.runtime.table_cache import LoadedTable, TableCache
from zerosum.server.world import World
from zerosum.tables.commands import Moment, time_draft, time_is_up
from zerosum.tables.events import automatic_event
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

_log = structlog.get_logger("zerosum.tasks")


class NamedTasks:
    """Running tasks by name. A failure is logged; the next occasion tries again."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, name: str, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Start a task, unless one of that name is running."""
        if name in self._tasks:
            return
        # In a context of its own: no request is charged for what goes on after it.
        task = asyncio.get_running_loop().create_task(work(), context=Context())
        self._tasks[name] = task
        task.add_done_callback(lambda done: self._finished(name, done))

    def _finished(self, name: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(name, None)
        if not task.cancelled() and task.exception() is not None:
            _log.warning("task put off", task=name.partition(" ")[0], error=repr(task.exception())[:200])

    async def close(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Downtime:
    """The outages known; each heartbeat notes that this replica is up and learns of outages before."""

    def __init__(self, writer: DatabaseQueue, world: World) -> None:
        self._writer = writer
        self._world = world
        self._replica = world.token_hex(8)
        self._first = True
        self._last = 0
        self._outages: list[tuple[int, int]] = []

    async def beat(self) -> None:
        """Note that the server is up."""
        write = partial(queries.beat, replica=self._replica, first=self._first, world=self._world)
        self._last, self._outages = await self._writer.write(write)
        self._first = False

    async def learn(self) -> None:
        """Learn of an outage that has just ended, without waiting for the next heartbeat."""
        if self._world.now_ms() - self._last > queries.SILENCE_MS:
            await self.beat()

    def spent(self, since: int, now: int) -> int:
        """Return the milliseconds from `since` to `now` in which one could play."""
        away = sum(max(0, min(ended, now) - max(began, since)) for began, ended in self._outages)
        return max(0, now - since - away)


_LATE: Final = 0.05


class Clocks:
    """The clocks of all tables; time in which the server or its database was away is on nobody's clock."""

    def __init__(
        self, cache: TableCache, tasks: NamedTasks, presence: Presence, downtime: Downtime, world: World
    ) -> None:
        self._world = world
        self._cache = cache
        self._tasks = tasks
        self._presence = presence
        self._downtime = downtime
        self.paused: Callable[[Table, int, int], int] = lambda _table, _since, _now: 0
        """For how many milliseconds the room of a table was paused in a time."""
        cache.listen(self.wind)

    async def moment(self, table: Table, *, claim: bool = False, seen: LastSeen | None = None) -> Moment:
        """Return the moment at which something happens at a table; a claim also asks who has been seen."""
        if table.clock is not None or claim:
            await self._downtime.learn()
        # The clock of the replica that wrote the last event may be ahead of ours.
        now = max(self._world.now_ms(), table.last.at)
        spent = unseen = 0
        if table.clock is not None or claim:  # else nobody asks
            spent = self._spent(table, table.last.at if table.clock is None else table.turn_began, now)
        if claim and table.running:
            unseen = await self._presence.unseen(table.id, table.match.to_move, now, seen)
        if table.match.outcome is None:
            return Moment(now, spent, unseen)  # nothing begins
        return Moment(now, spent, unseen, self._world.token_hex(8))

    def _spent(self, table: Table, since: int, now: int) -> int:
        return max(0, self._downtime.spent(since, now) - self.paused(table, since, now))

    async def flag(self, loaded: LoadedTable, moment: Moment) -> bool:
        """End the match if the time of the person to move is up; whether it was."""
        if not time_is_up(loaded.table, moment):
            return False
        draft = time_draft(loaded.table, moment)
        event = automatic_event(loaded.table.version + 1, moment.now, draft.kind, None, draft.data)
        await self._cache.append(loaded, event, draft.played)
        return True

    def wind(self, loaded: LoadedTable, least: float = 0.0) -> None:
        """Check again when the time of the person to move will be up, after `least` seconds at the earliest."""
        if loaded.timer is not None:
            loaded.timer.cancel()
            loaded.timer = None
        table = loaded.table
        if table.clock is not None and table.running:
            spent = self._spent(table, table.turn_began, self._world.now_ms())
            seconds = max(least, table.left_of(table.match.to_move, spent) / 1000 + _LATE)
            start = partial(self._tasks.start, f"clock {table.id}", partial(self._look, loaded))
            loaded.timer = asyncio.get_running_loop().call_later(seconds, start)

    async def _look(self, loaded: LoadedTable) -> None:
        try:
            await self._cache.catch_up(loaded)
            if not await self.flag(loaded, await self.moment(loaded.table)):
                self.wind(loaded)
        except Problem:
            self.wind(loaded, limits.POLL_SECONDS)
            raise
