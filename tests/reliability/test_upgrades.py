"""Promise 20: a database of the first release becomes one of this release, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.old import Sample, play_sample
from tests.reliability.upgrades import FULL, KILL, die, interrupt, upgrade_whole
from tests.reliability.wrapped import planted
from tests.server.postgres import Cluster


@pytest.fixture(scope="module")
def sample() -> Sample:
    """Return matches that were played."""
    return play_sample()


def test_a_file_of_the_first_release_is_served(sample: Sample, tmp_path: Path) -> None:
    upgrade_whole(f"sqlite:///{tmp_path}/tables.sqlite3", sample).hold()


def test_postgresql_of_the_first_release_is_served(sample: Sample, postgres: Cluster) -> None:
    upgrade_whole(postgres.database(), sample).hold()


def test_killed_between_two_statements_and_started_again(sample: Sample, postgres: Cluster) -> None:
    die(postgres.database(), sample).hold()


def test_killed_or_out_of_room_while_writing(sample: Sample) -> None:
    interrupt(sample, KILL, [("pwrite64", 14), ("fdatasync", 4)]).hold()
    interrupt(sample, FULL, [("pwrite64", 12)]).hold()


def test_the_harness_finds_statements_committed_one_by_one(sample: Sample, postgres: Cluster, tmp_path: Path) -> None:
    for database in (postgres.database(), f"sqlite:///{tmp_path}/tables.sqlite3"):
        assert any("step 0001" in one for one in die(database, sample, "dying_piecemeal").broken)
    report = interrupt(sample, KILL, [("pwrite64", 20)], planted("piecemeal"))
    assert any("step 0001" in one for one in report.broken)
