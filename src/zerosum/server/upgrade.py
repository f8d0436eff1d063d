"""A database made new, or brought to this release: whole or not at all."""

from __future__ import annotations

import os
import sqlite3

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from zerosum.server.database import DatabaseError

_LOCK = 0x7A65726F  # replicas that start together upgrade one after the other


def upgrade(engine: Engine) -> None:
    """Bring a database to this release, in one transaction; a foreign or newer one is refused and left as it is."""
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            _upgrade(connection)
    except (DBAPIError, sqlite3.Error) as error:
        name = engine.url.render_as_string(hide_password=True)
        raise DatabaseError(f"{name}: cannot be used ({_first_line(error)}).") from None


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", os.path.join(os.path.dirname(__file__), "migrations"))
    config.attributes["connection"] = connection
    found = MigrationContext.configure(connection).get_current_revision()
    known = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    name = connection.engine.url.render_as_string(hide_password=True)
    if found is None and inspect(connection).get_table_names():
        raise DatabaseError(f"{name}: holds something else than zerosum's tables; give another database.")
    if found is not None and found not in known:
        raise DatabaseError(f"{name}: was written by a newer zerosum (step {found}); it was left as it is.")
    command.upgrade(config, "head")


def _first_line(error: DBAPIError | sqlite3.Error) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().split("\n")[0]
