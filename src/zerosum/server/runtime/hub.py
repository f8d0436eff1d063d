"""Live connections: who watches which table, which messages each viewer gets, and which persons are present.

Every message has its version. A connection first gets what it missed, then what happens. A reader that is too slow is
disconnected, and asks again from the version it has. A backlog is made piece by piece while it is sent, so that a long
one delays nobody else.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from zerosum.match.setup import Person
from zerosum.server import limits, prometheus
from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.table_cache import LoadedTable
from zerosum.server.world import World
from zerosum.tables.events import Event
from zerosum.tables.json_text import dumps, with_state
from zerosum.tables.problems import Problem
from zerosum.tables.view import event_state

OccupiedSeat = tuple[str, int]
"""A table and a person, or a room and a pupil."""
LastSeen = Mapping[int, int]
"""When each person at a table or pupil in a room was last seen, as the database knows it."""


class Presence:
    """The live connections of persons, counted and noted in the database now and then, for replicas and claims."""

    def __init__(self, writer: DatabaseQueue, world: World) -> None:
        self._writer = writer
        self._world = world
        self._here: Counter[OccupiedSeat] = Counter()

    async def arrive(self, table_id: str, held: frozenset[int]) -> None:
        """Note that somebody has connected."""
        self._here.update((table_id, person) for person in held)
        await self._note([(table_id, person) for person in held])

    async def leave(self, table_id: str, held: frozenset[int]) -> None:
        """Note that somebody has gone; until now they were there."""
        for person in held:
            self._here[table_id, person] -= 1
            if self._here[table_id, person] <= 0:
                del self._here[table_id, person]
        await self._note([(table_id, person) for person in held])

    def here(self, table_id: str) -> set[int]:
        """Return who is connected to this server at a table or in a room."""
        return {person for name, person in self._here if name == table_id}

    async def note_all(self) -> None:
        """Note everybody who is there."""
        await self._note(list(self._here))

    async def _note(self, sitting: list[OccupiedSeat]) -> None:
        with suppress(Problem):  # while the database is away nobody can claim anything either
            if sitting:
                await self._writer.write(partial(queries.note_seen, sitting=sitting, at=self._world.now_ms()))

    async def unseen(self, table_id: str, person: Person, now: int, seen: LastSeen | None = None) -> int:
        """Return for how many milliseconds somebody has not been seen; `seen` saves asking the database."""
        if self._here[table_id, person]:
            return 0
        seen = await self.last_seen(table_id) if seen is None else seen
        return max(0, now - seen.get(person, 0))

    async def present(self, table_id: str, seen: LastSeen | None = None) -> dict[Person, bool]:
        """Return who is there."""
        connected = {person: bool(self._here[table_id, person]) for person in Person}
        if all(connected.values()):
            return connected
        seen = await self.last_seen(table_id) if seen is None else seen
        long_ago = self._world.now_ms() - (limits.SEEN_SECONDS + limits.POLL_SECONDS) * 1000
        return {person: here or seen.get(person, 0) > long_ago for person, here in connected.items()}

    async def last_seen(self, stream_id: str) -> LastSeen:
        """Return when everybody was last seen at a table or in a room."""
        return await self._writer.read(partial(queries.last_seen, stream_id=stream_id))


POLICY_VIOLATION = 1008


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a connection missed between two versions of a table."""

    loaded: LoadedTable
    held: frozenset[Person]
    missed: list[tuple[Event, str]] | None
    """The events, each with its words; None if there are so many that how the table stands now is simpler."""
    texts: Iterator[str] | None
    """The states that the events made, if they are wanted."""
    until: int
    """The version up to which it tells; what comes after is queued behind it."""

    @classmethod
    def between(cls, loaded: LoadedTable, held: frozenset[Person], since: int, until: int, *, states: bool) -> Backlog:
        """Take what is needed of a table now: it may have left memory when the backlog is sent."""
        most = limits.CATCH_UP_STATES if states else limits.PAGE_EVENTS
        if not 0 <= until - since <= most or since < 1 or since + 1 < loaded.base:
            return cls(loaded, held, None, iter(()) if states else None, until)
        texts = loaded.texts_after(held, since) if states else None
        return cls(loaded, held, loaded.events_after(since, until), texts, until)

    def messages(self) -> Iterator[str]:
        """Return each event as a message, or one for the newest version if that is simpler; each is made on demand."""
        if self.missed is None:
            yield _standing(self.loaded, self.held, self.until, states=self.texts is not None)
            return
        for event, said in self.missed:
            message = event_message(event, said)
            yield with_state(message, next(self.texts)) if self.texts is not None else message


@dataclass(eq=False, slots=True)
class Connection:
    """A viewer of a table; `states` says whether it wants the state with every event, or only its words."""

    table_id: str
    held: frozenset[Person]
    address: str
    states: bool = True
    version: int = 0
    """The last version that was sent."""
    closed: int | None = None
    """The code to close it with, after what is queued."""
    _queue: deque[str | Backlog] = field(default_factory=deque)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def queue(self, message: str | Backlog) -> None:
        """Queue a message; a full queue means that the reader is too slow."""
        if len(self._queue) >= limits.LIVE_QUEUE:
            self.close(POLICY_VIOLATION)
        elif self.closed is None:
            self._queue.append(message)
            self._news.set()

    def close(self, code: int) -> None:
        """Have the connection closed once everything queued is sent."""
        if self.closed is None:
            self.closed = code
            self._news.set()

    async def next(self) -> str | Backlog | None:
        """Wait for the next message to send; None once the connection is to be closed."""
        while not self._queue:
            if self.closed is not None:
                return None
            self._news.clear()
            await self._news.wait()
        return self._queue.popleft()


class Hub:
    """All live connections of this server."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[Connection, None]] = defaultdict(dict)
        """The viewers of each table, in the order in which they came."""
        self._arriving: Counter[str] = Counter()

    @contextmanager
    def arriving(self, table_id: str) -> Iterator[None]:
        """Keep a table in memory while a connection to it is being made.

        Without it the copy that was loaded for the connection could leave memory before the connection is added, and
        events taken in by the next copy meanwhile would never be sent.
        """
        self._arriving[table_id] += 1
        try:
            yield
        finally:
            self._arriving[table_id] -= 1
            if not self._arriving[table_id]:
                del self._arriving[table_id]

    def check(self, connection: Connection, most: int = limits.LIVE_PER_TABLE) -> None:
        """Refuse a connection for which there is no room; `most` look at one table or room."""
        connections = chain.from_iterable(self._tables.values())
        if sum(one.address == connection.address for one in connections) >= limits.LIVE_PER_ADDRESS:
            raise Problem("too-many", "There are too many live connections from your address.")
        # Players and spectators are counted apart: no crowd keeps a player from the table.
        alike = [one for one in self.at(connection.table_id) if bool(one.held) == bool(connection.held)]
        if len(alike) >= most:
            raise Problem("too-many", "Too many are looking at this table live.")

    def add(self, connection: Connection, loaded: LoadedTable, since: int, earlier: LoadedTable) -> None:
        """Add a connection: it gets what it missed, then what happens; `earlier` has what `loaded` has no more."""
        self.register(connection)
        if earlier is not loaded:
            self._catch_up(connection, earlier, since)
            if earlier.table.version >= loaded.table.version:
                return
            since = earlier.table.version
        self._catch_up(connection, loaded, since)

    def register(self, connection: Connection) -> None:
        """Add a connection that is told what happens in another way."""
        self._tables[connection.table_id][connection] = None
        prometheus.live_connections.inc()

    def remove(self, connection: Connection) -> None:
        """Forget a connection."""
        self._tables[connection.table_id].pop(connection, None)
        if not self._tables[connection.table_id]:
            del self._tables[connection.table_id]
        prometheus.live_connections.dec()

    @staticmethod
    def _catch_up(connection: Connection, loaded: LoadedTable, since: int) -> None:
        version = loaded.table.version
        connection.queue(Backlog.between(loaded, connection.held, since, version, states=connection.states))
        connection.version = version

    def tables(self) -> list[str]:
        """Return the tables that have a viewer."""
        return list(self._tables)

    def watched(self, table_id: str) -> bool:
        """Whether a table has a viewer, or will have one soon."""
        return table_id in self._tables or table_id in self._arriving

    def at(self, table_id: str) -> list[Connection]:
        """Return the viewers of a table."""
        return list(self._tables.get(table_id, ()))

    def publish(self, loaded: LoadedTable, event: Event) -> None:
        """Send an event to every viewer of a table; those who hold the same seats get the same text."""
        if event.version < loaded.base:
            return  # the table has gone on since; what came after it catches up
        message = event_message(event, loaded.said[event.version - loaded.base])
        texts: dict[frozenset[Person], str] = {}
        for connection in self.at(loaded.table.id):
            if event.version <= connection.version:
                continue  # it connected after this event, which is in its backlog
            if event.version > connection.version + 1:
                self._catch_up(connection, loaded, connection.version)
                continue
            told = message
            if connection.states:
                told = texts.get(connection.held, "")
                if not told:
                    told = with_state(message, loaded.text_at(connection.held, event.version))
                    texts[connection.held] = told
            connection.queue(told)
            connection.version = event.version

    def close_all(self, code: int) -> None:
        """Close every connection."""
        for connection in list(chain.from_iterable(self._tables.values())):
            connection.close(code)


def event_message(event: Event, said: str) -> str:
    """Return an event, with its words, as a message, to which the state that it made can be added."""
    document = event_state(event, said)
    return dumps({"type": "event", "version": event.version, "event": document})


def _standing(loaded: LoadedTable, held: frozenset[Person], version: int, *, states: bool) -> str:
    """Return how a table stood at a version, as one message; a newer one would be told of again behind it."""
    version = max(version, loaded.base)
    if states:
        return with_state({"type": "state", "version": version}, loaded.text_at(held, version))
    return dumps({"type": "state", "version": version, "words": loaded.said[version - loaded.base]})
