"""The database: SQLite in a file, or PostgreSQL; how it is opened so that what is committed stays.

SQLite keeps a rollback journal (PERSIST: its end is marked by a synced write, which a power cut cannot undo, as it can
undo the unlinking of a file). The write-ahead log would be faster, but up to version 3.51.2 it can lose its end.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import NullPool

from zerosum.rules.errors import ZerosumError
from zerosum.server import limits
from zerosum.server.settings import sqlite_file

WAL_IS_SAFE: Final = (3, 51, 3)


class DatabaseError(ZerosumError):
    """A database that cannot be used; the message names it without its password."""


def read_url(database: str) -> URL:
    """Return the address of a database that the settings name."""
    path = sqlite_file(database)
    if path is not None:
        return URL.create("sqlite", database=path)
    return make_url(database).set(drivername="postgresql+psycopg")


def open_database(url: URL) -> Engine:
    """Return an engine whose every transaction is begun where the code says so, and is on the disk once committed."""
    if url.drivername == "sqlite":
        return _sqlite(url)
    timeouts = f"-c lock_timeout={limits.STORE_SECONDS}s -c statement_timeout={limits.STORE_SECONDS}s"
    return create_engine(
        url, poolclass=NullPool, connect_args={"connect_timeout": limits.STORE_SECONDS, "options": timeouts}
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url, poolclass=NullPool, connect_args={"timeout": limits.STORE_SECONDS, "check_same_thread": False}
    )

    def connected(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # transactions begin where they are begun below, and nowhere else
        wal = sqlite3.sqlite_version_info >= WAL_IS_SAFE
        connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'PERSIST'}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    def begun(connection: Connection) -> None:
        # Taking the lock at once means waiting for it; a lock that grows later would fail instead.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.info.get("writes", True) else "BEGIN")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
