"""Promise 1, with few kills; `make reliability` runs 200."""

from __future__ import annotations

import pytest

from tests.full import part
from tests.reliability.kills import kill_under_load
from tests.reliability.wrapped import planted
from tests.server.running import Server, served


def test_one_server_on_a_file(server: Server) -> None:
    kill_under_load([server], part(3, 6)).hold()


@pytest.mark.full
def test_two_replicas(replicas: list[Server]) -> None:
    kill_under_load(replicas, 6).hold()


@pytest.mark.full
def test_the_harness_finds_what_is_acknowledged_before_it_is_written() -> None:
    with served(command=planted("early")) as server:
        report = kill_under_load([server], 2)
    assert any("lost" in one or "changed" in one for one in report.broken)
