"""Promise 2 on PostgreSQL, with few crashes; `make reliability` has more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.reliability.crashes import crash_database
from tests.reliability.wrapped import planted
from tests.server.postgres import Cluster, cluster

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def own() -> Iterator[Cluster]:
    """Return a PostgreSQL server whose settings can be changed."""
    with cluster() as one:
        yield one


def test_nothing_acknowledged_is_lost(own: Cluster) -> None:
    crash_database(own, 2).hold()


def test_the_harness_finds_commits_that_do_not_wait_for_the_disk(own: Cluster) -> None:
    report = crash_database(own, 1, command=planted("asynchronous"))
    assert any("acknowledged and lost" in one or "acknowledged and changed" in one for one in report.broken)
