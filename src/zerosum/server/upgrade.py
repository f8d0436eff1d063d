"""A database made new, or brought to this release: whole or not at all."""

from __future__ import annotations

import os
import sqlite3

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from zerosum.server.database import DatabaseError
from zerosum.server.schema import STEP

_LOCK = 0x7A65726F  # replicas that start together upgrade one after the other


def upgrade(engine: Engine) -> None:
    """Bring a database to this release, in one transaction; a foreign or newer one is refused and left as it is."""
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            if _step(connection) != STEP:
                _upgrade(connection)
    except (DBAPIError, sqlite3.Error) as error:
        raise DatabaseError(f"{_name(engine)}: cannot be used ({_first_line(error)}).") from None


def _step(connection: Connection) -> str | None:
    """Return the step that a database has come to, None for an empty one."""
    names = inspect(connection).get_table_names()
    if "alembic_version" in names:
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return found
    if names:
        raise DatabaseError(f"{_name(connection.engine)}: holds something else; give zerosum a database of its own.")
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
    if found is not None and found not in known:
        raise DatabaseError(
            f"{_name(connection.engine)}: was written by a newer zerosum (step {found}); left as it is."
        )
    command.upgrade(config, "head")


def _name(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=True)


def _first_line(error: DBAPIError | sqlite3.Error) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().split("\n")[0]
