"""The tables in memory: copies of what the database has, which is the truth.

An event is written under the next version. If that version is taken, the copy was old and is read again. Nothing is
answered or published before the database has it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final

from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.queries import TableNews
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.loaded_table import LoadedTable, check_same
from zerosum.server.runtime.table_loads import DELETED, TableLoads
from zerosum.server.world import REAL, World
from zerosum.tables.commands import Command
from zerosum.tables.events import Event, is_id
from zerosum.tables.keys import Key
from zerosum.tables.problems import Problem
from zerosum.tables.table import PlayedEntry

Publish = Callable[[LoadedTable, Event], None]
Listener = Callable[[LoadedTable], None]
_AT_ONCE: Final = 100
"""Tables that are looked for by one job of the database; moves are written between two."""


class TableCache:
    """Tables by their ids. `publish` is called with each new event, once its sender has been answered.

    The copies of tables that are `watched` stay in memory; of the others the least recently used go first.
    """

    def __init__(
        self,
        writer: DatabaseQueue,
        publish: Publish,
        watched: Callable[[str], bool] = lambda _: False,
        world: World = REAL,
    ) -> None:
        self._world = world
        self._loop = asyncio.get_running_loop()
        self._writer = writer
        self._publish = publish
        self._watched = watched
        self._loads = TableLoads(writer, world)
        self._tables: OrderedDict[str, LoadedTable] = OrderedDict()
        self._listeners: list[Listener] = []
        self._size = 0

    @property
    def size(self) -> int:
        """About how many bytes all copies take."""
        return self._size

    def listen(self, listener: Listener) -> None:
        """Have a function called with each table that is loaded, looked at or changed."""
        self._listeners.append(listener)

    def get(self, table_id: str) -> LoadedTable | None:
        """Return the copy of a table, if there is one."""
        return self._tables.get(table_id)

    async def fresh(self, table_id: str) -> LoadedTable:
        """Return a table as the database has it now."""
        return (await self.fresh_with_news(table_id, None))[0]

    async def fresh_with_news(self, table_id: str, key: Key | None) -> tuple[LoadedTable, TableNews]:
        """Return a table as the database has it now, the seats that a key holds, and who was seen, by one read."""
        loaded = self._tables.get(table_id)
        if loaded is None:
            if not is_id(table_id):
                raise Problem("no-such-table", "Check the address; this is not the id of a table.")
            copy = await self._loads.latest(table_id)
            loaded = self._tables.get(table_id) or self.remember(copy)
        if table_id in self._tables:
            self._tables.move_to_end(table_id)
        table = loaded.table
        news = await self._writer.read(partial(queries.table_news, table_id=table_id, since=table.version, key=key))
        if table.room and not news.taken:
            self.forget(table_id)
            raise Problem("gone", DELETED)
        for event in news.events:
            await self.take_in(loaded, event)
        self._tell(loaded)
        return loaded, news

    async def with_events(self, loaded: LoadedTable, since: int, until: int) -> LoadedTable:
        """Return a copy of a table that has the events after one version, up to another; an old one is not kept."""
        if since + 1 >= loaded.base:
            return loaded
        return await self._loads.part(loaded.table.id, since + 1, until)

    async def record(self, loaded: LoadedTable, number: int) -> str:
        """Return the record of one of the matches at a table."""
        table = loaded.table
        if not 1 <= number <= table.number:
            raise Problem("no-such-match", f"There are {table.number} matches at this table.")
        if number == table.number:
            return table.match.record()
        bounds = partial(queries.match_bounds, table_id=table.id, number=number)
        _, until = await self._writer.read(bounds)
        return (await self._loads.part(table.id, until, until)).table.match.record()

    async def sent_before(
        self, loaded: LoadedTable, held: frozenset[Person], name: str, command: Command
    ) -> int | None:
        """Return the version that a command made when it was first sent, None if this is the first time."""
        known = loaded.sent_before(held, name, command)
        if known is not None or loaded.base == 1 or not held:
            return known
        read = partial(queries.sent_before, table_id=loaded.table.id, persons=held, move_id=command.move_id)
        found = await self._writer.read(read)
        if found is None:
            return None
        check_same(found[1], name, command)
        return found[0]

    async def text_at(self, loaded: LoadedTable, held: frozenset[Person], version: int) -> str:
        """Return the state as it was after an event, however long ago."""
        return (await self.with_events(loaded, version - 1, version)).text_at(held, version)

    async def poll(self, table_ids: list[str]) -> None:
        """Look in the database for events that other replicas have written to tables in memory."""
        known = [one for one in table_ids if one in self._tables]
        for at in range(0, len(known), _AT_ONCE):
            found = await self._writer.read(partial(queries.versions, table_ids=known[at : at + _AT_ONCE]))
            for table_id, version in found.items():
                await self.hint(table_id, version)

    async def hint(self, table_id: str, version: int) -> None:
        """Take a hint that a table may have reached a version."""
        loaded = self._tables.get(table_id)
        # The hint may be about an event whose sender has not been answered yet; that write ends with a look anyway.
        if loaded is not None and not loaded.writing and loaded.table.version < version:
            await self.catch_up(loaded)

    async def catch_up(self, loaded: LoadedTable) -> None:
        """Add the events that the database has beyond the copy."""
        since = partial(queries.events_since, table_id=loaded.table.id, since=loaded.table.version)
        for event in await self._writer.read(since):
            await self.take_in(loaded, event)

    async def append(self, loaded: LoadedTable, event: Event, played: PlayedEntry | None = None) -> bool:
        """Write an event; whether its version was free. Either way the copy is then as the database has it."""
        loaded.writing += 1
        try:
            stored = await self._writer.append(loaded.table.id, event)
        finally:
            loaded.writing -= 1
        if stored is None:
            await self.catch_up(loaded)
            gone = partial(queries.is_gone, name=loaded.table.id)
            if loaded.table.version < event.version and await self._writer.read(gone):
                self.forget(loaded.table.id)
                raise Problem("gone", DELETED)
        else:
            await self.take_in(loaded, stored, played)
        return stored is not None

    async def take_in(self, loaded: LoadedTable, event: Event, played: PlayedEntry | None = None) -> None:
        """Add a stored event to the copy, and publish it to all viewers."""
        if event.version <= loaded.table.version:
            return
        if event.version > loaded.table.version + 1:
            await self.catch_up(loaded)
            return
        before = loaded.size
        loaded.add(event, played)
        current = self._tables.get(loaded.table.id)
        if current is loaded:
            self._size += loaded.size - before
            self._evict(loaded.table.id)
        elif current is not None:
            await self.take_in(current, event)  # this copy left memory while the event was written
        # Runs after the sender is answered: nobody learns of a move before the person who made it.
        self._loop.call_soon(self._publish, loaded, event)
        self._tell(loaded)

    async def settled(self, loaded: LoadedTable, seconds: float) -> None:
        """Wait a little for a computer whose move is due."""
        deadline = self._world.monotonic() + seconds
        while loaded.table.computer_to_move and (rest := deadline - self._world.monotonic()) > 0:
            try:
                await asyncio.wait_for(loaded.changed(), rest)
            except TimeoutError:
                return

    def remember(self, loaded: LoadedTable) -> LoadedTable:
        """Keep a copy of a table that the database has."""
        self._tables[loaded.table.id] = loaded
        self._size += loaded.size
        self._evict(loaded.table.id)
        self._tell(loaded)
        return loaded

    def forget(self, table_id: str) -> None:
        """Drop the copy of a table that was deleted."""
        gone = self._tables.pop(table_id, None)
        if gone is not None:
            self._size -= gone.size
            _stop_timer(gone)

    def close(self) -> None:
        """Stop all timers."""
        for loaded in self._tables.values():
            _stop_timer(loaded)

    def _evict(self, keep: str) -> None:
        """Let go of copies beyond the limits, the least recently used first."""
        if len(self._tables) <= limits.TABLES_IN_MEMORY and self._size <= limits.TABLE_BYTES_IN_MEMORY:
            return
        for table_id in list(self._tables):
            if len(self._tables) <= limits.TABLES_IN_MEMORY and self._size <= limits.TABLE_BYTES_IN_MEMORY:
                return
            if table_id != keep and not self._watched(table_id):
                self.forget(table_id)

    def _tell(self, loaded: LoadedTable) -> None:
        for listener in self._listeners:
            listener(loaded)


def _stop_timer(loaded: LoadedTable) -> None:
    if loaded.timer is not None:
        loaded.timer.cancel()
        loaded.timer = None
