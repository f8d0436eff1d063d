"""Promise 2, with few moves; `make reliability` plays more and cuts the power thousands of times."""

from __future__ import annotations

import pytest

from tests.reliability.power import cut_everywhere
from tests.reliability.wrapped import planted

pytestmark = pytest.mark.full


def test_nothing_told_to_anybody_is_lost() -> None:
    report = cut_everywhere(8, starts=1)
    report.hold()
    assert int(str(report.figures["cuts"])) > 200


@pytest.mark.parametrize("bug", ["unsynced", "unlinked", "nameless"])
def test_the_harness_finds(bug: str) -> None:
    report = cut_everywhere(2, command=planted(bug))
    assert any("is lost" in one for one in report.broken)
