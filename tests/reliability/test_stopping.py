"""Promise 20: SIGTERM under load."""

from __future__ import annotations

import time
from contextlib import suppress

import psutil
import pytest

from tests.patience import PATIENCE
from tests.reliability.clients import Caller, CutError
from tests.reliability.stopping import stop_under_load
from tests.reliability.wrapped import planted
from tests.server.running import Server, alive, served


def test_nothing_is_lost_and_everybody_is_told(server: Server) -> None:
    stop_under_load(server, 2).hold()


@pytest.mark.full
def test_the_harness_finds_a_server_that_ends_at_once() -> None:
    with served(command=planted("deaf")) as server:
        assert any("closed with 1006" in one for one in stop_under_load(server, 1).broken)


def _ends_when_struck(server: Server, seconds: float) -> bool:
    """Whether a server ends to which SIGTERM comes while its log is locked, in the line about this request."""
    with suppress(CutError):
        Caller(server.url, seconds=seconds).call("GET", "/readyz")
    process = psutil.Process(server.pid)
    deadline = time.monotonic() + seconds
    while alive(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(process)


def test_a_signal_in_the_middle_of_a_line_of_the_log_stops_the_server() -> None:
    with served(command=planted("struck")) as server:
        assert _ends_when_struck(server, PATIENCE)
        assert server.stop() == 0


def test_a_handler_that_logs_is_found() -> None:
    with served(command=planted("talkative")) as server:
        assert not _ends_when_struck(server, 2.0)
        server.kill()
