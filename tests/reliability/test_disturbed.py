"""Promise 23, with few disturbances; `make reliability` has a hundred."""

from __future__ import annotations

import pytest

from tests.reliability.disturbed import FAULTS, disturb, site

pytestmark = pytest.mark.full


def test_nothing_is_lost_and_no_clock_runs_backwards() -> None:
    with site() as where:
        disturb(where, 2 * len(FAULTS)).hold()


def test_the_harness_finds_times_from_the_wall_clock() -> None:
    with site("wall_clock") as where:
        report = disturb(where, 6, ["clock set"])
    assert any("backwards" in one for one in report.broken)
