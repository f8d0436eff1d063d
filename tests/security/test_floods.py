"""Floods meet limits: none is given more work than its rate, and honest players go on (promise 19).

How much slower honest players are answered meanwhile is measured by `make reliability`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import pytest

from tests.patience import PATIENCE
from tests.security.calling import Caller
from tests.security.flooding import KINDS, flood
from tests.security.honest import going_on
from tests.security.planted import changed
from tests.security.slowing import UNLIMITED, opened
from tests.security.uploads import MEMORY, watched
from tests.security.work import let_in
from tests.server.running import Server, served
from zerosum.server import limits

BURST, RATE = 200, 20.0
LIMITED: Final = f"from zerosum.server import limits\nlimits.WORK = ({BURST}, {RATE})\n"
"""Small numbers, so that a flood passes them at once, however slow the machine is."""
MET: Final = {
    "requests": "429",
    "wrong hosts": "429",
    "uploads": "429",
    "connections": "connected",
    "messages": "403",
    "pings": "403",
}
"""What tells that a flood has come to its limit; a connection alone asks for nothing, and so has none."""
COSTS: Final = {"uploads": 62}
"""As how many calls one counts, at least."""
ENOUGH: Final = 30


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(command=changed(LIMITED)) as one:
        yield one


class Budget:
    """What one address may have asked for by now."""

    def __init__(self, server: Server) -> None:
        self._server, self._before, self._began = server, let_in(server), time.monotonic()

    def spent(self, kind: str) -> bool:
        """Whether more was let in than the rate allows; the answer comes later than what it is about."""
        calls = let_in(self._server) - self._before
        return calls * COSTS.get(kind, 1) > BURST + RATE * (time.monotonic() - self._began)


@pytest.mark.parametrize("kind", KINDS)
def test_a_flood_gets_no_more_than_its_rate_and_honest_players_go_on(server: Server, kind: str) -> None:
    table = opened(server)[1]
    with watched(server) as memory, going_on(server, pause=0.2) as match:
        budget = Budget(server)
        with flood(kind, server.port, table) as met:
            deadline = time.monotonic() + PATIENCE
            moves = len(match.seconds)
            while met[MET[kind]] < ENOUGH or len(match.seconds) < moves + 5:
                assert time.monotonic() < deadline, met
                time.sleep(0.05)
        assert not budget.spent(kind), met
    assert max(memory) < MEMORY


@pytest.mark.full
def test_a_flood_that_nothing_limits_is_noticed() -> None:
    with served(command=changed(UNLIMITED)) as server:
        budget, deadline = Budget(server), time.monotonic() + PATIENCE
        with flood("requests", server.port, opened(server)[1]) as met:
            while not budget.spent("requests"):
                assert time.monotonic() < deadline, met
                time.sleep(0.05)


def test_too_many_requests_are_told_so_and_how_long_to_wait() -> None:
    with served() as server:
        _try_invitations(server)


def _try_invitations(server: Server) -> None:
    nobody, tried, began = Caller(server, "nobody"), 0, time.monotonic()
    while (reply := nobody.call("GET", "/join/" + "0" * 28)).status == 404:
        tried += 1
    burst, rate = limits.SECRETS
    assert burst <= tried <= burst + rate * (time.monotonic() - began)
    assert reply.code == "too-many"
    assert 1 <= int(reply.header("retry-after")) <= 1 / rate
    assert Caller(server, "another").call("GET", "/join/" + "0" * 28).status == 404
