"""Promise 20: a database of the first release becomes one of this release, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.full import part
from tests.reliability.old import Sample, play_sample
from tests.reliability.upgrades import (
    FULL,
    KILL,
    die,
    interrupt,
    take_long,
    upgrade_lock,
    upgrade_whole,
    wait_for_another,
)
from tests.reliability.wrapped import limited, planted
from tests.server.postgres import Cluster
from tests.server.running import ServerError, served


@pytest.fixture(scope="module")
def sample() -> Sample:
    """Return matches that were played."""
    return play_sample()


def test_a_file_of_the_first_release_is_served(sample: Sample, tmp_path: Path) -> None:
    upgrade_whole(f"sqlite:///{tmp_path}/tables.sqlite3", sample).hold()


@pytest.mark.full  # as is one that was killed, below
def test_postgresql_of_the_first_release_is_served(sample: Sample, postgres: Cluster) -> None:
    upgrade_whole(postgres.database(), sample).hold()


def test_killed_between_two_statements_and_started_again(sample: Sample, postgres: Cluster) -> None:
    die(postgres.database(), sample).hold()


def test_killed_or_out_of_room_while_writing(sample: Sample) -> None:
    interrupt(sample, KILL, [("pwrite64", part(3, 14)), ("fdatasync", part(2, 4))]).hold()
    interrupt(sample, FULL, [("pwrite64", part(3, 12))]).hold()


@pytest.mark.full
def test_the_harness_finds_statements_committed_one_by_one(sample: Sample, postgres: Cluster, tmp_path: Path) -> None:
    for database in (postgres.database(), f"sqlite:///{tmp_path}/tables.sqlite3"):
        assert any("step 0001" in one for one in die(database, sample, "dying_piecemeal").broken)
    report = interrupt(sample, KILL, [("pwrite64", 20)], planted("piecemeal"))
    assert any("step 0001" in one for one in report.broken)


@pytest.mark.full
def test_a_statement_may_take_longer_than_a_request(sample: Sample, postgres: Cluster, tmp_path: Path) -> None:
    take_long(postgres.database(), sample).hold()
    take_long(f"sqlite:///{tmp_path}/tables.sqlite3", sample).hold()


@pytest.mark.full
def test_a_server_waits_for_another_that_upgrades(sample: Sample, postgres: Cluster, tmp_path: Path) -> None:
    wait_for_another(postgres.database(), sample, held=10).hold()
    wait_for_another(f"sqlite:///{tmp_path}/tables.sqlite3", sample, held=5).hold()


def test_it_does_not_wait_for_ever(postgres: Cluster) -> None:
    database = postgres.database()
    with upgrade_lock(database), pytest.raises(ServerError) as caught:  # noqa: SIM117 - only the start may fail
        with served(database, command=limited(UPGRADE_LOCK_SECONDS=1)):
            pass
    assert "another server is upgrading this database" in str(caught.value)
    assert "Traceback" not in str(caught.value)


@pytest.mark.full
def test_the_harness_finds_an_upgrade_with_the_timeouts_of_a_request(sample: Sample, postgres: Cluster) -> None:
    assert any("timeout" in one for one in take_long(postgres.database(), sample, "impatient").broken)
    report = wait_for_another(postgres.database(), sample, held=10, command=planted("impatient"))
    assert any("did not wait" in one for one in report.broken)
