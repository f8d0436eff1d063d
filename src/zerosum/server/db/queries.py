"""All queries, as functions of a connection that work on SQLite and PostgreSQL alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import (
    JSON,
    Connection,
    Row,
    Table,
    Text,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db.schema import dailies, events, gone, heartbeats, invitations, outages, seats, seen, tables
from zerosum.server.world import REAL, World
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind, Event, EventKind, data_text, is_room_id
from zerosum.tables.json_text import dumps
from zerosum.tables.keys import Key, code_of, hash_of, invitation_of, read_secret, same_hash
from zerosum.tables.table import resumes

CHANNEL = "zerosum"
SILENCE_MS = limits.HEARTBEAT_SECONDS * 1500
"""Milliseconds without a heartbeat of any replica that count as an outage: one heartbeat is missing."""

_EARLIER_LISTED = 100
"""The most earlier matches at all the tables of a list."""
_INSERT: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
_ROWS = bindparam("rows", type_=Text)
_EACH = func.json_each(_ROWS).table_valued("value")


def _many(dialect: str, table: Table) -> Any:
    """Return one statement that inserts any number of rows: with one each, the thread would lose its turn at every one.

    What was deleted gets no more rows: a subquery for each row, because a join would put the rows in another order.
    """
    names, columns = table.columns.keys(), list[Any]()
    if dialect == "postgresql":
        records = func.json_to_recordset(cast(_ROWS, JSON)).table_valued(*table.columns).render_derived(with_types=True)
        columns = [records.c[name] for name in names]
    else:
        columns = [func.json_extract(_EACH.c.value, f"$[{at}]") for at in range(len(names))]
    known = select(tables.c.id).where(tables.c.id == columns[0]).scalar_subquery().is_not(None)
    return _INSERT[dialect](table).from_select(names, select(*columns).where(known))


def _insert_many(connection: Connection, statements: Mapping[str, Any], rows: Sequence[tuple[object, ...]]) -> int:
    """Insert rows by such a statement, and return how many were inserted."""
    dialect = connection.dialect.name
    names = statements[dialect].table.columns.keys()
    listed = [dict(zip(names, row, strict=True)) for row in rows] if dialect == "postgresql" else rows
    return connection.execute(statements[dialect], {"rows": dumps(listed)}).rowcount


_NEW_EVENTS = {name: _many(name, events).on_conflict_do_nothing() for name in _INSERT}
_SEEN = {
    name: _many(name, seen).on_conflict_do_update(
        index_elements=["table_id", "person"], set_={"at": literal_column("excluded.at")}
    )
    for name in _INSERT
}
_NEW_OUTAGE = {name: one(outages).on_conflict_do_nothing() for name, one in _INSERT.items()}
_NEW_DAILY = {name: one(dailies).on_conflict_do_nothing() for name, one in _INSERT.items()}
_MINE = events.c.table_id == bindparam("table_id")
_EVENTS = (
    select(events)
    .where(_MINE, events.c.version > bindparam("since"), events.c.version <= bindparam("until"))
    .order_by(events.c.version)
)
_NEWS = (
    select(events)
    .select_from(tables)
    .outerjoin(events, (events.c.table_id == tables.c.id) & (events.c.version > bindparam("since")))
    .where(tables.c.id == bindparam("stream_id"))
    .order_by(events.c.version)
)
"""One row without an event, if there are no new ones."""
_EVENT = select(events).where(_MINE, events.c.version == bindparam("version"))
_VERSION = select(func.max(events.c.version)).where(events.c.table_id == tables.c.id).scalar_subquery()
"""One look at the index for each table; a maximum by group would read all events of all of them."""
_LATEST_VERSION = select(func.max(events.c.version)).where(_MINE)
_SEATS = select(seats.c.person, seats.c.token_hash).where(seats.c.table_id == bindparam("table_id"))
_SEATS_AND_SEEN = (
    select(seats.c.person, seats.c.token_hash, seen.c.at, _LATEST_VERSION.scalar_subquery().label("latest"))
    .outerjoin_from(seats, seen, (seats.c.table_id == seen.c.table_id) & (seats.c.person == seen.c.person))
    .where(seats.c.table_id == bindparam("table_id"))
)
_NOTIFY = text("SELECT pg_notify(:channel, hint) FROM unnest(CAST(:hints AS text[])) AS hint")

LoggedEvent = Event | ClassroomEvent
E = TypeVar("E", Event, ClassroomEvent)
Addition = tuple[str, LoggedEvent]
"""The id of a stream, and its next event."""


def append(connection: Connection, stream_id: str, event: E) -> E | None:
    """Insert an event unless its version is taken; return the event as stored, by this or an earlier try, else None."""
    stored: E | None = append_all(connection, [(stream_id, event)])[0]
    return stored


def append_all(connection: Connection, additions: Sequence[Addition]) -> list[Any]:
    """Insert several events; one that cannot be inserted does not stop the others."""
    rows = [_row(stream_id, event) for stream_id, event in additions]
    written = _insert_many(connection, _NEW_EVENTS, rows)
    if written:
        notify(connection, [f"{stream_id}:{event.version}" for stream_id, event in additions])
    if written == len(additions):
        return [event for _, event in additions]
    return [_stored(connection, row) for row in rows]


def notify(connection: Connection, hints: Sequence[str]) -> None:
    """Hint to other replicas at versions of streams; a database in a file has none."""
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"channel": CHANNEL, "hints": hints})


def _row(stream_id: str, event: LoggedEvent) -> tuple[object, ...]:
    """Return a row of `events`, in the order of its columns."""
    person = event.pupil if isinstance(event, ClassroomEvent) else event.person or 0
    return (stream_id, event.version, event.at, event.kind, person, data_text(event.data), event.move_id)


def _stored(connection: Connection, row: tuple[object, ...]) -> Any:
    """Return the stored event of a version if it is the same command, else None.

    It is the same if a commit succeeded although its connection was lost, or if another replica got the same
    command. Only the time can differ, and the stored one counts.
    """
    stored = connection.execute(_EVENT, {"table_id": row[0], "version": row[1]}).first()
    return _event(stored) if stored is not None and tuple(stored)[3:] == row[3:] else None


def events_since(connection: Connection, stream_id: str, since: int, until: int = 2**31 - 1) -> list[Any]:
    """Return the events of a table or a classroom after a version, up to another."""
    bounds = {"table_id": stream_id, "since": since, "until": until}
    return [_event(row) for row in connection.execute(_EVENTS, bounds)]


def news(connection: Connection, stream_id: str, since: int) -> list[Any] | None:
    """Return the events of a table or a classroom after a version; None if it was deleted."""
    rows = connection.execute(_NEWS, {"stream_id": stream_id, "since": since}).all()
    return [_event(row) for row in rows if row.version is not None] if rows else None


def _event(row: Row[Any]) -> Any:
    data = json.loads(row.data)
    if is_room_id(row.table_id):
        return ClassroomEvent(row.version, row.at, ClassroomEventKind(row.kind), row.person, data, row.move_id)
    person = Person(row.person) if row.person else None
    return Event(row.version, row.at, EventKind(row.kind), person, data, row.move_id)


def is_gone(connection: Connection, name: str) -> bool:
    """Whether a room or a table of this id, or a room of this code, was deleted."""
    return connection.execute(select(gone.c.id).where(gone.c.id == name)).first() is not None


@dataclass(frozen=True, slots=True)
class StreamHead(Generic[E]):
    """What says how to load a stream: its first event, where to begin, and its latest version."""

    opened: E
    began: E
    """The first event to load: the first of all, or the beginning of a match at a table."""
    latest: int


def stream_head(connection: Connection, stream_id: str, begin: int | None, until: int | None) -> StreamHead[Any] | None:
    """Return how to load a stream up to a version, from the match that the version `begin` belongs to (None: the last).

    None if there is no such stream.
    """
    found = connection.execute(_EVENT, {"table_id": stream_id, "version": 1}).first()
    if found is None:
        return None
    opened = _event(found)
    latest = connection.execute(_LATEST_VERSION, {"table_id": stream_id}).scalar() or 1
    latest = latest if until is None else min(latest, until)
    most = latest if begin is None else min(latest, begin)
    begun = (events.c.table_id == stream_id, events.c.kind == EventKind.BEGAN.value, events.c.version <= most)
    row = connection.execute(select(events).where(*begun).order_by(events.c.version.desc()).limit(1)).first()
    start = _event(row) if row is not None else opened
    return StreamHead(opened, start if resumes(start) else opened, latest)


def match_end(connection: Connection, table_id: str, number: int) -> int:
    """Return the version of the last event of a match at a table that is not the latest there."""
    mine = (events.c.table_id == table_id, events.c.kind == EventKind.BEGAN.value)
    begun = select(events.c.version).where(*mine).order_by(events.c.version).offset(number - 1).limit(1)
    return int(connection.execute(begun).scalar_one()) - 1


def earlier_winners(connection: Connection, table_ids: Sequence[str]) -> dict[str, dict[int, Person | None]]:
    """Return by number who won each match before the latest at some tables, the last first.

    Only the latest of very many are returned. An event that an earlier version wrote does not say who won: None.
    """
    rule = (events.c.table_id.in_(table_ids), events.c.kind == EventKind.BEGAN.value)
    query = select(events.c.table_id, events.c.data).where(*rule).order_by(events.c.at.desc(), events.c.version.desc())
    found: dict[str, dict[int, Person | None]] = {}
    for row in connection.execute(query.limit(_EARLIER_LISTED)):
        data = json.loads(row.data)
        if "number" in data:
            winner = data.get("winner")
            found.setdefault(row.table_id, {})[data["number"] - 1] = Person(winner) if winner else None
    return found


def sent_before(
    connection: Connection, table_id: str, persons: Iterable[Person], move_id: str
) -> tuple[int, object] | None:
    """Return the version that a command of one of some persons made, and what it asked for; None if it is new."""
    sent = (events.c.table_id == table_id, events.c.person.in_(sorted(persons)), events.c.move_id == move_id)
    row = connection.execute(select(events).where(*sent)).first()
    return None if row is None else (row.version, _event(row).data.get("command"))


@dataclass(frozen=True, slots=True)
class TableNews:
    """All that a redraw of a table needs: events, the seats of a key, and when each person was last seen."""

    events: list[Event] | None
    """None if the table was deleted."""
    held: frozenset[Person]
    last_seen: Mapping[int, int]


def table_news(connection: Connection, table_id: str, since: int, key: Key | None) -> TableNews:
    """Return what happened at a table after a version, and who sits there."""
    rows = connection.execute(_SEATS_AND_SEEN, {"table_id": table_id}).all()
    mine = key.hash if key else ""
    nothing_new = bool(rows) and rows[0].latest <= since
    return TableNews(
        [] if nothing_new else news(connection, table_id, since),
        frozenset([Person(row.person) for row in rows if same_hash(row.token_hash, mine)]),
        {row.person: row.at for row in rows if row.at is not None},
    )


def create(
    connection: Connection, table_id: str, opened: Event, held: frozenset[Person], key: Key, *, invites: bool
) -> None:
    """Insert a new table: its first event, the seats its creator holds, and an invitation if it has one."""
    connection.execute(insert(tables), {"id": table_id, "created_at": opened.at})
    append(connection, table_id, opened)
    for person in sorted(held):
        _give_seat(connection, table_id, person, key, opened.at)
    if invites:
        secret = hash_of(invitation_of(key, table_id))
        connection.execute(insert(invitations), {"hash": secret, "table_id": table_id, "person": 2, "used_by": None})


def _give_seat(connection: Connection, table_id: str, person: Person, key: Key, at: int) -> None:
    """Give a seat to a key; if the seat has too many devices, the oldest loses it."""
    mine = (seats.c.table_id == table_id) & (seats.c.person == person)
    holders = connection.execute(select(seats.c.token_hash).where(mine).order_by(seats.c.at)).scalars().all()
    if any(same_hash(one, key.hash) for one in holders):
        return
    for hash_ in holders[: max(0, len(holders) + 1 - limits.DEVICES)]:
        connection.execute(delete(seats).where(mine, seats.c.token_hash == hash_))
    code = hash_of(read_secret(code_of(key, table_id, person)) or "")
    row = {"table_id": table_id, "person": person, "token_hash": key.hash, "code_hash": code, "at": at}
    connection.execute(insert(seats), row)


def held(connection: Connection, table_id: str, key: Key) -> frozenset[Person]:
    """Return the seats that a key holds at a table."""
    rows = connection.execute(_SEATS, {"table_id": table_id}).all()
    mine = key.hash
    return frozenset([Person(row.person) for row in rows if same_hash(row.token_hash, mine)])


def seats_of(connection: Connection, key: Key) -> dict[str, frozenset[Person]]:
    """Return the tables where a key holds seats, the latest first, and which seats; tables of rooms are left out."""
    query = select(seats.c.table_id, seats.c.person).join_from(seats, tables, seats.c.table_id == tables.c.id)
    query = query.where(seats.c.token_hash == key.hash, tables.c.room_id.is_(None))
    query = query.order_by(seats.c.at.desc(), seats.c.table_id).limit(2 * limits.TABLES_LISTED)
    found: dict[str, frozenset[Person]] = {}
    for row in connection.execute(query):
        found[row.table_id] = found.get(row.table_id, frozenset()) | {Person(row.person)}
    return dict(islice(found.items(), limits.TABLES_LISTED))


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation as stored."""

    table_id: str
    person: Person
    used_by: str | None

    def taken_by(self, key: Key) -> bool:
        """Whether it was used with this key."""
        return self.used_by is not None and same_hash(self.used_by, key.hash)


def invitation(connection: Connection, secret: str) -> Invitation | None:
    """Return an invitation, or None if the secret fits none."""
    hash_ = hash_of(secret)
    row = connection.execute(select(invitations).where(invitations.c.hash == hash_)).first()
    if row is None or not same_hash(row.hash, hash_):
        return None
    return Invitation(row.table_id, Person(row.person), row.used_by)


def join(connection: Connection, table_id: str, event: Event, secret: str, key: Key) -> Event | None:
    """Use an invitation, whole or not at all; None if it was not used."""
    with connection.begin_nested() as savepoint:
        unused = (invitations.c.hash == hash_of(secret)) & invitations.c.used_by.is_(None)
        used = connection.execute(update(invitations).where(unused).values(used_by=key.hash)).rowcount == 1
        stored = append(connection, table_id, event) if used else None
        if stored is None or stored.person is None:
            savepoint.rollback()
            return None
        _give_seat(connection, table_id, stored.person, key, event.at)
    return stored


def come_back(connection: Connection, code: str, key: Key, at: int) -> tuple[str, int] | None:
    """Give the seat of a personal code to a key; return its table, and how many more devices can hold that seat."""
    hash_ = hash_of(code)
    row = connection.execute(select(seats).where(seats.c.code_hash == hash_)).first()
    if row is None or not same_hash(row.code_hash, hash_):
        return None
    _give_seat(connection, row.table_id, Person(row.person), key, at)
    mine = (seats.c.table_id == row.table_id) & (seats.c.person == row.person)
    devices = connection.execute(select(func.count()).select_from(seats).where(mine)).scalar() or 0
    return row.table_id, limits.DEVICES - devices


def note_seen(connection: Connection, sitting: Iterable[tuple[str, int]], at: int) -> None:
    """Store that persons were seen at their tables, or pupils in their rooms."""
    _insert_many(connection, _SEEN, [(table_id, one, at) for table_id, one in sorted(set(sitting))])


def last_seen(connection: Connection, stream_id: str) -> dict[int, int]:
    """Return when each person was last seen at a table, or each pupil in a room."""
    query = select(seen.c.person, seen.c.at).where(seen.c.table_id == stream_id)
    return {row.person: row.at for row in connection.execute(query)}


def daily_tries(connection: Connection, key: Key) -> dict[str, str]:
    """Return how far a browser has come with each daily that it played lately, by the date."""
    query = select(dailies.c.day, dailies.c.tries).where(dailies.c.token_hash == key.hash).order_by(dailies.c.moves)
    return {row.day: row.tries for row in connection.execute(query)}


def add_daily_move(connection: Connection, key: Key, *, day: str, moves: int, tries: str, at: int) -> bool:
    """Store the tries of a browser after one more move; return whether no other move was made there before."""
    if moves == 1:
        connection.execute(delete(dailies).where(dailies.c.at < at - limits.DAILY_DAYS * 86_400_000))
    row = {"token_hash": key.hash, "day": day, "moves": moves, "tries": tries, "at": at}
    return connection.execute(_NEW_DAILY[connection.dialect.name], row).rowcount == 1


def versions(connection: Connection, stream_ids: list[str]) -> dict[str, int]:
    """Return the version of each table or classroom that there is."""
    query = select(tables.c.id, _VERSION.label("version")).where(tables.c.id.in_(stream_ids))
    return {row.id: row.version for row in connection.execute(query)}


def beat(
    connection: Connection, replica: str, *, first: bool, world: World = REAL
) -> tuple[int, list[tuple[int, int]]]:
    """Store a heartbeat of this replica, and an outage if all were silent before; return the time and recent outages.

    The time is that of the write, which may have had to wait: until then nobody could play. A SQLite file has one
    server, so all the time before its first heartbeat was an outage.
    """
    now = world.now_ms()
    last = connection.execute(select(func.max(heartbeats.c.at))).scalar()
    alone = first and connection.dialect.name == "sqlite"
    if last is not None and now - last > (0 if alone else SILENCE_MS):
        connection.execute(_NEW_OUTAGE[connection.dialect.name], {"began": last, "ended": now})
    mine = update(heartbeats).where(heartbeats.c.replica == replica)
    if connection.execute(mine.values(at=now)).rowcount == 0:
        connection.execute(delete(heartbeats).where(heartbeats.c.at < now - 86_400_000))
        connection.execute(insert(heartbeats), {"replica": replica, "at": now})
    recent = select(outages.c.began, outages.c.ended).order_by(outages.c.ended.desc()).limit(1000)
    return now, [(row.began, row.ended) for row in connection.execute(recent)]
