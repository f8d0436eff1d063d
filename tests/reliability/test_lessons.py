"""A class behind one address, with few pupils and kills; `make reliability` has 200 pupils and 20 kills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reliability.lessons import play_lesson
from tests.reliability.wrapped import planted
from tests.server.running import Server, served

if TYPE_CHECKING:
    from tests.server.postgres import Cluster

FAULTS = {
    "recounting": "counted twice",
    "doubling": "a pupil at two tables",
    "hasty": "let in and not kept",
    "reshuffling": "paired elsewhere",
    "welcoming": "joined twice",
}
"""What is planted, and what the harness says of it."""


def database_of(server: Server) -> str:
    return f"sqlite:///{server.home / 'tables.sqlite3'}"


def test_twenty_pupils_and_two_kills_on_a_file(server: Server) -> None:
    play_lesson([server], database_of(server), pupils=20, seconds=0, kills=2).hold()


@pytest.mark.full
def test_two_replicas(postgres: Cluster) -> None:
    database = postgres.database()
    with served(database) as one, served(database) as other:
        play_lesson([one, other], database, pupils=12, seconds=2, kills=2).hold()


@pytest.mark.full
@pytest.mark.parametrize("bug", FAULTS)
def test_the_harness_finds(bug: str) -> None:
    def broken(seed: int) -> str:
        with served(command=planted(bug)) as server:
            report = play_lesson([server], database_of(server), pupils=12, seconds=0, kills=3, seed=seed, patience=30)
            return "\n".join(report.broken)

    # A kill that falls between two matches finds nothing.
    assert any(FAULTS[bug] in broken(seed) for seed in range(4))
