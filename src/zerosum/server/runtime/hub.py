"""Live connections: who looks at which table, and what each is told of.

Every message has its version. A connection is first told what it missed, then what happens; a reader too slow for that
is let go, and asks again from the version it has.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field

from zerosum.match.setup import Person
from zerosum.server import limits, metrics
from zerosum.server.domain.encoding import dumps, with_state
from zerosum.server.domain.events import Event
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.view import event_document
from zerosum.server.runtime.loaded_table import LoadedTable

SLOW = 1008


@dataclass(eq=False, slots=True)
class Connection:
    """Somebody who looks at a table live; `None` in the queue closes it."""

    table_id: str
    held: frozenset[Person]
    address: str
    version: int = 0
    """How far it has been told."""
    messages: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)
    room: int = limits.LIVE_QUEUE
    closed: int | None = None

    def tell(self, message: str) -> None:
        """Queue a message; a queue without room means that the reader is too slow."""
        if self.messages.qsize() >= self.room:
            self.close(SLOW)
        elif self.closed is None:
            self.messages.put_nowait(message)

    def close(self, code: int) -> None:
        """Have the connection closed, after what is queued: of that nothing is left out."""
        if self.closed is None:
            self.closed = code
            self.messages.put_nowait(None)


class Hub:
    """All live connections of this server."""

    def __init__(self) -> None:
        self._tables: dict[str, set[Connection]] = defaultdict(set)
        self._addresses: dict[str, int] = defaultdict(int)

    def check(self, connection: Connection) -> None:
        """Refuse a connection for which there is no room."""
        if self._addresses.get(connection.address, 0) >= limits.LIVE_PER_ADDRESS:
            raise Problem("too-many", "There are too many live connections from your address.")
        # Players and spectators are counted apart: no crowd keeps a player from the table.
        alike = [one for one in self.at(connection.table_id) if bool(one.held) == bool(connection.held)]
        if len(alike) >= limits.LIVE_PER_TABLE:
            raise Problem("too-many", "Too many are looking at this table live.")

    def add(self, connection: Connection, loaded: LoadedTable, since: int) -> None:
        """Let a connection in and tell it what it missed; what happens from here on it is told of as it happens."""
        self._addresses[connection.address] += 1
        self._tables[connection.table_id].add(connection)
        metrics.live_connections.inc()
        self._catch_up(connection, loaded, since)

    def remove(self, connection: Connection) -> None:
        """Forget a connection."""
        self._tables[connection.table_id].discard(connection)
        if not self._tables[connection.table_id]:
            del self._tables[connection.table_id]
        self._addresses[connection.address] -= 1
        if not self._addresses[connection.address]:
            del self._addresses[connection.address]
        metrics.live_connections.dec()

    @staticmethod
    def _catch_up(connection: Connection, loaded: LoadedTable, since: int) -> None:
        """Tell a connection all that it missed; nobody is called slow for that."""
        messages = missed(loaded, connection.held, since)
        connection.room = limits.LIVE_QUEUE + len(messages)
        for message in messages:
            connection.tell(message)
        connection.version = loaded.table.version

    def tables(self) -> list[str]:
        """Return the tables that somebody looks at."""
        return list(self._tables)

    def watched(self, table_id: str) -> bool:
        """Whether somebody looks at a table."""
        return table_id in self._tables

    def at(self, table_id: str) -> list[Connection]:
        """Return who looks at a table."""
        return list(self._tables.get(table_id, ()))

    def publish(self, loaded: LoadedTable, event: Event) -> None:
        """Tell everybody at a table of an event; those who hold the same seats get the same text."""
        told = event_message(loaded, event)
        texts: dict[frozenset[Person], str] = {}
        for connection in self.at(loaded.table.id):
            if event.version <= connection.version:
                continue  # it came after this, and was told with what it missed
            if event.version > connection.version + 1:
                self._catch_up(connection, loaded, connection.version)
                continue
            if connection.held not in texts:
                texts[connection.held] = with_state(told, loaded.text_at(connection.held, event.version))
            connection.tell(texts[connection.held])
            connection.version = event.version

    def close_all(self, code: int) -> None:
        """Close every connection."""
        for connections in list(self._tables.values()):
            for connection in list(connections):
                connection.close(code)


def event_message(loaded: LoadedTable, event: Event) -> str:
    """Return an event as a message, which the state that it made is still to be added to."""
    told = event_document(event, loaded.said[event.version - 1])
    return dumps({"type": "event", "version": event.version, "event": told})


def missed(loaded: LoadedTable, held: frozenset[Person], since: int) -> list[str]:
    """Return what somebody missed since a version: each event, or one state where that is simpler."""
    if 1 <= since <= loaded.table.version and loaded.table.version - since <= limits.PAGE_EVENTS:
        states = loaded.texts_after(held, since)
        missing = zip(loaded.events[since:], states, strict=True)
        return [with_state(event_message(loaded, event), state) for event, state in missing]
    return [with_state({"type": "state", "version": loaded.table.version}, loaded.text(held))]
