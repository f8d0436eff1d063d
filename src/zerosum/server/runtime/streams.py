"""Streams: copies in memory of what the database has, which is the truth. Tables are one kind, classrooms the other.

A stream is an append-only list of events with a version. An event is written under the next version; if that version is
taken, the copy was old and catches up. Nothing is answered or published before the database has it. A hint that there
is more, from another replica, is only a hint: the database is read.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeVar

from sqlalchemy import Connection as DatabaseConnection

from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.queries import StreamHead
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.world import REAL, World
from zerosum.tables.events import ClassroomEvent, Event
from zerosum.tables.problems import Problem

_READ_EVENTS: Final = 64
"""Events that are read and folded at once, in some milliseconds; others are served between two reads."""

E = TypeVar("E", Event, ClassroomEvent)
Write = Callable[[DatabaseConnection, str, E], E | None]
"""Writes an event of a stream, and what belongs to it; returns it as stored, None if its version was taken."""


@dataclass(slots=True, eq=False)
class Copy(ABC, Generic[E]):
    """A copy of what the database has of one stream: its state after its latest event."""

    writing: int = field(default=0, init=False)
    """Events on their way to the database."""
    _news: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @property
    @abstractmethod
    def id(self) -> str:
        """The id of the stream."""

    @property
    @abstractmethod
    def version(self) -> int:
        """The version of the last event."""

    @property
    @abstractmethod
    def size(self) -> int:
        """About how many bytes of memory it takes."""

    @abstractmethod
    def add(self, event: E, played: Any = None) -> None:
        """Add the next event; `played` is what was worked out of it before it was written."""

    def wake(self) -> None:
        """Let those go on who wait for something to happen."""
        self._news.set()
        self._news.clear()

    async def changed(self) -> None:
        """Wait until something happens."""
        await self._news.wait()


C = TypeVar("C", bound=Copy[Any])


class Streams(ABC, Generic[C, E]):
    """The streams of one kind by their ids. `publish` is called with each new event, once its sender has been answered.

    The copies that are `watched` stay in memory; of the others the least recently used go first.
    """

    deleted: ClassVar[str]
    """What is said of a stream that was deleted."""
    unknown: ClassVar[tuple[str, str]]
    """The problem, and its words, of an id that no stream has."""

    def __init__(
        self,
        writer: DatabaseQueue,
        publish: Callable[[C, E], None],
        watched: Callable[[str], bool] = lambda _: False,
        world: World = REAL,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._world = world
        self._writer = writer
        self._publish: Callable[[C, E], None] = publish
        self._watched = watched
        self._copies: OrderedDict[str, C] = OrderedDict()
        self.size = 0
        """About how many bytes all copies take."""
        self._listeners: list[Callable[[C], None]] = []
        self._loads: dict[str, asyncio.Task[C]] = {}
        self.loading = self._waiting = 0
        """About how many bytes the streams take that are being loaded, and how many wait for room beside them."""
        self._load_ended = asyncio.Event()

    # What a kind says of itself

    @staticmethod
    @abstractmethod
    def is_id(text: str) -> bool:
        """Whether a text could be the id of a stream of this kind."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[int, int]:
        """How many copies are kept in memory, and about how many bytes."""

    @abstractmethod
    def size_while_loaded(self, events: int) -> int:
        """Return about how many bytes a copy takes at most while so many events are loaded."""

    @abstractmethod
    async def begin(self, stream_id: str, head: StreamHead[E], keeps_from: int | None) -> C:
        """Return the copy that the first of the events to load makes; events from `keeps_from` on will be asked for."""

    # Copies

    def listen(self, listener: Callable[[C], None]) -> None:
        """Have a function called with each copy that is loaded, looked at or changed."""
        self._listeners.append(listener)

    def all(self) -> list[C]:
        """Return all copies."""
        return list(self._copies.values())

    def get(self, stream_id: str) -> C | None:
        """Return the copy of a stream, if there is one."""
        return self._copies.get(stream_id)

    async def loaded(self, stream_id: str) -> C:
        """Return the copy of a stream; all who ask for one that is not in memory wait for the same load."""
        copy = self._copies.get(stream_id)
        if copy is not None:
            self._copies.move_to_end(stream_id)
            return copy
        if stream_id not in self._loads:
            self._loads[stream_id] = self._loop.create_task(self._load(stream_id))
        return await asyncio.shield(self._loads[stream_id])

    async def fresh(self, stream_id: str) -> C:
        """Return a stream as the database has it now."""
        copy = await self.loaded(stream_id)
        await self.catch_up(copy)
        self._tell(copy)
        return copy

    def remember(self, copy: C) -> C:
        """Keep a copy of a stream that the database has."""
        self._copies[copy.id] = copy
        self.size += copy.size
        self._evict(copy.id)
        self._tell(copy)
        return copy

    def forget(self, stream_id: str) -> C | None:
        """Let go of a copy, and return it."""
        copy = self._copies.pop(stream_id, None)
        self.size -= 0 if copy is None else copy.size
        return copy

    def forget_deleted(self, stream_id: str) -> None:
        """Let go of the copy of a stream that was deleted."""
        self.forget(stream_id)

    def close(self) -> None:
        """Let go of everything."""
        for load in self._loads.values():
            load.cancel()
        for stream_id in list(self._copies):
            self.forget(stream_id)

    def _evict(self, keep: str) -> None:
        """Let go of copies beyond the bounds, the least recently used first."""
        most, size = self.bounds
        if len(self._copies) <= most and self.size <= size:
            return
        for stream_id in list(self._copies):
            if len(self._copies) <= most and self.size <= size:
                return
            if stream_id != keep and not self._watched(stream_id):
                self.forget(stream_id)

    def _tell(self, copy: C) -> None:
        for listener in self._listeners:
            listener(copy)

    # Loading

    async def _load(self, stream_id: str) -> C:
        try:
            copy = await self.part(stream_id)
        finally:
            del self._loads[stream_id]
        return self._copies.get(stream_id) or self.remember(copy)

    async def part(self, stream_id: str, begin: int | None = None, until: int | None = None) -> C:
        """Return a stream up to a version, from the match to which the version `begin` belongs.

        It is read and folded piece by piece, so that others are served meanwhile.
        """
        head: StreamHead[E] | None = None
        if self.is_id(stream_id):
            head = await self._read(queries.stream_head, stream_id, begin, until)
        if head is None:
            if await self._read(queries.is_gone, stream_id):
                raise Problem("gone", self.deleted)
            raise Problem(*self.unknown)
        async with self._space(self.size_while_loaded(head.latest - head.began.version + 1)):
            copy = await self.begin(stream_id, head, begin)
            while copy.version < head.latest:
                upto = min(head.latest, copy.version + _READ_EVENTS)
                piece = await self._read(queries.events_since, stream_id, copy.version, upto)
                if not piece:
                    raise Problem("unavailable", "The database has lost a part of this.")
                for event in piece:
                    copy.add(event)
            return copy

    @asynccontextmanager
    async def _space(self, size: int) -> AsyncIterator[None]:
        """Wait until there is room for a stream beside those that are being loaded; one alone always has room."""
        if self._waiting >= limits.LOADS_WAITING:
            raise Problem("busy", "Too many long tables are being opened; try again in a moment.")
        self._waiting += 1
        try:
            while self.loading and self.loading + size > limits.LOADING_BYTES:
                await self._load_ended.wait()
        finally:
            self._waiting -= 1
        self.loading += size
        try:
            yield
        finally:
            self.loading -= size
            self._load_ended.set()
            self._load_ended.clear()

    async def _read(self, query: Callable[..., Any], *asked: Any) -> Any:
        return await self._writer.read(lambda connection: query(connection, *asked))

    # What happens

    async def catch_up(self, copy: C) -> None:
        """Add the events that the database has beyond a copy; a stream that was deleted is forgotten."""
        await self.take_in_all(copy, await self._read(queries.news, copy.id, copy.version))

    async def take_in_all(self, copy: C, events: list[E] | None) -> None:
        """Add stored events to a copy; None stands for a stream that was deleted."""
        if events is None:
            self.forget_deleted(copy.id)
            raise Problem("gone", self.deleted)
        for event in events:
            await self.take_in(copy, event)

    async def take_in(self, copy: C, event: E, played: Any = None) -> None:
        """Add a stored event to a copy, and publish it to all viewers."""
        if event.version <= copy.version:
            return
        if event.version > copy.version + 1:
            await self.catch_up(copy)
            return
        before = copy.size
        copy.add(event, played)
        copy.wake()
        current = self._copies.get(copy.id)
        if current is copy:
            self.size += copy.size - before
            self._evict(copy.id)
        elif current is not None:
            await self.take_in(current, event)  # this copy left memory while the event was written
        # Runs after the sender is answered: nobody learns of a move before the person who made it.
        self._loop.call_soon(self._publish, copy, event)
        self._tell(copy)

    async def append(self, copy: C, event: E, played: Any = None, *, write: Write[E] | None = None) -> bool:
        """Write an event; whether its version was free. Either way the copy is then as the database has it."""
        copy.writing += 1
        try:
            if write is None:
                stored = await self._writer.append(copy.id, event)
            else:
                stored = await self._writer.write(lambda connection: write(connection, copy.id, event), copy.id)
        finally:
            copy.writing -= 1
        if stored is None:
            await self.catch_up(copy)
        else:
            await self.take_in(copy, stored, played)
        return stored is not None

    async def hint(self, stream_id: str, version: int) -> None:
        """Take a hint that a stream may have reached a version, or was deleted."""
        copy = self._copies.get(stream_id)
        # The hint may be about an event whose sender has not been answered yet; that write ends with a look anyway.
        if copy is not None and not copy.writing and not 0 <= version <= copy.version:
            await self.catch_up(copy)

    async def poll(self, stream_ids: Iterable[str]) -> None:
        """Look in the database for what other replicas have done with some of the streams in memory."""
        known = [one for one in stream_ids if one in self._copies]
        versions = await self._read(queries.versions, known) if known else {}
        for stream_id in known:
            if stream_id in versions:
                await self.hint(stream_id, versions[stream_id])
            else:
                self.forget_deleted(stream_id)
