"""The rooms of a running server: copies of what the database has, the pairing of every second, and what viewers hear.

An event is written under the next version, like that of a table. Several replicas may pair the same room: the version
decides which of them did, and the others read the event again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

from sqlalchemy import Connection as DatabaseConnection

from zerosum.jobs import classroom_jobs, pairing
from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import classroom_queries, queries
from zerosum.server.db.classroom_queries import ClassroomTable
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.clocks import NamedTasks
from zerosum.server.runtime.hub import Connection, Hub, Presence
from zerosum.server.runtime.loaded_table import LoadedTable, load_table
from zerosum.server.runtime.table_cache import TableCache
from zerosum.server.worker.client import WorkerClient
from zerosum.server.world import World
from zerosum.tables import classroom_decisions as decide
from zerosum.tables import limits as table_limits
from zerosum.tables.classroom import COMPUTER, DESK, Classroom, ClassroomPhase, Pupil, open_room, place_of
from zerosum.tables.classroom_decisions import ClassroomDecision, ClassroomDraft, ClassroomRequest
from zerosum.tables.events import (
    ClassroomEvent,
    ClassroomEventKind,
    EventKind,
    automatic_event,
    new_id,
    new_room_id,
)
from zerosum.tables.json_text import dumps
from zerosum.tables.keys import Key, hash_of, new_room_code, new_secret, read_room_code, read_secret
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

_TRIES: Final = 50
"""How often a version may be taken by others before an action is given up."""
_NOTE_MS: Final = 4_000
"""Milliseconds between two notes that a pupil asks for the page of a room."""
_JOIN_DIGITS: Final = 32
_DAY_MS: Final = 86_400_000
_DELETED: Final = "This room was deleted, with its tables and names."
_GONE: Final = 4410
"""The code with which a live connection to a deleted room is closed."""
_UNSOLVED: Final = frozenset({"too-large", "no-solution", "thinking-too-long"})
_NO_REVIEW: Final[dict[str, object]] = {"choices": 0, "kept": 0, "best": "", "best_words": "", "mistakes": []}

Write = Callable[[Classroom, ClassroomEvent], Callable[[DatabaseConnection], ClassroomEvent | None]]
"""Makes the transaction that writes an event, and what belongs to it."""


def _append(room: Classroom, event: ClassroomEvent) -> Callable[[DatabaseConnection], ClassroomEvent | None]:
    return partial(queries.append, table_id=room.id, event=event)


@dataclass(slots=True)
class LoadedClassroom:
    """A copy of what the database has of one room."""

    room: Classroom
    events: list[ClassroomEvent]
    world: World
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def now(self) -> int:
        """Return the time, in milliseconds since 1970; it is never before the last event."""
        return max(self.world.now_ms(), self.room.last.at)

    def add(self, event: ClassroomEvent) -> None:
        """Add the next event."""
        self.room = self.room.after(event)
        self.events.append(event)
        self.wake()

    def wake(self) -> None:
        """Let those go on who wait for something to happen here."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Wait until something happens in the room or at one of its tables."""
        await self._changed.wait()


@dataclass(eq=False, slots=True)
class ClassroomViewer(Connection):
    """A live connection to a room: of a pupil, of the teacher (`DESK`), or of a wall (None)."""

    pupil: int | None = None
    told: str = ""
    """The last message about the place of the pupil."""


class Classrooms:
    """All rooms that this server has in memory."""

    def __init__(
        self,
        *,
        writer: DatabaseQueue,
        cache: TableCache,
        hub: Hub,
        presence: Presence,
        worker: WorkerClient,
        tasks: NamedTasks,
        world: World,
    ) -> None:
        self._world = world
        self._writer = writer
        self._cache = cache
        self._hub = hub
        self._presence = presence
        self._worker = worker
        self._tasks = tasks
        self._rooms: dict[str, LoadedClassroom] = {}
        self._codes: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._looked: set[str] = set()
        self._noted: dict[tuple[str, int], int] = {}
        cache.listen(self._look)

    # Opening, finding and deleting

    async def open(self, key: Key, request: ClassroomRequest) -> LoadedClassroom:
        """Open a room; the key opens its desk."""
        while True:
            draft, room_id = decide.opening(request, new_room_code(self._world.dice)), new_room_id(self._world.dice)
            event = ClassroomEvent(1, self._world.now_ms(), draft.kind, 0, draft.data, "auto:1")
            write = partial(classroom_queries.create_room, room_id=room_id, event=event, key=key)
            if await self._writer.write(write, room_id):
                self._keys[key.hash] = room_id
                return self._remember(LoadedClassroom(open_room(room_id, event), [event], self._world))

    @property
    def any(self) -> bool:
        """Whether this server has a room in memory."""
        return bool(self._rooms)

    def get(self, room_id: str) -> LoadedClassroom | None:
        """Return the copy of a room, if there is one."""
        return self._rooms.get(room_id)

    def payer(self, key: Key | None, code: str) -> str | None:
        """Return the room that pays for a request: that of its key, or that whose code its address names."""
        room_id = self._keys.get(key.hash) if key is not None and self._keys else None
        return room_id or self._codes.get(code)

    def admits(self, key: Key | None, code: str) -> bool:
        """Whether a key is known to belong to the room with a code."""
        room_id = self._codes.get(read_room_code(code) or "")
        return key is not None and room_id is not None and self._keys.get(key.hash) == room_id

    async def by_code(self, code: str) -> LoadedClassroom:
        """Return the room with a code as the database has it now."""
        plain = read_room_code(code)
        if plain is None:
            raise Problem("no-such-room", "A code has six letters and digits; look at the wall again.")
        room_id = self._codes.get(plain) or await self._writer.read(partial(classroom_queries.room_by_code, code=plain))
        if room_id is None:
            if await self._writer.read(partial(queries.is_gone, name=plain)):
                raise Problem("gone", f"{_DELETED} Ask for a new code.")
            raise Problem("no-such-room", "Check the code, or ask for it again.")
        return await self.fresh(room_id)

    async def fresh(self, room_id: str) -> LoadedClassroom:
        """Return a room as the database has it now."""
        loaded = self._rooms.get(room_id)
        if loaded is not None:
            await self._catch_up(loaded)
            return loaded
        events = await self._writer.read(partial(queries.room_events_since, room_id=room_id, since=0))
        if not events:
            raise Problem("gone", _DELETED)
        room = open_room(room_id, events[0])
        for n, event in enumerate(events[1:]):
            room = room.after(event)
            if n % 200 == 0:
                await asyncio.sleep(0)
        keys = await self._writer.read(partial(classroom_queries.members, room_id=room_id))
        self._keys |= dict.fromkeys(keys, room_id)
        return self._rooms.get(room_id) or self._remember(LoadedClassroom(room, events, self._world))

    def _remember(self, loaded: LoadedClassroom) -> LoadedClassroom:
        self._rooms[loaded.room.id] = loaded
        self._codes[loaded.room.code] = loaded.room.id
        return loaded

    async def _catch_up(self, loaded: LoadedClassroom) -> None:
        """Add the events that the database has beyond the copy; a room that is gone is forgotten."""
        room = loaded.room
        news = await self._writer.read(partial(classroom_queries.room_news, room_id=room.id, since=room.version))
        if news is None:
            self._forget(loaded)
            raise Problem("gone", _DELETED)
        for event in news:
            self._take_in(loaded, event)

    def _take_in(self, loaded: LoadedClassroom, event: ClassroomEvent) -> None:
        if event.version == loaded.room.version + 1:
            loaded.add(event)
            self._publish(loaded, event)

    async def hint(self, room_id: str, version: int) -> None:
        """Take a hint that a room may have reached a version, or was deleted."""
        loaded = self._rooms.get(room_id)
        if loaded is not None and not loaded.lock.locked() and not 0 <= version <= loaded.room.version:
            with suppress(Problem):
                await self._catch_up(loaded)

    async def poll(self) -> None:
        """Look in the database for what other replicas have done in the rooms in memory."""
        for loaded in list(self._rooms.values()):
            if self._hub.watched(loaded.room.id) or loaded.room.phase is ClassroomPhase.PLAYING:
                await self.hint(loaded.room.id, loaded.room.version + 1)

    def _forget(self, loaded: LoadedClassroom) -> None:
        """Forget a room that was deleted, and its tables."""
        room = loaded.room
        self._rooms.pop(room.id, None)
        self._codes.pop(room.code, None)
        self._keys = {key: one for key, one in self._keys.items() if one != room.id}
        self._noted = {sitting: at for sitting, at in self._noted.items() if sitting[0] != room.id}
        for name in (room.id, *room.matches):
            self._cache.forget(name)
            for connection in self._hub.at(name):
                connection.close(_GONE)
        loaded.wake()

    async def delete(self, room_id: str) -> None:
        """Delete a room, its tables and names, at once."""
        await self._writer.write(
            partial(classroom_queries.delete_room, room_id=room_id, at=self._world.now_ms()), room_id
        )
        loaded = self._rooms.get(room_id)
        if loaded is not None:
            self._forget(loaded)

    async def delete_old(self) -> None:
        """Delete the rooms whose time is over."""
        before = self._world.now_ms() - table_limits.ROOM_DAYS * _DAY_MS
        for room_id in await self._writer.read(partial(classroom_queries.old_rooms, before=before)):
            await self.delete(room_id)

    async def resume(self) -> None:
        """Load the rooms of the last day, so that their lessons go on after a restart."""
        for room_id in await self._writer.read(
            partial(classroom_queries.rooms_since, at=self._world.now_ms() - _DAY_MS)
        ):
            with suppress(Problem):
                await self.fresh(room_id)

    # Who is who

    async def member(self, room_id: str, key: Key | None) -> int | None:
        """Return which pupil of a room a key is, `DESK` for the teacher, None for nobody.

        A copy of the room that does not have the pupil yet, because another replica let them in, is read again.
        """
        if key is None:
            return None
        found = await self._writer.read(partial(classroom_queries.member, room_id=room_id, key=key))
        if found is not None:
            self._keys[key.hash] = room_id
            loaded = self._rooms.get(room_id)
            if loaded is not None and found != DESK and found not in loaded.room.pupils:
                await self._catch_up(loaded)
        return found

    async def of(self, key: Key) -> list[tuple[LoadedClassroom, int]]:
        """Return the rooms that a key may enter, the latest first."""
        found = await self._writer.read(partial(classroom_queries.rooms_of, key=key))
        return [(await self.fresh(room_id), pupil) for room_id, pupil in found]

    async def join(self, room_id: str, key: Key, name: str) -> int:
        """Let a key in as a pupil; the same key is the same pupil again."""
        await self.fresh(room_id)
        key_id = f"join:{hash_of(f'{room_id} {key.hash}')[:_JOIN_DIGITS]}"
        while (pupil := await self.member(room_id, key)) is None:
            tries = iter((True,))

            def admit(room: Classroom, event: ClassroomEvent) -> Callable[[DatabaseConnection], ClassroomEvent | None]:
                return partial(classroom_queries.join_room, room_id=room.id, event=event, key=key)

            def once(room: Classroom, _now: int) -> ClassroomDraft | None:
                # After a race the key may be in already, by the same request sent twice.
                return decide.join(room, name, key_id) if next(tries, False) else None  # noqa: B023 - called in this round

            await self.act(room_id, once, admit)
        await self.note_seen(room_id, pupil)
        return pupil

    async def remove(self, room_id: str, pupil: int) -> LoadedClassroom:
        """Remove a pupil, and forget the pupil's keys."""

        def forget(room: Classroom, event: ClassroomEvent) -> Callable[[DatabaseConnection], ClassroomEvent | None]:
            return partial(classroom_queries.remove_pupil, room_id=room.id, event=event)

        loaded = await self.act(room_id, lambda room, _: decide.remove(room, pupil), forget)
        keys = await self._writer.read(partial(classroom_queries.members, room_id=room_id))
        self._keys = {key: one for key, one in self._keys.items() if one != room_id or key in keys}
        return loaded

    async def link(self, room_id: str, pupil: int) -> str:
        """Return the secret of a link that works once: to the desk, or back to the place of a pupil."""
        secret = new_secret(self._world.dice)
        write = partial(
            classroom_queries.new_link, room_id=room_id, pupil=pupil, secret=secret, at=self._world.now_ms()
        )
        await self._writer.write(write, room_id)
        return secret

    async def come_in(self, secret: str, key: Key) -> tuple[LoadedClassroom, int]:
        """Use such a link."""
        plain = read_secret(secret)
        write = partial(classroom_queries.use_link, secret=plain or "", key=key, at=self._world.now_ms())
        found = await self._writer.write(write) if plain else None
        if found is None:
            raise Problem("no-such-invitation", "This link has been used, or a newer one was made. Ask for another.")
        self._keys[key.hash] = found[0]
        loaded = await self.fresh(found[0])
        for connection in self._hub.at(found[0]):
            # The device that had this place has lost it.
            if isinstance(connection, ClassroomViewer) and found[1] != DESK and connection.pupil == found[1]:
                connection.queue(dumps({"type": "place", "place": "elsewhere"}))
                connection.close(_GONE)
        return loaded, found[1]

    # What happens

    async def act(self, room_id: str, decision: ClassroomDecision, write: Write = _append) -> LoadedClassroom:
        """Carry a decision out: it is made again whenever somebody else was first."""
        loaded = await self._loaded(room_id)
        async with loaded.lock:
            for _ in range(_TRIES):
                now = loaded.now()
                draft = decision(loaded.room, now)
                if draft is None:
                    return loaded
                version = loaded.room.version + 1
                move_id = draft.move_id or f"auto:{version}"
                event = ClassroomEvent(version, now, draft.kind, draft.pupil, draft.data, move_id)
                stored = await self._writer.write(write(loaded.room, event), room_id)
                if stored is None:
                    await self._catch_up(loaded)
                else:
                    self._take_in(loaded, stored)
                    return loaded
        raise Problem("busy", "Too much happens in this room at once; try again in a moment.")

    async def _loaded(self, room_id: str) -> LoadedClassroom:
        return self._rooms.get(room_id) or await self.fresh(room_id)

    async def check_table(self, table: Table) -> None:
        """Refuse a command at a table of a room that is paused, or whose match was ended without a result."""
        room = (await self._loaded(table.room)).room
        if room.phase is ClassroomPhase.PAUSED:
            raise Problem("not-now", "The teacher has paused the room; wait a moment.")
        match = room.matches.get(table.id)
        if match is not None and match.voided:
            raise Problem("not-now", "This match was ended without a result; your next partner is waiting.")

    def paused(self, table: Table, since: int, now: int) -> int:
        """Return for how many milliseconds the room of a table was paused in that time."""
        loaded = self._rooms.get(table.room) if table.room else None
        return 0 if loaded is None else loaded.room.paused_between(since, now)

    async def leave_absent(self, room_id: str, pupil: int) -> LoadedClassroom:
        """End the match of a pupil whose partner is absent."""
        room = (await self.fresh(room_id)).room
        known = room.pupils.get(pupil)
        unseen = 0
        if known is not None and known.table:
            match = room.matches[known.table]
            partner = Person.TWO if match.pupils[0] == pupil else Person.ONE
            now = self._world.now_ms()
            unseen = min(await self._presence.unseen(known.table, partner, now), now - match.at)
        return await self.act(room_id, lambda room, _: decide.leave_absent(room, pupil, unseen))

    # Every second

    async def tick(self) -> None:
        """Look after every room in which a lesson goes on."""
        now = self._world.now_ms()
        for loaded in list(self._rooms.values()):
            room = loaded.room
            if room.phase is not ClassroomPhase.LOBBY and not (room.closed(now) and self._all_reviewed(room)):
                self._tasks.start(f"room {room.id}", partial(self._tick, loaded))

    async def _tick(self, loaded: LoadedClassroom) -> None:
        room_id = loaded.room.id
        if decide.end_in_time(loaded.room, self._world.now_ms()) is not None:
            await self.act(room_id, decide.end_in_time)
        await self._look_at_tables(loaded)
        now = self._world.now_ms()
        free = decide.free_pupils(loaded.room, now)
        if free:
            here = await self._present(room_id, now)
            found = await self._pairs(loaded.room, now, [one for one in free if one.number in here])
            if found:
                await self._pair(room_id, found)

    async def _pairs(self, room: Classroom, now: int, free: Sequence[Pupil]) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        if len(free) > 1:
            asked = await self._worker.on_behalf_of(room.id).ask(pairing.pairs, decide.as_free(room, now, free))
            found = [(one, two) for one, two in asked]
        if room.settings.computers:
            paired = {one for pair in found for one in pair}
            found += [_with_computer(one) for one in free if one.number not in paired and _alone(room, one, now)]
        return found

    async def _pair(self, room_id: str, found: Sequence[tuple[int, int]]) -> None:
        new: list[ClassroomTable] = []

        def write(room: Classroom, event: ClassroomEvent) -> Callable[[DatabaseConnection], ClassroomEvent | None]:
            new[:] = _tables(room, event, self._world)
            return partial(classroom_queries.pair_pupils, room_id=room.id, event=event, new=list(new))

        def decision(room: Classroom, now: int) -> ClassroomDraft | None:
            return decide.pair(room, now, found, partial(new_id, self._world.dice))

        loaded = await self.act(room_id, decision, write)
        for one in new:
            if one.id in loaded.room.matches and self._cache.get(one.id) is None:
                self._cache.remember(load_table(one.id, [one.opened]))

    async def _present(self, room_id: str, now: int) -> set[int]:
        """Return the pupils who are in the room: connected here, or seen lately by any replica."""
        seen = await self._writer.read(partial(classroom_queries.pupils_seen, room_id=room_id))
        lately = now - (limits.SEEN_SECONDS + 2 * limits.POLL_SECONDS) * 1000
        return self._presence.here(room_id) | {pupil for pupil, at in seen.items() if at > lately}

    async def note_seen(self, room_id: str, pupil: int) -> None:
        """Note that a pupil has asked for the page of the room, if that was not noted just now."""
        sitting, now = (room_id, pupil), self._world.now_ms()
        if now - self._noted.get(sitting, 0) > _NOTE_MS:
            self._noted[sitting] = now
            await self._writer.write(partial(queries.note_seen, sitting=[sitting], at=now))

    def watched_tables(self, room_id: str) -> Iterator[str]:
        """Yield the tables of a room that somebody follows on the wall."""
        loaded = self._rooms.get(room_id)
        if loaded is not None and any(getattr(one, "pupil", 0) is None for one in self._hub.at(room_id)):
            yield from sorted(loaded.room.open_tables)

    def followed(self) -> list[str]:
        """Return the tables that some wall follows."""
        return [table for room_id in self._rooms for table in self.watched_tables(room_id)]

    # Results

    async def _look_at_tables(self, loaded: LoadedClassroom) -> None:
        """Look at the tables of a room that were not looked at since this server started, and at missing reviews."""
        for table_id in sorted(loaded.room.open_tables):
            if table_id not in self._looked:
                self._looked.add(table_id)
                self._look(await self._cache.fresh(table_id))
        for match in loaded.room.matches.values():
            if match.winner is not None and match.reviews is None and match.table not in self._looked:
                self._looked.add(match.table)
                self._look(await self._cache.fresh(match.table))

    @staticmethod
    def _all_reviewed(room: Classroom) -> bool:
        return all(one.reviews is not None for one in room.matches.values() if one.winner is not None)

    def _look(self, table: LoadedTable) -> None:
        """Take in what has happened at a table of a room: count its result if it is over."""
        room_id = table.table.room
        if not room_id:
            return
        loaded = self._rooms.get(room_id)
        if loaded is not None:
            loaded.wake()
            match = loaded.room.matches.get(table.table.id)
            if match is not None and (match.voided or match.reviews is not None):
                return
        if table.table.match.outcome is not None:
            self._tasks.start(f"result {table.table.id}", partial(self._count, table))

    async def _count(self, loaded: LoadedTable) -> None:
        table = loaded.table
        outcome = table.match.outcome
        if outcome is None:
            return
        winner = table.match.person(outcome.winner)

        def counted(room: Classroom, _now: int) -> ClassroomDraft | None:
            match = room.matches.get(table.id)
            return None if match is None else decide.result(room, table.id, match.pupils[winner - 1], table.last.at)

        room = (await self.act(table.room, counted)).room
        match = room.matches.get(table.id)
        if match is None or match.winner is None or match.reviews is not None:
            return
        reviews = await self._review(room.id, table)
        await self.act(table.room, lambda room, _: decide.review(room, table.id, reviews))

    async def _review(self, room_id: str, table: Table) -> list[Any]:
        try:
            asked = self._worker.on_behalf_of(room_id).ask(classroom_jobs.match_report, table.match.record())
            return cast("list[Any]", await asked)
        except Problem as problem:
            if problem.code not in _UNSOLVED:
                self._looked.discard(table.id)
                raise
            return [_NO_REVIEW, _NO_REVIEW]

    # Viewers

    def watch(self, viewer: ClassroomViewer) -> None:
        """Add a live connection; it hears at once where its pupil is."""
        self._hub.register(viewer)
        loaded = self._rooms.get(viewer.table_id)
        if loaded is not None:
            self._tell(viewer, loaded.room)

    def _publish(self, loaded: LoadedClassroom, event: ClassroomEvent) -> None:
        """Tell viewers what concerns them: pupils their own place, the teacher that something has happened."""
        asyncio.get_running_loop().call_soon(self._tell_all, loaded, event.kind)

    def _tell_all(self, loaded: LoadedClassroom, _kind: ClassroomEventKind) -> None:
        for connection in self._hub.at(loaded.room.id):
            if isinstance(connection, ClassroomViewer):
                self._tell(connection, loaded.room)

    @staticmethod
    def _tell(viewer: ClassroomViewer, room: Classroom) -> None:
        if viewer.pupil is None:
            return
        if viewer.pupil == DESK:
            viewer.queue(dumps({"type": "room", "version": room.version, "phase": room.phase.value}))
            return
        message = dumps({"type": "place", **place_of(room, viewer.pupil)})
        if message != viewer.told:
            viewer.told = message
            viewer.queue(message)


def _alone(room: Classroom, pupil: Pupil, now: int) -> bool:
    return room.waited(pupil, now) >= limits.ROOM_COMPUTER_SECONDS * 1000


def _with_computer(pupil: Pupil) -> tuple[int, int]:
    return (pupil.number, COMPUTER) if pupil.firsts <= pupil.seconds else (COMPUTER, pupil.number)


def _tables(room: Classroom, event: ClassroomEvent, world: World) -> list[ClassroomTable]:
    """Return the tables that a pairing creates."""
    new = []
    for seated in cast("list[tuple[str, int, int, str]]", event.data["pairs"]):
        table_id, one, two, _ = seated
        data = decide.table_opening(room, seated, world.token_hex(4), event.at)
        opened = automatic_event(1, event.at, EventKind.OPENED, None, data)
        pupils = {person: pupil for person, pupil in ((Person.ONE, one), (Person.TWO, two)) if pupil != COMPUTER}
        new.append(ClassroomTable(table_id, opened, pupils))
    return new
