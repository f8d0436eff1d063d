"""Clocks and absence, with short minutes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.reliability.clocks import be_away, be_without_store, claim, lose_a_replica, run_out
from tests.reliability.trouble import locked
from tests.reliability.wrapped import limited, planted
from tests.server.running import Server, served

MINUTE, ABSENT = 2.0, 1.0


@pytest.fixture(scope="module")
def short() -> Iterator[Server]:
    """Return a server on which time is short."""
    with served(command=limited(MINUTE_MS=int(MINUTE * 1000), ABSENT_SECONDS=int(ABSENT))) as one:
        yield one


def test_time_runs_out(short: Server) -> None:
    run_out(short.url, MINUTE).hold()


def test_an_absent_player_is_claimed_against(short: Server) -> None:
    claim(short.url, ABSENT).hold()


def test_a_killed_server_costs_no_time(short: Server) -> None:
    be_away(short, Server.kill).hold()


def test_a_store_that_is_away_costs_no_time(short: Server) -> None:
    be_without_store(short.url, locked(short.home / "tables.sqlite3")).hold()


@pytest.mark.full
def test_time_runs_while_another_replica_serves(replicas: list[Server]) -> None:
    lose_a_replica(replicas).hold()


@pytest.mark.full
def test_the_harness_finds_time_charged_for_downtime() -> None:
    with served(command=planted("charging")) as server:
        assert be_away(server, Server.kill).broken
