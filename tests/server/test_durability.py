"""A PostgreSQL that could lose a commit is refused or told otherwise, whoever configured it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import text

from tests.full import parted
from tests.patience import PATIENCE
from tests.server.postgres import PASSWORD, USER, Cluster
from tests.server.running import COMMAND, served
from zerosum.server import limits
from zerosum.server.db.engine import open_database, open_for_upgrade, read_url
from zerosum.server.db.queries import beat
from zerosum.server.db.upgrade import check_durability, upgrade
from zerosum.server.db.writer import DatabaseQueue
from zerosum.tables.problems import Problem

LOOSE = ("off", "local", "remote_write")


def _do(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@contextmanager
def _configured(postgres: Cluster, name: str, value: str) -> Iterator[None]:
    """Change a setting of the whole cluster, as its administrator does."""
    change = sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value))
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(change)
    _reload(postgres, name, value)
    try:
        yield
    finally:
        _do(postgres.url(), f"ALTER SYSTEM RESET {name}")
        _reload(postgres, name, "on")


def _reload(postgres: Cluster, name: str, value: str) -> None:
    _do(postgres.url(), "SELECT pg_reload_conf()")
    deadline = time.monotonic() + PATIENCE
    while _shown(postgres.url(), name) != value:
        assert time.monotonic() < deadline, f"{name} is not {value}"
        time.sleep(0.02)


def _shown(url: str, name: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute(f"SHOW {name}".encode()).fetchone()
    assert row is not None
    return str(row[0])


@pytest.mark.parametrize(
    ("whose", "value"),
    [
        pytest.param(whose, value, marks=[] if index == LOOSE.index(value) else pytest.mark.full)
        for index, whose in enumerate(("database", "role", "cluster"))
        for value in LOOSE
    ],
)
def test_every_session_commits_synchronously(postgres: Cluster, whose: str, value: str) -> None:
    url = postgres.database()
    name = url.rpartition("/")[2]
    if whose == "cluster":
        with _configured(postgres, "synchronous_commit", value):
            _check_sessions(url, value)
        return
    target = f"DATABASE {name}" if whose == "database" else f"ROLE {USER}"
    _do(url, f"ALTER {target} SET synchronous_commit = {value}")
    try:
        _check_sessions(url, value)
    finally:
        _do(url, f"ALTER {target} RESET synchronous_commit")


def test_the_url_cannot_turn_it_off_either(postgres: Cluster) -> None:
    _check_sessions(postgres.database() + "?options=-csynchronous_commit%3Doff", "off")


def _check_sessions(url: str, value: str) -> None:
    assert _shown(url, "synchronous_commit") == value, "the attack itself must work"
    for make in (open_database, open_for_upgrade):
        engine = make(read_url(url))
        with engine.connect() as connection:
            assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"
        engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("name", parted(("fsync", "full_page_writes"), ("full_page_writes",)))
def test_a_cluster_that_does_not_sync_is_refused(postgres: Cluster, name: str) -> None:
    url = postgres.database()
    with _configured(postgres, name, "off"):
        refused = _start(url)
        assert refused.returncode == 1
        assert refused.stdout == ""
        assert refused.stderr.startswith("zerosum: ")
        assert refused.stderr.count("\n") == 1
        assert f"{name} = off" in refused.stderr
        assert PASSWORD not in refused.stderr
        with psycopg.connect(url) as connection:
            made = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        assert made == (0,), "a refused database is left as it is"
    with served(url):
        pass  # once it syncs again, it is used


def _start(url: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "--port", "0", "--database", url]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_one_that_is_trusted_is_used_with_a_warning_at_every_start(postgres: Cluster) -> None:
    url = postgres.database()
    with _configured(postgres, "fsync", "off"), served(url, trust_database=True) as server:
        assert _warnings(server.log) == [{"fsync": "off"}]
        server.stop()
        server.start()
        assert _warnings(server.log) == [{"fsync": "off"}] * 2
    with served(url, trust_database=True) as server:
        assert _warnings(server.log) == []


@pytest.mark.parametrize("when", ["a minute later", "at a new connection"])
def test_a_cluster_that_stops_syncing_is_noticed_while_it_is_used(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    database = postgres.database()
    url = read_url(database)
    upgrade(url)
    if when == "a minute later":
        monkeypatch.setattr(limits, "DURABILITY_SECONDS", 0)

    def cut() -> None:
        ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        _do(database, f"{ours} AND pid <> pg_backend_pid()")

    async def use() -> None:
        writer = DatabaseQueue(open_database(url), check_durability)
        try:
            await writer.write(partial(beat, replica="one", first=True))
            with _configured(postgres, "fsync", "off"):
                if when == "at a new connection":
                    await writer.write(partial(beat, replica="one", first=False))  # it was asked less than a minute ago
                    cut()
                for _ in range(2):
                    with pytest.raises(Problem) as refused:
                        await writer.write(partial(beat, replica="one", first=False))
                    assert refused.value.code == "unavailable"
            assert not writer.writable
            deadline = time.monotonic() + PATIENCE
            while not writer.writable:
                assert time.monotonic() < deadline
                with suppress(Problem):
                    await writer.write(partial(beat, replica="one", first=False))
                await asyncio.sleep(0.05)
        finally:
            await writer.close()

    asyncio.run(use())


def _warnings(log: str) -> list[object]:
    lines = [json.loads(line) for line in log.splitlines()]
    return [line["settings"] for line in lines if line["event"] == "database may lose commits"]


def test_sqlite_syncs_every_commit(tmp_path: Path) -> None:
    for make in (open_database, open_for_upgrade):
        engine = make(read_url(f"sqlite:///{tmp_path}/tables.sqlite3"))
        with engine.connect() as connection:
            assert connection.execute(text("PRAGMA synchronous")).scalar() == 2, "FULL"
            assert connection.execute(text("PRAGMA journal_mode")).scalar() in ("persist", "wal")
        engine.dispose()
