"""Clocks: what time a command arrives at, when the time of the person to move is up, and the event that says so."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from zerosum.server import limits
from zerosum.server.domain.commands import time_draft
from zerosum.server.domain.events import automatic_event, now_ms
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.refusals import Moment, time_is_up
from zerosum.server.domain.table import Table
from zerosum.server.runtime.downtime import Downtime
from zerosum.server.runtime.loaded_table import LoadedTable
from zerosum.server.runtime.presence import Presence
from zerosum.server.runtime.table_cache import TableCache
from zerosum.server.runtime.tasks import NamedTasks

_LATE: Final = 0.05


class Clocks:
    """The clocks of all tables; time in which the server or its database was away is on nobody's clock."""

    def __init__(self, cache: TableCache, tasks: NamedTasks, presence: Presence, downtime: Downtime) -> None:
        self._cache = cache
        self._tasks = tasks
        self._presence = presence
        self._downtime = downtime
        cache.listen(self.wind)

    async def moment(self, table: Table, *, claim: bool = False) -> Moment:
        """Return the moment at which something happens at a table; a claim also asks who has been seen."""
        if table.clock is not None or claim:
            await self._downtime.learn()
        now = now_ms()
        spent = self._downtime.spent(table.last.at if table.clock is None else table.turn_began, now)
        unseen = 0
        if claim and table.running:
            unseen = await self._presence.unseen(table.id, table.match.to_move, now)
        return Moment(now, spent, unseen)

    async def flag(self, loaded: LoadedTable, moment: Moment) -> bool:
        """End the match if the time of the person to move is up; whether it was."""
        if not time_is_up(loaded.table, moment):
            return False
        draft = time_draft(loaded.table, moment)
        event = automatic_event(loaded.table.version + 1, moment.now, draft.kind, None, draft.data)
        await self._cache.append(loaded, event, draft.played)
        return True

    def wind(self, loaded: LoadedTable, least: float = 0.0) -> None:
        """Look again when the time of the person to move will be up, after `least` seconds at the earliest."""
        if loaded.timer is not None:
            loaded.timer.cancel()
            loaded.timer = None
        table = loaded.table
        if table.clock is not None and table.running:
            spent = self._downtime.spent(table.turn_began, now_ms())
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
