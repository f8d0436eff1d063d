"""Promise 4, with few races; `make reliability` runs 1,000."""

from __future__ import annotations

import pytest

from tests.reliability.races import race
from tests.reliability.wrapped import planted
from tests.server.running import Server, served


def test_on_one_server(server: Server) -> None:
    race([server.url], 30).hold()


def test_between_two_replicas(replicas: list[Server]) -> None:
    race([one.url for one in replicas], 30).hold()


@pytest.mark.full
@pytest.mark.parametrize("bug", ["overwriting", "repeating"])
def test_the_harness_finds(bug: str) -> None:
    with served(command=planted(bug)) as server:
        # A race that nobody loses by luck finds nothing; so few of them in a row do.
        assert any(race([server.url], 16).broken for _ in range(20))
