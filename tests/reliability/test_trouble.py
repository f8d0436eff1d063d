"""Promise 7: trouble with the store is told, acknowledges nothing, and passes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.reliability.trouble import away, endure, filled, locked, no_growth, read_only, small_disk
from tests.reliability.wrapped import planted, unprivileged
from tests.server.postgres import cluster
from tests.server.running import Server, served


@pytest.fixture(scope="module")
def plain() -> Iterator[Server]:
    """Return a server that may write only where its user may."""
    with served(command=unprivileged()) as one:
        yield one


def test_a_full_disk(plain: Server) -> None:
    with small_disk() as disk:
        if disk is not None:
            with served(f"sqlite:///{disk}/tables.sqlite3") as server:
                endure(server, "disk full", filled(disk)).hold()
    endure(plain, "no room for its user", no_growth(plain, plain.home / "tables.sqlite3")).hold()


def test_a_read_only_file(plain: Server) -> None:
    endure(plain, "read-only", read_only(plain.home / "tables.sqlite3")).hold()


def test_a_locked_file(plain: Server) -> None:
    endure(plain, "locked", locked(plain.home / "tables.sqlite3")).hold()


def test_postgresql_restarted() -> None:
    with cluster() as postgres, served(postgres.database()) as server:
        endure(server, "restarted", away(postgres)).hold()


@pytest.mark.full
def test_the_harness_finds_a_server_that_does_not_recover() -> None:
    with served(command=planted("resting")) as server:
        trouble = no_growth(server, server.home / "tables.sqlite3")
        assert endure(server, "resting", trouble, within=3).broken
