"""One more word to every connection, after all that the server says itself."""

from __future__ import annotations

import sqlite3

from sqlalchemy import URL, Engine, event

from tests.reliability.wrapped import patch
from zerosum.server.db import engine as engines


def say_to_sqlite(word: str) -> None:
    """Say something to every connection to SQLite."""
    real = engines._sqlite

    def connected(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(word)

    def engine(url: URL, lock: int) -> Engine:
        made = real(url, lock)
        event.listen(made, "connect", connected)
        return made

    patch(engines, "_sqlite", engine)
