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
from zerosum.rules.schema import table_of
from zerosum.server import limits, statements
from zerosum.server.commands import COMMANDS, Command, Draft, computer_draft, speaker, time_draft
from zerosum.server.downtime import Downtime
from zerosum.server.events import AUTO, Event, is_id, now_ms
from zerosum.server.kept import Answer, Kept, content, keep_all
from zerosum.server.presence import Presence
from zerosum.server.problems import Problem
from zerosum.server.refusals import Moment, time_is_up
from zerosum.server.store import Store
from zerosum.server.table import Table
from zerosum.server.thinking import Thinking

_log = structlog.get_logger("zerosum.tables")

Publish = Callable[[Kept, Event], None]


class Tables:
    """All tables, by their ids. `publish` is called with each new event, once its sender has been answered.

    The copies of tables that are `watched` stay in memory, whatever else is asked for.
    """

    def __init__(
        self, store: Store, thinking: Thinking, publish: Publish, watched: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._store = store
        self._thinking = thinking
        self._publish = publish
        self._watched = watched
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._thoughts: dict[str, asyncio.Task[None]] = {}
        self.under_way = 0
        """Commands that wait for their answer."""
        self.stopping = False
        self.presence = Presence(store)
        self.downtime = Downtime(store)

    async def close(self) -> None:
        """Let computers stop thinking; what they owe is played when the table is next looked at."""
        for kept in self._kept.values():
            if kept.timer is not None:
                kept.timer.cancel()
        for task in list(self._thoughts.values()):
            task.cancel()
        await asyncio.gather(*self._thoughts.values(), return_exceptions=True)

    def in_memory(self, table_id: str) -> Kept | None:
        """Return the copy of a table, if there is one."""
        return self._kept.get(table_id)

    async def fresh(self, table_id: str) -> Kept:
        """Return a table as the store has it now."""
        kept = self._kept.get(table_id)
        if kept is None:
            if not is_id(table_id):
                raise Problem("no-such-table", "Check the address; no table is called so.")
            events = await self._store.read(partial(statements.events_since, table_id=table_id, since=0))
            if not events:
                raise Problem("no-such-table", "Check the address; nobody has opened such a table.")
            read = await keep_all(table_id, events)
            kept = self._kept.get(table_id) or self.remember(read)
        self._kept.move_to_end(table_id)
        await self._catch_up(kept)
        self._think(kept)
        return kept

    async def look(self, table_ids: list[str]) -> None:
        """Look at the store for events that other replicas have written to tables in memory."""
        known = [one for one in table_ids if one in self._kept]
        found = await self._store.read(partial(statements.versions, table_ids=known)) if known else {}
        for table_id, version in found.items():
            await self.hear(table_id, version)

    async def hear(self, table_id: str, version: int) -> None:
        """Take a hint that a table may have come so far."""
        kept = self._kept.get(table_id)
        # The hint may be of an event whose sender has not been answered yet; writing it ends with looking anyway.
        if kept is not None and not kept.writing and kept.table.version < version:
            await self._catch_up(kept)

    async def _catch_up(self, kept: Kept) -> None:
        since = partial(statements.events_since, table_id=kept.table.id, since=kept.table.version)
        for event in await self._store.read(since):
            await self.take_in(kept, event)

    async def settled(self, kept: Kept, seconds: float) -> None:
        """Wait a little for a computer whose move is due."""
        deadline = time.monotonic() + seconds
        while kept.table.computer_to_move and (rest := deadline - time.monotonic()) > 0:
            try:
                await asyncio.wait_for(kept.changed.wait(), rest)
            except TimeoutError:
                return

    async def run(self, table_id: str, held: frozenset[Person], name: str, command: Command) -> Answer:
        """Carry a command out, once: sent again, it gets its first answer again."""
        if self.stopping:
            raise Problem("stopping", "The server is stopping; send the same again when it is back.")
        self.under_way += 1
        try:
            return await self._run(table_id, held, name, command)
        finally:
            self.under_way -= 1

    async def _run(self, table_id: str, held: frozenset[Person], name: str, command: Command) -> Answer:
        kept = self._kept.get(table_id) or await self.fresh(table_id)
        if command.version != kept.table.version:
            kept = await self.fresh(table_id)
        repeated = kept.first_answer(held, name, command)
        if repeated is not None:
            return repeated
        person = speaker(kept.table, held, command)
        if command.version != kept.table.version:
            raise _stale(kept, held)
        moment = await self._moment(kept.table, name)
        if time_is_up(kept.table, moment):
            await self._flag(kept, moment)
            raise Problem("not-now", "The time was up.", state=kept.state(held))
        draft = COMMANDS[name].decide(kept.table, person, command, moment)
        data = {**draft.data, "command": content(name, command)}
        event = Event(command.version + 1, moment.now, draft.kind, person, data, command.move_id)
        if not await self._append(kept, event):
            repeated = kept.first_answer(held, name, command)
            if repeated is not None:
                return repeated
            raise _stale(kept, held)
        return Answer(event.version, kept.text_at(held, event.version))

    async def _moment(self, table: Table, name: str) -> Moment:
        if table.clock is not None or name == "claim":
            await self.downtime.learn()
        now = now_ms()
        spent = self.downtime.spent(table.last.at if table.clock is None else table.turn_began, now)
        unseen = 0
        if name == "claim" and table.running:
            unseen = await self.presence.unseen(table.id, table.match.to_move, now)
        return Moment(now, spent, unseen)

    async def _append(self, kept: Kept, event: Event) -> bool:
        """Write an event; whether its version was free. Either way the table is then as the store has it."""
        kept.writing += 1
        try:
            stands = await self._store.append(kept.table.id, event)
        finally:
            kept.writing -= 1
        await (self._catch_up(kept) if stands is None else self.take_in(kept, stands))
        return stands is not None

    async def take_in(self, kept: Kept, event: Event) -> None:
        """Take an event that the store has into the copy, and tell whoever looks on."""
        if event.version <= kept.table.version:
            return
        if event.version > kept.table.version + 1:
            await self._catch_up(kept)
            return
        kept.add(event)
        # After what runs now, which answers the sender: nobody hears of a move before who made it.
        asyncio.get_running_loop().call_soon(self._publish, kept, event)
        self._wind(kept)
        self._think(kept)

    def remember(self, kept: Kept) -> Kept:
        """Keep a copy of a table that the store has."""
        self._kept[kept.table.id] = kept
        self._forget_others(kept.table.id)
        self._wind(kept)
        self._think(kept)
        return kept

    def _forget_others(self, table_id: str) -> None:
        """Let go of copies beyond the limit, those first that nobody has asked for longest."""
        spare = len(self._kept) - limits.TABLES_IN_MEMORY
        idle = (one for one in self._kept if one != table_id and not self._watched(one))
        for one in list(islice(idle, max(0, spare))):
            gone = self._kept.pop(one)
            if gone.timer is not None:
                gone.timer.cancel()

    def _wind(self, kept: Kept, least: float = 0.0) -> None:
        """Look again when the time of who is to move will be up, after so many seconds at least."""
        if kept.timer is not None:
            kept.timer.cancel()
            kept.timer = None
        table = kept.table
        if table.clock is not None and table.running:
            spent = self.downtime.spent(table.turn_began, now_ms())
            seconds = max(least, table.left_of(table.match.to_move, spent) / 1000 + 0.05)
            loop = asyncio.get_running_loop()
            kept.timer = loop.call_later(seconds, lambda: self._start(f"time {table.id}", self._look_at_clock(kept)))

    async def _look_at_clock(self, kept: Kept) -> None:
        try:
            await self._catch_up(kept)
            moment = await self._moment(kept.table, "")
            if time_is_up(kept.table, moment):
                await self._flag(kept, moment)
            else:
                self._wind(kept)
        except Problem:
            self._wind(kept, limits.POLL_SECONDS)
            raise

    async def _flag(self, kept: Kept, moment: Moment) -> None:
        draft = time_draft(kept.table, moment)
        await self._append(kept, _automatic(kept, draft, None, moment))

    def _think(self, kept: Kept) -> None:
        """Let a computer think whose move is due, unless it does already."""
        if kept.table.computer_to_move:
            self._start(f"computer {kept.table.id}", self._play_for_computer(kept))

    async def _play_for_computer(self, kept: Kept) -> None:
        while kept.table.computer_to_move:
            table, match = kept.table, kept.table.match
            rounds = table.setup.series.round if table.setup.series else 1
            seed = f"{table.setup.seed}/{rounds}/{len(match.moves)}"
            who, rules = table.setup.who[match.to_move - 1], table_of(table.setup.rules)
            move = await self._thinking.choose(rules, who, str(match.position), seed)
            if table is not kept.table:
                continue
            moment = await self._moment(table, "")
            draft = computer_draft(table, move, moment)
            await self._append(kept, _automatic(kept, draft, match.to_move, moment))

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


def _automatic(kept: Kept, draft: Draft, person: Person | None, moment: Moment) -> Event:
    version = kept.table.version + 1
    return Event(version, moment.now, draft.kind, person, draft.data, f"{AUTO}-{version}")


def _stale(kept: Kept, held: frozenset[Person]) -> Problem:
    detail = f"The table is at version {kept.table.version} now; look at it again."
    return Problem("stale", detail, state=kept.state(held))
