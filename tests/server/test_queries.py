"""What is written to the database, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, insert

from tests.server.postgres import cluster
from zerosum.match.setup import Person
from zerosum.server.db import classroom_queries, queries
from zerosum.server.db.classroom_queries import ClassroomTable
from zerosum.server.db.engine import open_database, read_url
from zerosum.server.db.queries import Addition
from zerosum.server.db.schema import metadata, tables
from zerosum.server.db.writer import DatabaseQueue
from zerosum.tables.classroom import DESK
from zerosum.tables.events import (
    ClassroomEvent,
    ClassroomEventKind,
    Event,
    EventKind,
    automatic_event,
    new_id,
    new_room_id,
)
from zerosum.tables.keys import Key, new_key, new_secret

_BOTH = ("first", "second")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Return an empty database."""
    if request.param == "sqlite":
        yield _made(f"sqlite:///{Path(tmp_path_factory.mktemp('database'), 'tables.db')}")
        return
    with cluster() as postgres:
        yield _made(postgres.database())


def _made(url: str) -> Engine:
    engine = open_database(read_url(url))
    metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(insert(tables), [{"id": one, "created_at": 1} for one in _BOTH])
    return engine


def test_who_is_there_is_noted_once_and_then_later(engine: Engine) -> None:
    with engine.begin() as connection:
        queries.note_seen(connection, [("second", Person.ONE), ("first", Person.TWO)], 1_000)
    with engine.begin() as connection:
        queries.note_seen(connection, [("first", Person.ONE), ("first", Person.TWO)], 2_000)
        assert queries.last_seen(connection, "first") == {Person.ONE: 2_000, Person.TWO: 2_000}
        assert queries.last_seen(connection, "second") == {Person.ONE: 1_000}


def test_nobody_is_noted_at_a_table_that_is_gone(engine: Engine) -> None:
    with engine.begin() as connection:
        queries.note_seen(connection, [("gone", Person.ONE), ("first", Person.ONE)], 3_000)
        queries.note_seen(connection, [], 3_000)
        assert queries.last_seen(connection, "gone") == {}
        assert queries.last_seen(connection, "first")[Person.ONE] == 3_000


def test_to_look_for_versions_costs_the_same_however_much_has_happened(tmp_path: Path) -> None:
    """Counted in steps of SQLite: it is done every two seconds, for all tables that somebody looks at."""
    engine = _made(f"sqlite:///{tmp_path / 'tables.db'}")
    counts = []
    for begin, end in ((1, 11), (11, 501)):
        new = [(table, _played(version, "+1", f"m{version}")) for version in range(begin, end) for table in _BOTH]
        with engine.begin() as connection:
            queries.append_all(connection, new)
        with engine.begin() as connection:
            steps = count()
            sqlite = connection.connection.driver_connection
            assert sqlite is not None
            sqlite.set_progress_handler(lambda steps=steps: bool(next(steps)) and False, 1)
            assert queries.versions(connection, [*_BOTH, "none"]) == dict.fromkeys(_BOTH, end - 1)
            sqlite.set_progress_handler(None, 1)
            counts.append(next(steps))
    assert counts[0] == counts[1]
    engine.dispose()


def _played(version: int, entry: str, move_id: str, at: int = 1_000) -> Event:
    return Event(
        version, at, EventKind.PLAYED, Person.ONE, {"entry": entry, "said": "\\u0000 \x00 \u2212 '\""}, move_id
    )


def test_events_written_together_stand_or_fall_each_by_itself(engine: Engine) -> None:
    there = _played(1, "+1", "a")
    with engine.begin() as connection:
        assert queries.append(connection, "first", there) == there
    again, late, next_ = _played(1, "+1", "a", at=2_000), _played(1, "+2", "b"), _played(2, "+3", "c")
    twin, other, reused = _played(2, "+3", "c", at=3_000), _played(2, "+4", "d"), _played(3, "+5", "a")
    elsewhere = _played(1, "+1", "a")
    new = [("first", one) for one in (again, late, next_, twin, other, reused)] + [("second", elsewhere)]
    with engine.begin() as connection:
        stands = queries.append_all(connection, new)
    assert stands == [there, None, next_, next_, None, None, elsewhere]
    with engine.begin() as connection:
        assert queries.events_since(connection, "first", 0) == [there, next_]
        assert queries.events_since(connection, "second", 0) == [elsewhere]


def test_what_cannot_be_written_down_is_nobody_elses_trouble(engine: Engine) -> None:
    async def append() -> list[Event | BaseException | None]:
        writer = DatabaseQueue(engine)
        unwritable = Event(2, 1_000, EventKind.PLAYED, Person.ONE, {"entry": object()}, "z")
        news = [("first", _played(3, "+7", "e")), ("second", unwritable), ("second", _played(2, "+2", "b"))]
        stands = await asyncio.gather(*(writer.append(*one) for one in news), return_exceptions=True)
        await writer.close()
        return stands

    one, none, two = asyncio.run(append())
    assert isinstance(none, TypeError)
    assert one == _played(3, "+7", "e")
    assert two == _played(2, "+2", "b")


def _room_event(
    version: int, kind: ClassroomEventKind, pupil: int = 0, move_id: str = "", **data: object
) -> ClassroomEvent:
    return ClassroomEvent(version, 1_000 + version, kind, pupil, data, move_id or f"auto:{version}")


def _room(connection: Connection, code: str = "abcdef") -> tuple[str, Key, list[Key]]:
    """Make a room with three pupils; return its id, the key of its desk and those of the pupils."""
    room_id, desk, pupils = new_room_id(), new_key(), [new_key() for _ in range(3)]
    opened = _room_event(1, ClassroomEventKind.OPENED, code=code)
    assert classroom_queries.create_room(connection, room_id, opened, desk)
    for n, key in enumerate(pupils, 1):
        event = _room_event(n + 1, ClassroomEventKind.JOINED, n, name=f"Pupil {n}")
        assert classroom_queries.join_room(connection, room_id, event, key) == event
    return room_id, desk, pupils


def _table_of(pupils: dict[Person, int]) -> ClassroomTable:
    opened = automatic_event(1, 1_000, EventKind.OPENED, None, {"seated": [1, 2]})
    return ClassroomTable(new_id(), opened, pupils)


def test_a_key_is_one_pupil_or_the_teacher(engine: Engine) -> None:
    with engine.begin() as connection:
        room_id, desk, pupils = _room(connection, "aaaaaa")
        again = _room_event(5, ClassroomEventKind.JOINED, 4, name="Twice")
        assert classroom_queries.join_room(connection, room_id, again, pupils[0]) is None
        assert classroom_queries.join_room(connection, room_id, again, desk) is None
        assert len(queries.events_since(connection, room_id, 0)) == 4, "whole or not at all"
        taken = _room_event(4, ClassroomEventKind.JOINED, 3, name="Late")
        assert classroom_queries.join_room(connection, room_id, taken, new_key()) is None
        assert [classroom_queries.member(connection, room_id, key) for key in (desk, *pupils, new_key())] == [
            0,
            1,
            2,
            3,
            None,
        ]
        assert not classroom_queries.create_room(
            connection, new_room_id(), _room_event(1, ClassroomEventKind.OPENED, code="aaaaaa"), desk
        )


def test_a_pairing_creates_its_tables_or_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        room_id, _, pupils = _room(connection, "bbbbbb")
        table = _table_of({Person.ONE: 1, Person.TWO: 2})
        event = _room_event(5, ClassroomEventKind.PAIRED, pairs=[[table.id, 1, 2, ""]])
        other = _table_of({Person.ONE: 3, Person.TWO: 2})
        rival = _room_event(5, ClassroomEventKind.PAIRED, pairs=[[other.id, 3, 2, ""]])
        assert classroom_queries.pair_pupils(connection, room_id, event, [table]) == event
        assert classroom_queries.pair_pupils(connection, room_id, rival, [other]) is None
        assert classroom_queries.pair_pupils(connection, room_id, event, [table]) == event, "the same again"
        assert len(queries.events_since(connection, table.id, 0)) == 1
        assert queries.events_since(connection, other.id, 0) == []
        assert [queries.held(connection, table.id, key) for key in pupils] == [{Person.ONE}, {Person.TWO}, set()]
        assert queries.seats_of(connection, pupils[0]) == {}, "tables of a room are in no list"


def test_news_are_what_came_after_a_version(engine: Engine) -> None:
    with engine.begin() as connection:
        room_id, _, pupils = _room(connection, "eeeeee")
        table = _table_of({Person.ONE: 1, Person.TWO: 2})
        paired = _room_event(5, ClassroomEventKind.PAIRED, pairs=[[table.id, 1, 2, ""]])
        assert queries.news(connection, room_id, 4) == []
        classroom_queries.pair_pupils(connection, room_id, paired, [table])
        assert queries.news(connection, room_id, 4) == [paired]
        joined = [one.version for one in queries.news(connection, room_id, 1) or []]
        assert joined == [2, 3, 4, 5]
        played = _played(2, "+1", "a")
        assert queries.append(connection, table.id, played) == played
        for since, events in ((0, [table.opened, played]), (1, [played]), (2, []), (3, [])):
            found = queries.table_news(connection, table.id, since, pupils[1])
            assert (found.events, found.held) == (events, frozenset({Person.TWO}))
        connection.execute(insert(tables), {"id": "empty", "created_at": 1})
        alone = _played(1, "+1", "a")
        queries.append(connection, "empty", alone)
        found = queries.table_news(connection, "empty", 0, pupils[0])
        assert (found.events, found.held) == ([alone], frozenset()), "nobody has a seat"
        assert queries.table_news(connection, "none", 0, pupils[0]).events is None


def test_a_second_device_takes_over_and_a_link_works_once(engine: Engine) -> None:
    with engine.begin() as connection:
        room_id, desk, pupils = _room(connection, "cccccc")
        table = _table_of({Person.ONE: 1, Person.TWO: 2})
        event = _room_event(5, ClassroomEventKind.PAIRED, pairs=[[table.id, 1, 2, ""]])
        classroom_queries.pair_pupils(connection, room_id, event, [table])
        new, back, to_desk = new_key(), new_secret(), new_secret()
        classroom_queries.new_link(connection, room_id, 1, back, 1)
        assert classroom_queries.use_link(connection, back, new, 2) == (room_id, 1)
        assert classroom_queries.use_link(connection, back, new_key(), 2) is None
        assert queries.held(connection, table.id, new) == {Person.ONE}
        assert queries.held(connection, table.id, pupils[0]) == set()
        assert classroom_queries.member(connection, room_id, pupils[0]) is None
        classroom_queries.new_link(connection, room_id, DESK, to_desk, 1)
        other = new_key()
        assert classroom_queries.use_link(connection, to_desk, other, 2) == (room_id, DESK)
        assert [classroom_queries.member(connection, room_id, key) for key in (desk, other)] == [0, 0]


def test_a_deleted_room_is_gone_with_its_tables_and_takes_no_event(engine: Engine) -> None:
    with engine.begin() as connection:
        room_id, desk, pupils = _room(connection, "dddddd")
        table = _table_of({Person.ONE: 1, Person.TWO: 2})
        event = _room_event(5, ClassroomEventKind.PAIRED, pairs=[[table.id, 1, 2, ""]])
        classroom_queries.pair_pupils(connection, room_id, event, [table])
        queries.note_seen(connection, [(table.id, 1), (room_id, 3)], 5)
        classroom_queries.new_link(connection, room_id, 1, new_secret(), 1)
        assert classroom_queries.old_rooms(connection, 1_001) == []
        assert room_id in classroom_queries.old_rooms(connection, 1_002)
    with engine.begin() as connection:
        assert sorted(classroom_queries.delete_room(connection, room_id, 9)) == sorted([table.id, room_id])
    with engine.begin() as connection:
        assert classroom_queries.delete_room(connection, room_id, 9) == []
        late: list[Addition] = [
            (table.id, _played(2, "+1", "late")),
            (room_id, _room_event(6, ClassroomEventKind.ENDED)),
        ]
        assert queries.append_all(connection, [*late, ("second", _played(9, "+1", "good"))])[:2] == [None, None]
        assert len(queries.events_since(connection, "second", 8)) == 1, "others go on"
        queries.note_seen(connection, [(table.id, 1)], 10)
        assert all(queries.is_gone(connection, one) for one in (table.id, room_id, "dddddd"))
        assert classroom_queries.room_by_code(connection, "dddddd") is None
        assert queries.news(connection, room_id, 0) is None
        assert [classroom_queries.member(connection, room_id, key) for key in (desk, *pupils)] == [None] * 4
        for one in metadata.sorted_tables:
            if one.name != "gone":
                rows = str(connection.execute(one.select()).all())
                assert room_id not in rows
                assert table.id not in rows
