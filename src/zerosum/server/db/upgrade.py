"""Creates a database or upgrades it to this release, in one transaction.

Every start also checks the settings that decide whether PostgreSQL keeps what it has committed.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import Final

import structlog
from sqlalchemy import URL, Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from zerosum.server import limits
from zerosum.server.db.engine import DatabaseError, database_name, open_for_upgrade, unusable
from zerosum.server.db.schema import STEP
from zerosum.server.world import REAL

CHECKED: Final = ("fsync", "full_page_writes", "synchronous_commit")
"""Each must be on; the last is set for every session (`engine.py`), but a connection pooler can drop it."""
_SETTING: Final = text("SELECT current_setting(:name)")
_log = structlog.get_logger("zerosum.database")


def check_durability(connection: Connection, *, trusted: bool = False) -> None:
    """Refuse a PostgreSQL that can lose a commit; one that is trusted is used, with a warning at every start."""
    values = {name: str(connection.execute(_SETTING, {"name": name}).scalar()) for name in CHECKED}
    unsafe = {name: value for name, value in values.items() if value != "on"}
    if not unsafe:
        return
    found = " and ".join(f"{name} = {value}" for name, value in unsafe.items())
    if not trusted:
        raise DatabaseError(
            f"{database_name(connection.engine)}: has {found}, so a crash can lose moves that were acknowledged. Turn "
            f"{'it' if len(unsafe) == 1 else 'them'} on, or give --trust-database if its storage keeps every commit by "
            "other means."
        )
    _log.warning("database may lose commits", settings=unsafe, advice="see --trust-database")


_LOCK: Final = 0x7A65726F
"""The advisory lock that replicas take, so that they upgrade one after the other."""
_LOCK_TIMEOUT: Final = "55P03"


def upgrade(url: URL, *, trusted: bool = False) -> None:
    """Bring a database to this release; refuse one that is foreign, newer or unsafe, and leave it as it is.

    It uses a separate connection, because a migration may take longer than a request.
    """
    engine = open_for_upgrade(url)
    try:
        if engine.dialect.name == "sqlite":
            _check_file(engine)
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                check_durability(connection, trusted=trusted)
                _lock(connection)
            step = _step(connection)
            if step != STEP:
                # Most starts have nothing to upgrade, and are twice as fast without Alembic.
                from zerosum.server.db import migrations  # noqa: PLC0415 - see above

                _check_known(engine, step, newer=step is not None and step not in migrations.steps())
                migrations.run(connection)
    except (DBAPIError, sqlite3.Error) as error:
        raise unusable(engine, error) from None
    finally:
        engine.dispose()


def _lock(connection: Connection) -> None:
    """Wait for other servers that upgrade this database; the lock is held until the transaction ends."""
    try:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCK_TIMEOUT:
            raise
        raise DatabaseError(
            f"{database_name(connection.engine)}: another server is upgrading this database and has not finished "
            f"within {limits.UPGRADE_LOCK_SECONDS} s; try again later."
        ) from None


def _check_file(engine: Engine) -> None:
    """Raise if a file is foreign, newer or damaged, before any statement that could change it."""
    path = engine.url.database or ""
    if not os.path.isfile(path):
        return
    with closing(sqlite3.connect(path, timeout=limits.UPGRADE_LOCK_SECONDS)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        _check_ours(engine, names)
        if names:
            for (found,) in connection.execute("SELECT version_num FROM alembic_version"):
                _check_known(engine, found, newer=found > STEP)
        deadline = REAL.monotonic() + limits.CHECK_SECONDS
        connection.set_progress_handler(lambda: REAL.monotonic() > deadline, 10_000)
        try:
            (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_INTERRUPT":
                raise
        else:
            if sound != "ok":
                raise DatabaseError(
                    f"{database_name(engine)}: is damaged ({sound.strip()}); left as it is.".replace("\n", " ")
                )


def _check_ours(engine: Engine, names: list[str]) -> None:
    if names and "alembic_version" not in names:
        raise DatabaseError(f"{database_name(engine)}: holds something else; give zerosum a separate database.")


def _check_known(engine: Engine, found: str | None, *, newer: bool) -> None:
    if newer:
        raise DatabaseError(f"{database_name(engine)}: was written by a newer zerosum (step {found}); left as it is.")


def _step(connection: Connection) -> str | None:
    """Return the migration that a database is at, None for an empty one."""
    names = inspect(connection).get_table_names()
    if "alembic_version" in names:
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return found
    _check_ours(connection.engine, names)
    return None
