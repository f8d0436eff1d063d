"""The slowest tests and folders of a run, in seconds of processor time: a plugin for pytest, with or without xdist.

Processor time says where a run goes however busy the machine is. It counts what a test started, as far as this process
can see it. `--junitxml=FILE` keeps the figure of every test.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

SHOWN: Final = 15
PROPERTY: Final = "processor seconds"
_TICK: Final = os.sysconf("SC_CLK_TCK")
_begun: dict[str, float] = {}
_seconds: dict[str, float] = {}
_last = [0.0]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note where the clock stands before the test's fixtures are set up: where it stood after the test before."""
    _begun[item.nodeid] = _last[0] or _used()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the figure along with the last report of a test.

    After the last test of all, a browser and servers are ended, and what they have used is no longer seen: it counts 0.
    """
    report = yield
    if call.when == "teardown" and item.nodeid in _begun:
        _last[0] = _used()
        report.user_properties.append((PROPERTY, round(max(_last[0] - _begun.pop(item.nodeid), 0), 3)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the figures, in the process that prints."""
    if report.when == "teardown":
        _seconds[report.nodeid] = float(str(dict(report.user_properties).get(PROPERTY, 0)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the slowest tests, then the folders."""
    slow = [(seconds, name) for name, seconds in _seconds.items() if seconds >= 1]
    if not slow:
        return
    terminalreporter.section(f"slowest tests, of {sum(_seconds.values()):.0f} s of processor time")
    for seconds, name in sorted(slow, reverse=True)[:SHOWN]:
        terminalreporter.write_line(f"{seconds:6.1f} s  {name}")
    folders: defaultdict[str, float] = defaultdict(float)
    for name, seconds in _seconds.items():
        folders["/".join(Path(name.partition("::")[0]).parent.parts[:3])] += seconds
    largest = sorted(folders.items(), key=lambda folder: folder[1], reverse=True)
    sums = [f"{name} {seconds:.0f}" for name, seconds in largest if seconds >= 1]
    terminalreporter.write_line(f"by folder: {', '.join(sums)}")


def _used() -> float:
    """Return the processor time of this process and of all that it has started."""
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system + _of_running(os.getpid())


def _of_running(pid: int) -> float:
    """Return the processor time of the processes below one that still run; 0 on a system that does not list them."""
    seconds = 0.0
    for task in _tasks(pid):
        for child in _read(task / "children").split():
            fields = _read(Path(f"/proc/{child}/stat")).rpartition(")")[2].split()
            seconds += sum(map(int, fields[11:15])) / _TICK + _of_running(int(child))
    return seconds


def _tasks(pid: int) -> list[Path]:
    """Return the folders of a process's threads, none if it has ended."""
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _read(path: Path) -> str:
    """Return the text of a file of the system, empty if its process has ended."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
