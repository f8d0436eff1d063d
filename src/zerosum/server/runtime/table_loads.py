"""Loading tables: few at a time, each once however many ask for it, and given up when nobody waits for it.

Of a table the first event is read, the beginning of its latest match, and what follows. A long match is read and folded
piece by piece, so that others are served meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from zerosum.base import limits as rule_limits
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.queries import TableHead
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.loaded_table import (
    LoadedTable,
    begin_loading,
    size_while_loaded,
    solve_for_limit,
)
from zerosum.server.world import REAL, World
from zerosum.tables.problems import Problem

_READ_EVENTS: Final = 256
"""Events of one read; other jobs of the database come between two."""
_FOLD_EVENTS: Final = 8
"""Events that are folded before others are served: about a millisecond."""


DELETED: Final = "This table was deleted with its room."
"""What is said of a table that is gone."""


class TableLoads:
    """The loads under way."""

    def __init__(self, writer: DatabaseQueue, world: World = REAL) -> None:
        self._writer = writer
        self._world = world
        self._loads: dict[str, asyncio.Future[LoadedTable | None]] = {}
        """What becomes of each load under way: a table, or None if it was given up."""
        self._size = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    @property
    def size(self) -> int:
        """About how many bytes the tables take that are being loaded."""
        return self._size

    async def latest(self, table_id: str) -> LoadedTable:
        """Return a table with its latest match; who asks meanwhile for the same table gets the same copy.

        The first who asks does the work. If that request is given up, the next who waits does it.
        """
        while (load := self._loads.get(table_id)) is not None:
            if (joined := await asyncio.shield(load)) is not None:
                return joined
        load = self._loads[table_id] = asyncio.get_running_loop().create_future()
        try:
            loaded = await self.part(table_id)
        except BaseException:
            load.set_result(None)
            raise
        finally:
            del self._loads[table_id]
        load.set_result(loaded)
        return loaded

    async def part(self, table_id: str, begin: int | None = None, until: int | None = None) -> LoadedTable:
        """Return a table up to a version, from the match to which the version `begin` belongs."""
        read = partial(queries.table_head, table_id=table_id, begin=begin, until=until)
        head = await self._writer.read(read)
        if head is None:
            if await self._writer.read(partial(queries.is_gone, name=table_id)):
                raise Problem("gone", DELETED)
            raise Problem("no-such-table", "Check the address; there is no table with this id.")
        async with self._room(size_while_loaded(head.latest - head.began.version + 1)):
            return await self._fold(table_id, head, keeps_from=begin)

    async def _fold(self, table_id: str, head: TableHead, *, keeps_from: int | None) -> LoadedTable:
        loaded = begin_loading(table_id, head.opened, head.began)
        loaded.keeps_from = keeps_from
        if head.latest - head.began.version > rule_limits.MATCH_PLIES:
            await solve_for_limit(loaded.table.setup.rules, self._world)
        while loaded.table.version < head.latest:
            since, until = loaded.table.version, min(head.latest, loaded.table.version + _READ_EVENTS)
            read = partial(queries.events_between, table_id=table_id, since=since, until=until)
            events = await self._writer.read(read)
            if not events:
                raise Problem("unavailable", "The database has lost a part of this table.")
            for event in events:
                loaded.add(event)
                if event.version % _FOLD_EVENTS == 0:
                    await asyncio.sleep(0)
        return loaded

    @asynccontextmanager
    async def _room(self, size: int) -> AsyncIterator[None]:
        """Wait until there is room for a table beside those that are being loaded; one alone always has room."""
        if len(self._queue) >= limits.LOADS_WAITING:
            raise Problem("busy", "Too many long tables are being opened; try again in a moment.")
        while self._size and self._size + size > limits.LOADING_BYTES:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.append(turn)
            try:
                await turn
            finally:
                if turn in self._queue:
                    self._queue.remove(turn)
        self._size += size
        try:
            yield
        finally:
            self._size -= size
            while self._queue:
                turn = self._queue.popleft()
                if not turn.done():
                    turn.set_result(None)
