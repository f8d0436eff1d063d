"""Coverage of the core by its quick tests, for `make coverage`: a plugin for pytest with xdist.

It traces from its import on, so it stands where no test run collects it by chance.

Only the processes that run tests are traced. So a line that only a slow test, the command or a server reaches counts as
missed: the figure is a lower bound.
"""

from __future__ import annotations

import io
import os
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / ".coverage"
ROOMS = ("rules", "solver", "proof", "players", "match", "coach")
FOLDERS = {ROOT / "tests" / name for name in ("rules", "clauses", "solver", "proof", "players", "match", "coach")}
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def measurement(*, suffix: bool) -> coverage.Coverage:
    """Return the means to measure the core; with a suffix, into a file of this process."""
    rooms = [str(ROOT / "src" / "zerosum" / room) for room in ROOMS]
    return coverage.Coverage(data_file=str(DATA), data_suffix=suffix, config_file=False, source=rooms)


_running = measurement(suffix=True)
if IS_WORKER:
    _running.start()  # before the first import of the core, whose definitions count too


def pytest_configure() -> None:
    """Forget earlier runs."""
    if not IS_WORKER:
        measurement(suffix=False).erase()


def pytest_collection_finish() -> None:
    """Stop: everything is imported now."""
    if IS_WORKER:
        _running.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Trace the quick tests of the core."""
    if not IS_WORKER or item.path.parent not in FOLDERS or item.get_closest_marker("slow"):
        return (yield)
    _running.start()
    try:
        return (yield)
    finally:
        _running.stop()


def pytest_sessionfinish() -> None:
    """Keep what this process has measured."""
    if IS_WORKER:
        _running.save()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figure of all processes together."""
    if IS_WORKER:
        return
    whole = measurement(suffix=False)
    whole.combine()
    whole.save()
    share = whole.report(file=io.StringIO())
    text = f"The quick tests of the core run {share:.1f} % of the lines of {', '.join(ROOMS)}."
    terminalreporter.section("coverage")
    terminalreporter.write_line(f"{text} Which not: .venv/bin/coverage report -m")
