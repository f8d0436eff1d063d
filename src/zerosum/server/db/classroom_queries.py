"""The queries of classrooms: who may enter, tables that a pairing creates, and deletion as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.exc import DBAPIError

from zerosum.base.errors import ZerosumError
from zerosum.match.setup import Person
from zerosum.server.db.engine import open_database, read_url, unusable
from zerosum.server.db.queries import append, append_all, is_gone, notify
from zerosum.server.db.schema import events, gone, invitations, room_keys, room_links, rooms, seats, seen, tables
from zerosum.server.world import REAL
from zerosum.tables.classroom import DESK
from zerosum.tables.events import ClassroomEvent, Event
from zerosum.tables.keys import Key, hash_of, new_secret, read_room_code, same_hash, shown_room_code

GONE_VERSION = -1
"""The version that a notification gives for what was deleted."""
_KEYS = select(room_keys.c.pupil, room_keys.c.token_hash).where(room_keys.c.room_id == bindparam("room_id"))


def create_room(connection: Connection, room_id: str, event: ClassroomEvent, key: Key) -> bool:
    """Insert a new room, whole or not at all; return whether its code was free."""
    code = str(event.data["code"])
    if room_by_code(connection, code) is not None or is_gone(connection, code):
        return False
    connection.execute(insert(tables), {"id": room_id, "created_at": event.at, "room_id": None})
    connection.execute(insert(rooms), {"id": room_id, "code": code, "created_at": event.at})
    append(connection, room_id, event)
    _admit(connection, room_id, DESK, key.hash, event.at)
    return True


def _admit(connection: Connection, room_id: str, pupil: int, token_hash: str, at: int) -> None:
    row = {"room_id": room_id, "token_hash": token_hash, "pupil": pupil, "at": at}
    connection.execute(insert(room_keys), row)


def room_by_code(connection: Connection, code: str) -> str | None:
    """Return the room with a code."""
    return connection.execute(select(rooms.c.id).where(rooms.c.code == code)).scalar()


def rooms_since(connection: Connection, at: int) -> list[str]:
    """Return the rooms opened since a time, the latest first."""
    query = select(rooms.c.id).where(rooms.c.created_at >= at).order_by(rooms.c.created_at.desc()).limit(200)
    return list(connection.execute(query).scalars())


def member(connection: Connection, room_id: str, key: Key) -> int | None:
    """Return which pupil of a room a key is, `DESK` for the teacher, None for nobody."""
    mine = key.hash
    for row in connection.execute(_KEYS, {"room_id": room_id}):
        if same_hash(row.token_hash, mine):
            return int(row.pupil)
    return None


def members(connection: Connection, room_id: str) -> dict[str, int]:
    """Return the hash of every key of a room, and which pupil it is."""
    return {row.token_hash: row.pupil for row in connection.execute(_KEYS, {"room_id": room_id})}


def rooms_of(connection: Connection, key: Key) -> list[tuple[str, int]]:
    """Return the rooms that a key may enter, the latest first, each with the pupil that it is there."""
    query = select(room_keys.c.room_id, room_keys.c.pupil).where(room_keys.c.token_hash == key.hash)
    return [(row.room_id, row.pupil) for row in connection.execute(query.order_by(room_keys.c.at.desc()).limit(5))]


def join_room(connection: Connection, room_id: str, event: ClassroomEvent, key: Key) -> ClassroomEvent | None:
    """Let a key in as a new pupil, whole or not at all; None if the version was taken or the key is in already."""
    if member(connection, room_id, key) is not None:
        return None
    with connection.begin_nested():
        stored = append(connection, room_id, event)
        if stored is not None:
            _admit(connection, room_id, event.pupil, key.hash, event.at)
    return stored


def remove_pupil(connection: Connection, room_id: str, event: ClassroomEvent) -> ClassroomEvent | None:
    """Write that a pupil was removed, and forget the pupil's keys."""
    with connection.begin_nested():
        stored = append(connection, room_id, event)
        if stored is None:
            return None
        mine = (room_keys.c.room_id == room_id) & (room_keys.c.pupil == event.pupil)
        hashes = list(connection.execute(select(room_keys.c.token_hash).where(mine)).scalars())
        at_tables = select(tables.c.id).where(tables.c.room_id == room_id)
        connection.execute(delete(seats).where(seats.c.table_id.in_(at_tables), seats.c.token_hash.in_(hashes)))
        connection.execute(delete(room_keys).where(mine))
        connection.execute(delete(room_links).where(room_links.c.room_id == room_id, room_links.c.pupil == event.pupil))
    return stored


@dataclass(frozen=True, slots=True)
class ClassroomTable:
    """A table that a pairing creates: its first event, and which pupil sits where."""

    id: str
    opened: Event
    pupils: Mapping[Person, int]


def pair_pupils(
    connection: Connection, room_id: str, event: ClassroomEvent, new: Sequence[ClassroomTable]
) -> ClassroomEvent | None:
    """Write a pairing and create its tables, whole or not at all; None if the version was taken."""
    with connection.begin_nested():
        stored = append(connection, room_id, event)
        if stored is None:
            return None
        present = set(connection.execute(select(tables.c.id).where(tables.c.id.in_([one.id for one in new]))).scalars())
        if present:
            return stored  # an earlier try has written all of it
        connection.execute(insert(tables), [{"id": one.id, "created_at": event.at, "room_id": room_id} for one in new])
        append_all(connection, [(one.id, one.opened) for one in new])
        keys: dict[int, list[str]] = {}
        for row in connection.execute(_KEYS, {"room_id": room_id}):
            keys.setdefault(row.pupil, []).append(row.token_hash)
        rows = [
            _seat(one.id, person, token_hash, event.at)
            for one in new
            for person, pupil in one.pupils.items()
            for token_hash in keys.get(pupil, [])
        ]
        if rows:
            connection.execute(insert(seats), rows)
    return stored


def _seat(table_id: str, person: Person, token_hash: str, at: int) -> dict[str, object]:
    # A seat in a room has no personal code: the way back is the teacher's to give. No code has this hash.
    code = hash_of(f"none {table_id} {person.value} {token_hash}")
    return {"table_id": table_id, "person": person, "token_hash": token_hash, "code_hash": code, "at": at}


def new_link(connection: Connection, room_id: str, pupil: int, secret: str, at: int) -> None:
    """Store a link that works once: to the desk, or back to the place of a pupil; an older one to there is void."""
    connection.execute(delete(room_links).where(room_links.c.room_id == room_id, room_links.c.pupil == pupil))
    connection.execute(insert(room_links), {"hash": hash_of(secret), "room_id": room_id, "pupil": pupil, "at": at})


def use_link(connection: Connection, secret: str, key: Key, at: int) -> tuple[str, int] | None:
    """Use a link once: its key takes over the place; return the room and the pupil, None if there is no such link.

    A pupil's old device loses the place. The desk can be open on several.
    """
    hash_ = hash_of(secret)
    row = connection.execute(select(room_links).where(room_links.c.hash == hash_)).first()
    if row is None or not same_hash(row.hash, hash_):
        return None
    room_id, pupil = row.room_id, row.pupil
    if connection.execute(delete(room_links).where(room_links.c.hash == hash_)).rowcount != 1:
        return None
    _take_over(connection, room_id, pupil, key, at)
    return room_id, pupil


def _take_over(connection: Connection, room_id: str, pupil: int, key: Key, at: int) -> None:
    """Give a place in a room to a key, and with it the seats; a place that the key had before is given up."""
    at_tables = select(tables.c.id).where(tables.c.room_id == room_id)
    mine = (room_keys.c.room_id == room_id) & (room_keys.c.token_hash == key.hash)
    had = connection.execute(select(room_keys.c.pupil).where(mine)).scalar()
    if had == pupil:
        return
    connection.execute(delete(room_keys).where(mine))
    connection.execute(delete(seats).where(seats.c.table_id.in_(at_tables), seats.c.token_hash == key.hash))
    place = (room_keys.c.room_id == room_id) & (room_keys.c.pupil == pupil)
    if pupil != DESK:
        old = list(connection.execute(select(room_keys.c.token_hash).where(place)).scalars())
        rows = connection.execute(
            select(seats.c.table_id, seats.c.person).where(seats.c.table_id.in_(at_tables), seats.c.token_hash.in_(old))
        ).all()
        connection.execute(delete(seats).where(seats.c.table_id.in_(at_tables), seats.c.token_hash.in_(old)))
        connection.execute(delete(room_keys).where(place))
        if rows:
            new = {(row.table_id, row.person) for row in rows}
            connection.execute(insert(seats), [_seat(one, Person(who), key.hash, at) for one, who in sorted(new)])
    _admit(connection, room_id, pupil, key.hash, at)


def old_rooms(connection: Connection, before: int) -> list[str]:
    """Return the rooms that were opened before a time."""
    return list(connection.execute(select(rooms.c.id).where(rooms.c.created_at < before)).scalars())


def delete_room(connection: Connection, room_id: str, at: int) -> list[str]:
    """Delete a room with its tables, names and keys; return what was deleted, nothing if it was gone already.

    The row of the room is locked before its tables are listed: a pairing under way has then ended or will fail.
    """
    locked = select(tables.c.id).where(tables.c.id == room_id).with_for_update()
    if connection.execute(locked).first() is None:
        return []
    code = connection.execute(select(rooms.c.code).where(rooms.c.id == room_id)).scalar()
    mine = select(tables.c.id).where(tables.c.room_id == room_id).order_by(tables.c.id).with_for_update()
    ids = [*connection.execute(mine).scalars(), room_id]
    for one in (events, seats, seen, invitations):
        connection.execute(delete(one).where(one.c.table_id.in_(ids)))
    for two in (room_keys, room_links):
        connection.execute(delete(two).where(two.c.room_id == room_id))
    connection.execute(delete(rooms).where(rooms.c.id == room_id))
    connection.execute(delete(tables).where(tables.c.id.in_(ids)))
    connection.execute(insert(gone), [{"id": one, "at": at} for one in [*ids, *([code] if code else [])]])
    notify(connection, [f"{room_id}:{GONE_VERSION}"])
    return ids


class NoClassroomError(ZerosumError):
    """A code that no room in the database has."""


def desk_link(database: str, code: str) -> str:
    """Return the end of an address that opens the desk of a room once; an older one is void then.

    For `zerosum room desk`: whoever has the database has a way in.
    """
    plain = read_room_code(code)
    if plain is None:
        raise NoClassroomError("A code has six letters and digits, as the wall shows it.")
    engine = open_database(read_url(database))
    secret = new_secret()
    try:
        with engine.begin() as connection:
            room_id = room_by_code(connection, plain)
            if room_id is not None:
                new_link(connection, room_id, DESK, secret, REAL.now_ms())
    except DBAPIError as error:
        raise unusable(engine, error) from None
    finally:
        engine.dispose()
    if room_id is None:
        raise NoClassroomError(f"There is no room {shown_room_code(plain)} in this database; it may have been deleted.")
    return f"{plain}/in/{secret}"
