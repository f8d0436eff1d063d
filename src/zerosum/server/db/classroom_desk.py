"""A way to the desk of a room, for whoever has the database: `zerosum room desk`."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from zerosum.base.errors import ZerosumError
from zerosum.server.db import classroom_queries
from zerosum.server.db.engine import DatabaseError, database_name, open_database, read_url
from zerosum.server.world import REAL
from zerosum.tables.classroom import DESK
from zerosum.tables.keys import new_secret, read_room_code, shown_room_code


class NoClassroomError(ZerosumError):
    """A code that no room in the database has."""


def desk_link(database: str, code: str) -> str:
    """Return the end of an address that opens the desk of a room once; an older one is void then."""
    plain = read_room_code(code)
    if plain is None:
        raise NoClassroomError("A code has six letters and digits, as the wall shows it.")
    engine = open_database(read_url(database))
    secret = new_secret()
    try:
        with engine.begin() as connection:
            room_id = classroom_queries.room_by_code(connection, plain)
            if room_id is not None:
                classroom_queries.new_link(connection, room_id, DESK, secret, REAL.now_ms())
    except DBAPIError as error:
        why = str(error.orig).strip().split("\n")[0]
        raise DatabaseError(f"{database_name(engine)}: cannot be used ({why}).") from None
    finally:
        engine.dispose()
    if room_id is None:
        raise NoClassroomError(f"There is no room {shown_room_code(plain)} in this database; it may have been deleted.")
    return f"{plain}/in/{secret}"
