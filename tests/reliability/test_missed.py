"""Promise 6: whoever comes back hears of each event once."""

from __future__ import annotations

import pytest

from tests.reliability.missed import come_back_late, drop_at_random, look_among_many
from tests.reliability.wrapped import limited, planted
from tests.server.postgres import Cluster
from tests.server.running import Server, served

pytestmark = pytest.mark.full


def test_connections_that_drop_at_random(server: Server) -> None:
    drop_at_random([server.url], 60).hold()


def test_one_event_too_many_and_one_state_is_told(server: Server) -> None:
    come_back_late(server.url).hold()


def test_between_replicas_that_keep_few_tables_in_memory(postgres: Cluster) -> None:
    database, command = postgres.database(), limited(TABLES_IN_MEMORY=2)
    with served(database, command=command) as one, served(database, command=command) as other:
        drop_at_random([one.url, other.url], 40).hold()
        look_among_many([one.url, other.url]).hold()


def test_the_harness_finds_events_that_are_not_told() -> None:
    with served(command=planted("forgotten")) as server:
        assert drop_at_random([server.url], 20, within=10).broken


def test_the_harness_finds_tables_that_are_forgotten(postgres: Cluster) -> None:
    database, command = postgres.database(), planted("crowded")
    with served(database, command=command) as one, served(database, command=command) as other:
        assert look_among_many([one.url, other.url], seconds=3).broken
