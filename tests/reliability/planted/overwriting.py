"""Planted: nobody looks whether a version is free; the second move of a turn replaces the first."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete

from tests.reliability.wrapped import patch
from zerosum.server.db import queries
from zerosum.server.db.queries import Addition, LoggedEvent
from zerosum.server.db.schema import events

real = queries.append_all


def append_all(connection: Connection, additions: Sequence[Addition]) -> list[LoggedEvent | None]:
    """Make room first, for one after the other."""
    stands: list[LoggedEvent | None] = []
    for table_id, event in additions:
        taken = (events.c.table_id == table_id) & (events.c.version == event.version)
        connection.execute(delete(events).where(taken))
        stands += real(connection, [(table_id, event)])
    return stands


def plant() -> None:
    patch(queries, "append_all", append_all)
