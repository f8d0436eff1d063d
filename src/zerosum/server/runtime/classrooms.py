"""The classrooms in memory: who is who in them, what is done in them, and what their viewers hear.

A classroom is a stream of events like a table. Several replicas may act on the same one: the version decides which of
them did, and the others decide again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import classroom_queries, queries
from zerosum.server.db.queries import StreamHead
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.hub import Connection, Hub, Presence
from zerosum.server.runtime.streams import Copy, Streams, Write
from zerosum.server.runtime.table_cache import TableCache
from zerosum.server.world import World
from zerosum.tables import classroom_decisions as decide
from zerosum.tables import limits as table_limits
from zerosum.tables.classroom import DESK, Classroom, ClassroomPhase, open_room, place_of
from zerosum.tables.classroom_decisions import ClassroomDecision, ClassroomDraft, ClassroomRequest
from zerosum.tables.events import ClassroomEvent, is_room_id, new_room_id
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
_GONE: Final = 4410
"""The code with which a live connection to a deleted room is closed."""
_TRY_AGAIN: Final = 1013
_ROOM_BYTES: Final = 5_000
_PUPIL_BYTES: Final = 600
_MATCH_BYTES: Final = 3_500
_PAUSE_BYTES: Final = 150
"""What a classroom, each of its pupils, matches and pauses take in memory, measured."""
_EVENT_BYTES: Final = 1_500
"""What an event adds at most to a classroom that is being loaded, on average."""


@dataclass(slots=True, eq=False)
class LoadedClassroom(Copy[ClassroomEvent]):
    """A copy of what the database has of one room: its state alone; nobody asks for its events."""

    room: Classroom
    world: World
    looked: set[str] = field(default_factory=set)
    """The tables whose match has been looked at since it was loaded."""
    noted: dict[int, int] = field(default_factory=dict)
    """When each pupil was last noted to be there."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def id(self) -> str:
        """The id of the room."""
        return self.room.id

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.room.version

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        room = self.room
        matches, pauses = len(room.matches) * _MATCH_BYTES, len(room.pauses) * _PAUSE_BYTES
        return _ROOM_BYTES + len(room.pupils) * _PUPIL_BYTES + matches + pauses

    def now(self) -> int:
        """Return the time, in milliseconds since 1970; it is never before the last event."""
        return max(self.world.now_ms(), self.room.last.at)

    @property
    def busy(self) -> bool:
        """Whether a lesson goes on: it began, and its last result is not in."""
        return self.room.phase is not ClassroomPhase.LOBBY and not self.room.closed(self.world.now_ms())

    def add(self, event: ClassroomEvent, played: Any = None) -> None:
        """Add the next event."""
        del played
        self.room = self.room.after(event)


@dataclass(eq=False, slots=True)
class ClassroomViewer(Connection):
    """A live connection to a room: of a pupil, of the teacher (`DESK`), or of a wall (None)."""

    pupil: int | None = None
    told: str = ""
    """The last message about the place of the pupil."""


class Classrooms(Streams[LoadedClassroom, ClassroomEvent]):
    """All rooms that this server has in memory."""

    deleted = "This room was deleted, with its tables and names."
    unknown = ("no-such-room", "Check the code, or ask for it again.")
    is_id = staticmethod(is_room_id)

    def __init__(self, writer: DatabaseQueue, cache: TableCache, hub: Hub, presence: Presence, world: World) -> None:
        super().__init__(writer, self._tell_all, self._in_use, world)
        self._cache = cache
        self._hub = hub
        self.presence = presence
        self._codes: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        """The room of each code, and of each key that is known to belong to one, while it is in memory."""

    @property
    def bounds(self) -> tuple[int, int]:
        """How many copies are kept in memory, and about how many bytes."""
        return limits.ROOMS_IN_MEMORY, limits.ROOM_BYTES_IN_MEMORY

    def size_while_loaded(self, events: int) -> int:
        """Return about how many bytes a room takes at most while so many events are loaded."""
        return _ROOM_BYTES + _EVENT_BYTES * events

    async def begin(self, stream_id: str, head: StreamHead[ClassroomEvent], keeps_from: int | None) -> LoadedClassroom:
        """Return a room as its first event opens it."""
        del keeps_from
        keys = await self._writer.read(partial(classroom_queries.members, room_id=stream_id))
        return self._opened(open_room(stream_id, head.opened), keys)

    def _opened(self, room: Classroom, keys: Iterable[str]) -> LoadedClassroom:
        self._codes[room.code] = room.id
        self._keys |= dict.fromkeys(keys, room.id)
        return LoadedClassroom(room, self._world)

    def forget(self, stream_id: str) -> LoadedClassroom | None:
        """Let go of a room, and of who may enter it."""
        loaded = super().forget(stream_id)
        if loaded is not None:
            self._codes.pop(loaded.room.code, None)
            self._keys = {key: room_id for key, room_id in self._keys.items() if room_id != stream_id}
        return loaded

    def forget_deleted(self, stream_id: str) -> None:
        """Let go of a room that was deleted, and of its tables; nobody looks at them any longer."""
        loaded = self.forget(stream_id)
        for name in (stream_id, *(loaded.room.matches if loaded is not None else ())):
            self._cache.forget(name)
            for connection in self._hub.at(name):
                connection.close(_GONE)
        if loaded is not None:
            loaded.wake()

    def _in_use(self, room_id: str) -> bool:
        return self._hub.watched(room_id) or self._copies[room_id].busy

    # Opening, finding and deleting

    async def open(self, key: Key, request: ClassroomRequest) -> LoadedClassroom:
        """Open a room; the key opens its desk."""
        while True:
            draft, room_id = decide.opening(request, new_room_code(self._world.dice)), new_room_id(self._world.dice)
            event = ClassroomEvent(1, self._world.now_ms(), draft.kind, 0, draft.data, "auto:1")
            write = partial(classroom_queries.create_room, room_id=room_id, event=event, key=key)
            if await self._writer.write(write, room_id):
                return self.remember(self._opened(open_room(room_id, event), [key.hash]))

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
                raise Problem("gone", f"{self.deleted} Ask for a new code.")
            raise Problem(*self.unknown)
        return await self.fresh(room_id)

    def followed(self) -> list[str]:
        """Return the rooms in memory in which something may happen that somebody waits for."""
        return [one for one in self._copies if self._in_use(one)]

    def on_walls(self) -> list[str]:
        """Return the tables that somebody follows on the wall of their room."""
        return [
            table
            for room_id, loaded in self._copies.items()
            if any(isinstance(one, ClassroomViewer) and one.pupil is None for one in self._hub.at(room_id))
            for table in sorted(loaded.room.open_tables)
        ]

    async def delete(self, room_id: str) -> None:
        """Delete a room, its tables and names, at once."""
        delete = partial(classroom_queries.delete_room, room_id=room_id, at=self._world.now_ms())
        await self._writer.write(delete, room_id)
        self.forget_deleted(room_id)

    async def delete_old(self) -> None:
        """Delete the rooms whose time is over."""
        before = self._world.now_ms() - table_limits.ROOM_DAYS * _DAY_MS
        for room_id in await self._writer.read(partial(classroom_queries.old_rooms, before=before)):
            await self.delete(room_id)

    async def resume(self) -> None:
        """Load the rooms of the last day, so that their lessons go on after a restart."""
        since = partial(classroom_queries.rooms_since, at=self._world.now_ms() - _DAY_MS)
        for room_id in await self._writer.read(since):
            with suppress(Problem):
                await self.fresh(room_id)

    # Who is who

    async def member(self, room_id: str, key: Key | None) -> int | None:
        """Return which pupil of a room a key is, `DESK` for the teacher, None for nobody.

        A copy of the room that does not have the pupil yet, because another replica let them in, is read again.
        """
        if key is None:
            return None
        pupil = await self._writer.read(partial(classroom_queries.member, room_id=room_id, key=key))
        if pupil is not None:
            loaded = await self.loaded(room_id)
            self._keys[key.hash] = room_id
            if pupil != DESK and pupil not in loaded.room.pupils:
                await self.catch_up(loaded)
        return pupil

    async def of(self, key: Key) -> list[tuple[LoadedClassroom, int]]:
        """Return the rooms that a key may enter, the latest first."""
        rooms = await self._writer.read(partial(classroom_queries.rooms_of, key=key))
        return [(await self.fresh(room_id), pupil) for room_id, pupil in rooms]

    async def join(self, room_id: str, key: Key, name: str) -> int:
        """Let a key in as a pupil; the same key is the same pupil again."""
        await self.fresh(room_id)
        key_id = f"join:{hash_of(f'{room_id} {key.hash}')[:_JOIN_DIGITS]}"
        while (pupil := await self.member(room_id, key)) is None:
            tries = iter((True,))

            def once(room: Classroom, _now: int) -> ClassroomDraft | None:
                # After a race the key may be in already, by the same request sent twice.
                return decide.join(room, name, key_id) if next(tries, False) else None  # noqa: B023 - called in this round

            await self.act(room_id, once, partial(classroom_queries.join_room, key=key))
        await self.note_seen(room_id, pupil)
        return pupil

    async def remove(self, room_id: str, pupil: int) -> LoadedClassroom:
        """Remove a pupil, and forget the pupil's keys."""
        loaded = await self.act(room_id, lambda room, _: decide.remove(room, pupil), classroom_queries.remove_pupil)
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
        used = await self._writer.write(write) if plain else None
        if used is None:
            raise Problem("no-such-invitation", "This link has been used, or a newer one was made. Ask for another.")
        room_id, pupil = used
        loaded = await self.fresh(room_id)
        self._keys[key.hash] = room_id
        for connection in self._hub.at(room_id):
            # The device that had this place has lost it.
            if isinstance(connection, ClassroomViewer) and pupil != DESK and connection.pupil == pupil:
                connection.queue(dumps({"type": "place", "place": "elsewhere"}))
                connection.close(_GONE)
        return loaded, pupil

    # What happens

    async def act(
        self, room_id: str, decision: ClassroomDecision, write: Write[ClassroomEvent] | None = None
    ) -> LoadedClassroom:
        """Carry a decision out: it is made again whenever somebody else was first."""
        loaded = await self.loaded(room_id)
        async with loaded.lock:
            for _ in range(_TRIES):
                now = loaded.now()
                draft = decision(loaded.room, now)
                if draft is None:
                    return loaded
                version = loaded.version + 1
                move_id = draft.move_id or f"auto:{version}"
                event = ClassroomEvent(version, now, draft.kind, draft.pupil, draft.data, move_id)
                if await self.append(loaded, event, write=write):
                    return loaded
        raise Problem("busy", "Too much happens in this room at once; try again in a moment.")

    async def check_table(self, table: Table) -> None:
        """Refuse a command at a table of a room that is paused, or whose match was ended without a result."""
        room = (await self.loaded(table.room)).room
        if room.phase is ClassroomPhase.PAUSED:
            raise Problem("not-now", "The teacher has paused the room; wait a moment.")
        match = room.matches.get(table.id)
        if match is not None and match.voided:
            raise Problem("not-now", "This match was ended without a result; your next partner is waiting.")

    def paused(self, table: Table, since: int, now: int) -> int:
        """Return for how many milliseconds the room of a table was paused in that time."""
        loaded = self.get(table.room) if table.room else None
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
            unseen = min(await self.presence.unseen(known.table, partner, now), now - match.at)
        return await self.act(room_id, lambda room, _: decide.leave_absent(room, pupil, unseen))

    async def note_seen(self, room_id: str, pupil: int) -> None:
        """Note that a pupil has asked for the page of the room, if that was not noted just now."""
        noted, now = (await self.loaded(room_id)).noted, self._world.now_ms()
        if now - noted.get(pupil, 0) > _NOTE_MS:
            noted[pupil] = now
            await self._writer.write(partial(queries.note_seen, sitting=[(room_id, pupil)], at=now))

    # Viewers

    async def watch(self, viewer: ClassroomViewer) -> None:
        """Add a live connection, which keeps the room in memory; it hears at once where its pupil is."""
        self._hub.register(viewer)
        try:
            self._tell_place(viewer, (await self.loaded(viewer.table_id)).room)
        except Problem:
            viewer.close(_TRY_AGAIN)

    def _tell_all(self, loaded: LoadedClassroom, _event: ClassroomEvent) -> None:
        """Tell viewers what concerns them: pupils their own place, the teacher that something has happened."""
        for connection in self._hub.at(loaded.id):
            if isinstance(connection, ClassroomViewer):
                self._tell_place(connection, loaded.room)

    @staticmethod
    def _tell_place(viewer: ClassroomViewer, room: Classroom) -> None:
        if viewer.pupil is None:
            return
        if viewer.pupil == DESK:
            viewer.queue(dumps({"type": "room", "version": room.version, "phase": room.phase.value}))
            return
        message = dumps({"type": "place", **place_of(room, viewer.pupil)})
        if message != viewer.told:
            viewer.told = message
            viewer.queue(message)
