"""What is written to the database, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert

from tests.server.postgres import cluster
from zerosum.match.setup import Person
from zerosum.server.db import queries
from zerosum.server.db.engine import open_database, read_url
from zerosum.server.db.schema import metadata, tables
from zerosum.server.db.writer import DatabaseThread
from zerosum.server.domain.events import Event, EventKind


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
        connection.execute(insert(tables), [{"id": one, "created_at": 1} for one in ("first", "second")])
    return engine


def test_who_is_there_is_noted_once_and_then_later(engine: Engine) -> None:
    with engine.begin() as connection:
        queries.note_seen(connection, [("second", Person.ONE), ("first", Person.TWO)], 1_000)
    with engine.begin() as connection:
        queries.note_seen(connection, [("first", Person.ONE), ("first", Person.TWO)], 2_000)
        assert queries.last_seen(connection, "first") == {Person.ONE: 2_000, Person.TWO: 2_000}
        assert queries.last_seen(connection, "second") == {Person.ONE: 1_000}


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
        writer = DatabaseThread(engine)
        unwritable = Event(2, 1_000, EventKind.PLAYED, Person.ONE, {"entry": object()}, "z")
        news = [("first", _played(3, "+7", "e")), ("second", unwritable), ("second", _played(2, "+2", "b"))]
        stands = await asyncio.gather(*(writer.append(*one) for one in news), return_exceptions=True)
        await writer.close()
        return stands

    one, none, two = asyncio.run(append())
    assert isinstance(none, TypeError)
    assert one == _played(3, "+7", "e")
    assert two == _played(2, "+2", "b")
