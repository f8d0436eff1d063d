"""Floods, huge frames, idle and slow connections meet limits, and honest players hardly notice (promise 19)."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import pytest

from tests.security.calling import Caller
from tests.security.flooding import KINDS
from tests.security.planted import changed
from tests.security.slowing import SHARE, SLOWER, UNLIMITED, opened, slowed
from tests.security.test_uploads import MEMORY, watched
from tests.server.running import Server, served


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as one:
        yield one


@pytest.mark.parametrize("kind", KINDS)
def test_honest_players_hardly_notice_a_flood(server: Server, kind: str) -> None:
    with watched(server) as memory:
        seen = slowed(server, kind, opened(server)[1])
    assert sum(seen.met.values()) > (100 if kind != "uploads" else 10)
    assert seen.factor <= SLOWER, seen.met
    assert median(seen.shares) < SHARE, seen.met
    assert max(memory) < MEMORY


def test_a_flood_that_nothing_limits_is_noticed() -> None:
    with served(command=changed(UNLIMITED)) as server:
        seen = slowed(server, "requests", opened(server)[1], noticed=True)
        # Either of the two would fail the tests above; on a busy machine calm is slow too, and the first may not.
        assert seen.factor > SLOWER or median(seen.shares) >= SHARE, seen.met


def test_too_many_requests_are_told_so_and_how_long_to_wait(server: Server) -> None:
    nobody = Caller(server, "nobody")
    replies = [nobody.call("GET", "/join/" + "0" * 28) for _ in range(22)]
    assert [one.status for one in replies[:20]] == [404] * 20
    assert replies[21].code == "too-many"
    assert 1 <= int(replies[21].header("retry-after")) <= 10
    assert Caller(server, "another").call("GET", "/join/" + "0" * 28).status == 404
