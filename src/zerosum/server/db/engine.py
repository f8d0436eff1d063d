"""How a database is opened, SQLite or PostgreSQL, so that a commit survives a crash and a power cut.

SQLite uses the rollback journal in mode PERSIST: a commit ends with a synced write, which a power cut cannot undo, as
it can undo the deletion of a file. The write-ahead log is faster, but up to version 3.51.2 a bug can damage the file.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from zerosum.base.errors import ZerosumError
from zerosum.server import limits
from zerosum.server.settings import sqlite_file

WAL_IS_SAFE: Final = (3, 51, 3)


class DatabaseError(ZerosumError):
    """A database that cannot be used; the message names it without its password."""


def read_url(database: str) -> URL:
    """Return the URL of the database that the settings name."""
    path = sqlite_file(database)
    if path is not None:
        return URL.create("sqlite", database=path)
    return make_url(database).set(drivername="postgresql+psycopg")


def database_name(engine: Engine) -> str:
    """Return the URL of a database for messages: without its password."""
    return engine.url.render_as_string(hide_password=True)


def unusable(engine: Engine, error: DBAPIError | sqlite3.Error) -> DatabaseError:
    """Return what is said of a database that cannot be used, with the first line of the cause."""
    why = str(error.orig if isinstance(error, DBAPIError) else error).strip().split("\n")[0]
    return DatabaseError(f"{database_name(engine)}: cannot be used ({why}).")


def open_database(url: URL) -> Engine:
    """Return the engine that serves requests."""
    return _open(url, limits.DATABASE_SECONDS, limits.DATABASE_SECONDS)


def open_for_upgrade(url: URL) -> Engine:
    """Return an engine for migrations, which may run long and wait for another server's."""
    return _open(url, limits.UPGRADE_LOCK_SECONDS, 0)


def _open(url: URL, lock: int, statement: int) -> Engine:
    """Return an engine that waits so many seconds for a lock, and for a statement (PostgreSQL only; 0 is forever)."""
    if url.drivername == "sqlite":
        return _sqlite(url, lock)
    settings = {
        # Set here, because a database, a role or the whole cluster may have it off. "on" also waits for synchronous
        # standbys; "local" and "remote_write" do not wait until a standby has synced.
        "synchronous_commit": "on",
        "lock_timeout": f"{lock}s",
        "statement_timeout": f"{statement}s",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    connect = {"connect_timeout": limits.DATABASE_SECONDS, "options": options}
    return create_engine(url, poolclass=NullPool, connect_args=connect)


def _sqlite(url: URL, lock: int) -> Engine:
    engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": lock, "check_same_thread": False})

    def on_connect(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # transactions begin below, and nowhere else
        wal = sqlite3.sqlite_version_info >= WAL_IS_SAFE
        connection.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'PERSIST'}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = {-limits.DATABASE_CACHE}")  # in KiB, since it is negative

    def on_begin(connection: Connection) -> None:
        # A write lock taken at once is waited for; a read lock that has to become one later fails instead.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.info.get("writes", True) else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine
