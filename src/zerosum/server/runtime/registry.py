"""The tables of this server, and how they are played at. The store is the truth; what is in memory is a copy.

A command is decided on the copy and written under the next version. If that version is taken, the copy was old: it is
read anew and the sender is told. Nothing is answered, and nobody is told, before the store has it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import islice

import structlog

from zerosum.match.setup import Person
from zerosum.rules.schema import rules_to_dict
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.writer import Writer
from zerosum.server.domain.commands import COMMANDS, Command, Draft, computer_draft, speaker, time_draft
from zerosum.server.domain.events import AUTO, Event, is_id, now_ms
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.refusals import Moment, time_is_up
from zerosum.server.domain.table import Table
from zerosum.server.runtime.downtime import Downtime
from zerosum.server.runtime.loaded_table import CommandResult, LoadedTable, content, keep_all
from zerosum.server.runtime.presence import Presence
from zerosum.server.runtime.worker import ServerWorker

_log = structlog.get_logger("zerosum.tables")

Publish = Callable[[LoadedTable, Event], None]


class TableRegistry:
    """All tables, by their ids. `publish` is called with each new event, once its sender has been answered.

    The copies of tables that are `watched` stay in memory, whatever else is asked for.
    """

    def __init__(
        self, writer: Writer, worker: ServerWorker, publish: Publish, watched: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._writer = writer
        self._worker = worker
        self._publish = publish
        self._watched = watched
        self._loaded: OrderedDict[str, LoadedTable] = OrderedDict()
        self._thoughts: dict[str, asyncio.Task[None]] = {}
        self.under_way = 0
        """Commands that wait for their answer."""
        self.stopping = False
        self.presence = Presence(writer)
        self.downtime = Downtime(writer)

    async def close(self) -> None:
        """Let computers stop thinking; what they owe is played when the table is next looked at."""
        for loaded in self._loaded.values():
            if loaded.timer is not None:
                loaded.timer.cancel()
        for task in list(self._thoughts.values()):
            task.cancel()
        await asyncio.gather(*self._thoughts.values(), return_exceptions=True)

    def in_memory(self, table_id: str) -> LoadedTable | None:
        """Return the copy of a table, if there is one."""
        return self._loaded.get(table_id)

    async def fresh(self, table_id: str) -> LoadedTable:
        """Return a table as the store has it now."""
        loaded = self._loaded.get(table_id)
        if loaded is None:
            if not is_id(table_id):
                raise Problem("no-such-table", "Check the address; no table is called so.")
            events = await self._writer.read(partial(queries.events_since, table_id=table_id, since=0))
            if not events:
                raise Problem("no-such-table", "Check the address; nobody has opened such a table.")
            read = await keep_all(table_id, events)
            loaded = self._loaded.get(table_id) or self.remember(read)
        self._loaded.move_to_end(table_id)
        await self._catch_up(loaded)
        self._think(loaded)
        return loaded

    async def look(self, table_ids: list[str]) -> None:
        """Look at the store for events that other replicas have written to tables in memory."""
        known = [one for one in table_ids if one in self._loaded]
        found = await self._writer.read(partial(queries.versions, table_ids=known)) if known else {}
        for table_id, version in found.items():
            await self.hear(table_id, version)

    async def hear(self, table_id: str, version: int) -> None:
        """Take a hint that a table may have come so far."""
        loaded = self._loaded.get(table_id)
        # The hint may be of an event whose sender has not been answered yet; writing it ends with looking anyway.
        if loaded is not None and not loaded.writing and loaded.table.version < version:
            await self._catch_up(loaded)

    async def _catch_up(self, loaded: LoadedTable) -> None:
        since = partial(queries.events_since, table_id=loaded.table.id, since=loaded.table.version)
        for event in await self._writer.read(since):
            await self.take_in(loaded, event)

    async def settled(self, loaded: LoadedTable, seconds: float) -> None:
        """Wait a little for a computer whose move is due."""
        deadline = time.monotonic() + seconds
        while loaded.table.computer_to_move and (rest := deadline - time.monotonic()) > 0:
            try:
                await asyncio.wait_for(loaded.changed.wait(), rest)
            except TimeoutError:
                return

    async def run(self, table_id: str, held: frozenset[Person], name: str, command: Command) -> CommandResult:
        """Carry a command out, once: sent again, it gets its first answer again."""
        if self.stopping:
            raise Problem("stopping", "The server is stopping; send the same again when it is back.")
        self.under_way += 1
        try:
            return await self._run(table_id, held, name, command)
        finally:
            self.under_way -= 1

    async def _run(self, table_id: str, held: frozenset[Person], name: str, command: Command) -> CommandResult:
        loaded = self._loaded.get(table_id) or await self.fresh(table_id)
        if command.version != loaded.table.version:
            loaded = await self.fresh(table_id)
        repeated = loaded.first_answer(held, name, command)
        if repeated is not None:
            return repeated
        person = speaker(loaded.table, held, command)
        if command.version != loaded.table.version:
            raise _stale(loaded, held)
        moment = await self._moment(loaded.table, name)
        if time_is_up(loaded.table, moment):
            await self._flag(loaded, moment)
            raise Problem("not-now", "The time was up.", state=loaded.state(held))
        draft = COMMANDS[name].decide(loaded.table, person, command, moment)
        data = {**draft.data, "command": content(name, command)}
        event = Event(command.version + 1, moment.now, draft.kind, person, data, command.move_id)
        if not await self._append(loaded, event):
            repeated = loaded.first_answer(held, name, command)
            if repeated is not None:
                return repeated
            raise _stale(loaded, held)
        return CommandResult(event.version, loaded.text_at(held, event.version))

    async def _moment(self, table: Table, name: str) -> Moment:
        if table.clock is not None or name == "claim":
            await self.downtime.learn()
        now = now_ms()
        spent = self.downtime.spent(table.last.at if table.clock is None else table.turn_began, now)
        unseen = 0
        if name == "claim" and table.running:
            unseen = await self.presence.unseen(table.id, table.match.to_move, now)
        return Moment(now, spent, unseen)

    async def _append(self, loaded: LoadedTable, event: Event) -> bool:
        """Write an event; whether its version was free. Either way the table is then as the store has it."""
        loaded.writing += 1
        try:
            stands = await self._writer.append(loaded.table.id, event)
        finally:
            loaded.writing -= 1
        await (self._catch_up(loaded) if stands is None else self.take_in(loaded, stands))
        return stands is not None

    async def take_in(self, loaded: LoadedTable, event: Event) -> None:
        """Take an event that the store has into the copy, and tell whoever looks on."""
        if event.version <= loaded.table.version:
            return
        if event.version > loaded.table.version + 1:
            await self._catch_up(loaded)
            return
        loaded.add(event)
        # After what runs now, which answers the sender: nobody hears of a move before who made it.
        asyncio.get_running_loop().call_soon(self._publish, loaded, event)
        self._wind(loaded)
        self._think(loaded)

    def remember(self, loaded: LoadedTable) -> LoadedTable:
        """Keep a copy of a table that the store has."""
        self._loaded[loaded.table.id] = loaded
        self._forget_others(loaded.table.id)
        self._wind(loaded)
        self._think(loaded)
        return loaded

    def _forget_others(self, table_id: str) -> None:
        """Let go of copies beyond the limit, those first that nobody has asked for longest."""
        spare = len(self._loaded) - limits.TABLES_IN_MEMORY
        idle = (one for one in self._loaded if one != table_id and not self._watched(one))
        for one in list(islice(idle, max(0, spare))):
            gone = self._loaded.pop(one)
            if gone.timer is not None:
                gone.timer.cancel()

    def _wind(self, loaded: LoadedTable, least: float = 0.0) -> None:
        """Look again when the time of who is to move will be up, after so many seconds at least."""
        if loaded.timer is not None:
            loaded.timer.cancel()
            loaded.timer = None
        table = loaded.table
        if table.clock is not None and table.running:
            spent = self.downtime.spent(table.turn_began, now_ms())
            seconds = max(least, table.left_of(table.match.to_move, spent) / 1000 + 0.05)
            loop = asyncio.get_running_loop()
            loaded.timer = loop.call_later(
                seconds, lambda: self._start(f"time {table.id}", self._look_at_clock(loaded))
            )

    async def _look_at_clock(self, loaded: LoadedTable) -> None:
        try:
            await self._catch_up(loaded)
            moment = await self._moment(loaded.table, "")
            if time_is_up(loaded.table, moment):
                await self._flag(loaded, moment)
            else:
                self._wind(loaded)
        except Problem:
            self._wind(loaded, limits.POLL_SECONDS)
            raise

    async def _flag(self, loaded: LoadedTable, moment: Moment) -> None:
        draft = time_draft(loaded.table, moment)
        await self._append(loaded, _automatic(loaded, draft, None, moment))

    def _think(self, loaded: LoadedTable) -> None:
        """Let a computer think whose move is due, unless it does already."""
        if loaded.table.computer_to_move:
            self._start(f"computer {loaded.table.id}", self._play_for_computer(loaded))

    async def _play_for_computer(self, loaded: LoadedTable) -> None:
        while loaded.table.computer_to_move:
            table, match = loaded.table, loaded.table.match
            who, rules = table.setup.who[match.to_move - 1], rules_to_dict(table.setup.rules)
            move = await self._worker.choose(rules, who, str(match.position), match.seed)
            if table is not loaded.table:
                continue
            moment = await self._moment(table, "")
            draft = computer_draft(table, move, moment)
            await self._append(loaded, _automatic(loaded, draft, match.to_move, moment))

    def _start(self, name: str, work: Coroutine[None, None, None]) -> None:
        """Do something beside the requests, once at a time; what fails is logged, and done at the next look."""
        if name in self._thoughts:
            work.close()
            return

        def finished(task: asyncio.Task[None]) -> None:
            self._thoughts.pop(name, None)
            if not task.cancelled() and task.exception() is not None:
                _log.warning("put off", what=name.partition(" ")[0], error=repr(task.exception())[:200])

        task = asyncio.get_running_loop().create_task(work)
        self._thoughts[name] = task
        task.add_done_callback(finished)


def _automatic(loaded: LoadedTable, draft: Draft, person: Person | None, moment: Moment) -> Event:
    version = loaded.table.version + 1
    return Event(version, moment.now, draft.kind, person, draft.data, f"{AUTO}-{version}")


def _stale(loaded: LoadedTable, held: frozenset[Person]) -> Problem:
    detail = f"The table is at version {loaded.table.version} now; look at it again."
    return Problem("stale", detail, state=loaded.state(held))
