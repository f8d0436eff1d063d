"""Planted: nobody looks whether a version is free; the second move of a turn replaces the first."""

from __future__ import annotations

from sqlalchemy import Connection, delete

from tests.reliability.wrapped import patch
from zerosum.server import statements
from zerosum.server.events import Event
from zerosum.server.schema import events

real = statements.append


def append(connection: Connection, table_id: str, event: Event) -> Event | None:
    """Make room first."""
    taken = (events.c.table_id == table_id) & (events.c.version == event.version)
    connection.execute(delete(events).where(taken))
    return real(connection, table_id, event)


def plant() -> None:
    patch(statements, "append", append)
