"""A database made new, or brought to this release: whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from typing import Final

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from zerosum.server import limits
from zerosum.server.db.engine import DatabaseError
from zerosum.server.db.schema import STEP

_LOCK: Final = 0x7A65726F  # replicas that start together upgrade one after the other
_CHECK_SECONDS: Final = 1.0
"""Seconds for looking whether a file is damaged; what takes longer is seen when it is read."""


def upgrade(engine: Engine) -> None:
    """Bring a database to this release, in one transaction; a foreign or newer one is refused and left as it is."""
    try:
        if engine.dialect.name == "sqlite":
            _look_at_file(engine)
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            if _step(connection) != STEP:
                _upgrade(connection)
    except (DBAPIError, sqlite3.Error) as error:
        raise DatabaseError(f"{_name(engine)}: cannot be used ({_first_line(error)}).") from None


def _look_at_file(engine: Engine) -> None:
    """Raise if a file is foreign, newer or damaged, before anything is said to it that could change it."""
    path = engine.url.database or ""
    if not os.path.isfile(path):
        return
    with closing(sqlite3.connect(path, timeout=limits.STORE_SECONDS)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        _check_ours(engine, names)
        if names:
            for (found,) in connection.execute("SELECT version_num FROM alembic_version"):
                _check_known(engine, found, newer=found > STEP)
        deadline = time.monotonic() + _CHECK_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        try:
            (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_INTERRUPT":
                raise
        else:
            if sound != "ok":
                raise DatabaseError(f"{_name(engine)}: is damaged ({sound.strip()}); left as it is.".replace("\n", " "))


def _check_ours(engine: Engine, names: list[str]) -> None:
    if names and "alembic_version" not in names:
        raise DatabaseError(f"{_name(engine)}: holds something else; give zerosum a database of its own.")


def _check_known(engine: Engine, found: str, *, newer: bool) -> None:
    if newer:
        raise DatabaseError(f"{_name(engine)}: was written by a newer zerosum (step {found}); left as it is.")


def _step(connection: Connection) -> str | None:
    """Return the step that a database has come to, None for an empty one."""
    names = inspect(connection).get_table_names()
    if "alembic_version" in names:
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return found
    _check_ours(connection.engine, names)
    return None


def _upgrade(connection: Connection) -> None:
    # Most starts find nothing to do, and are twice as fast without it.
    from alembic import command  # noqa: PLC0415 - see above
    from alembic.config import Config  # noqa: PLC0415 - see above
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see above

    config = Config()
    config.set_main_option("script_location", os.path.join(os.path.dirname(__file__), "migrations"))
    config.attributes["connection"] = connection
    known = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    found = _step(connection)
    if found is not None:
        _check_known(connection.engine, found, newer=found not in known)
    command.upgrade(config, "head")


def _name(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=True)


def _first_line(error: DBAPIError | sqlite3.Error) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().split("\n")[0]
