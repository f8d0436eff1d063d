"""The PostgreSQL server of the tests is a real one: it keeps what it has confirmed, and can be stopped and killed."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest

from tests.patience import PATIENCE
from tests.server import postgres as module
from tests.server.postgres import PASSWORD, Cluster, cluster


def ask(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, connect_timeout=int(PATIENCE)) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall() if cursor.description else []


def test_it_syncs(postgres: Cluster) -> None:
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        assert ask(postgres.url(), f"SHOW {name}") == [("on",)]


def test_a_database_is_new_and_empty_each_time(postgres: Cluster) -> None:
    one, two = postgres.database(), postgres.database()
    assert one != two
    for _ in range(2):
        url = postgres.database("same")
        assert ask(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
        ask(url, "CREATE TABLE kept AS SELECT 1 AS n")


def test_it_wants_the_password(postgres: Cluster) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        ask(postgres.url().replace(PASSWORD, "wrong"), "SELECT 1")


def _ask_until_it_ends(connection: psycopg.Connection[Any]) -> None:
    """Ask for as long as there are answers: after a crash of the server, its connections end a little later."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        connection.execute("SELECT 1")


@pytest.mark.parametrize("end", [Cluster.stop, Cluster.kill])
def test_what_was_confirmed_is_there_after_a_restart(end: object) -> None:
    assert callable(end)
    with cluster() as one:
        url = one.database("kept")
        ask(url, "CREATE TABLE kept (n integer)")
        ask(url, "INSERT INTO kept VALUES (7)")
        with psycopg.connect(url) as open_meanwhile:
            end(one)
            assert not one.running
            with pytest.raises(psycopg.OperationalError):
                _ask_until_it_ends(open_meanwhile)
        with pytest.raises(psycopg.OperationalError):
            ask(url, "SELECT 1")
        one.start()
        assert ask(url, "SELECT n FROM kept") == [(7,)]
        folder = one.folder
    assert not folder.exists()


def test_it_runs_from_where_its_user_may_not_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_runs", lambda *_: False)
    with cluster() as one:
        assert one.binaries.is_relative_to(one.folder)
        assert ask(one.database(), "SELECT 1") == [(1,)]
