"""Whether PostgreSQL keeps what it has committed: the settings that decide it, checked at every start."""

from __future__ import annotations

from typing import Final

import structlog
from sqlalchemy import Connection, text

from zerosum.server.db.engine import DatabaseError, database_name

CHECKED: Final = ("fsync", "full_page_writes", "synchronous_commit")
"""Each must be on; the last is set for every session (`engine.py`), but a connection pooler can drop it."""
_SETTING: Final = text("SELECT current_setting(:name)")
_log = structlog.get_logger("zerosum.database")


def check_durability(connection: Connection, *, trusted: bool) -> None:
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
