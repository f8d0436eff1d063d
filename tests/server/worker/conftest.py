"""Worker processes find the jobs of the tests."""

from __future__ import annotations

import pytest

from tests.server.worker.asking import ROOT


@pytest.fixture(autouse=True)
def _jobs_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    # The process runs with -P, so the folder that it is started in does not count.
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
