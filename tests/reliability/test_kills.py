"""Promise 1, with few kills; `make reliability` runs 200."""

from __future__ import annotations

from tests.reliability.kills import kill_under_load
from tests.reliability.wrapped import planted
from tests.server.running import Server, served

WITHIN = 15.0
"""Seconds for a start on a machine that runs other tests too; the promise of 3 is held by `make reliability`."""


def test_one_server_on_a_file(server: Server) -> None:
    kill_under_load([server], 6, within=WITHIN).hold()


def test_two_replicas(replicas: list[Server]) -> None:
    kill_under_load(replicas, 6, within=WITHIN).hold()


def test_the_harness_finds_what_is_acknowledged_before_it_is_written() -> None:
    with served(command=planted("early")) as server:
        report = kill_under_load([server], 2, within=WITHIN)
    assert any("lost" in one or "changed" in one for one in report.broken)
