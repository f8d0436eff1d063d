"""Planted: a command that is sent again is carried out again; its `move_id` says nothing."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy import Connection

from tests.reliability.wrapped import patch
from zerosum.server.db import queries
from zerosum.server.db.queries import Addition, LoggedEvent
from zerosum.server.runtime.table_cache import LoadedTable

real = queries.append_all


def append_all(connection: Connection, additions: Sequence[Addition]) -> list[LoggedEvent | None]:
    """Writer every event under an id of its own."""
    renamed = [(table, event._replace(move_id=secrets.token_hex(8))) for table, event in additions]
    return real(connection, renamed)


def plant() -> None:
    patch(queries, "append_all", append_all)
    patch(LoadedTable, "sent_before", lambda *_: None)
