"""Promise 20: SIGTERM under load."""

from __future__ import annotations

import pytest

from tests.reliability.stopping import stop_under_load
from tests.reliability.wrapped import planted
from tests.server.running import Server, served


def test_nothing_is_lost_and_everybody_is_told(server: Server) -> None:
    stop_under_load(server, 2).hold()


@pytest.mark.full
def test_the_harness_finds_a_server_that_ends_at_once() -> None:
    with served(command=planted("deaf")) as server:
        assert any("closed with 1006" in one for one in stop_under_load(server, 1).broken)
