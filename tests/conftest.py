"""Every test has a home of its own and a clean environment."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.server.postgres import Cluster

ROOT = Path(__file__).parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # `from tests...` works however pytest was started

from tests import slowest  # noqa: E402 - needs the path above
from tests.cli.command import Zerosum  # noqa: E402 - needs the path above
from tests.full import FULL, part  # noqa: E402 - needs the path above
from tools.calls import SHARED  # noqa: E402 - needs the path above

# `make inspect-test` and `make learn-test` run these, in environments that have what they need.
collect_ignore = ["inspect", "learn"]

# A slow machine is not a failing test. `make test` tries the same examples each time, `make full` new ones.
settings.register_profile(
    "zerosum",
    deadline=None,
    derandomize=not FULL,
    max_examples=part(25, 100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("zerosum")


# Under `nohup make test &` this process ignores Ctrl-C and the end of a terminal, and every process that a test starts
# would ignore them too. A signal that is handled, if only by doing nothing, has its usual effect on those processes.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


def pytest_configure(config: pytest.Config) -> None:
    """Have the run name its slowest tests, those outside this folder too."""
    if not config.pluginmanager.is_registered(slowest):
        config.pluginmanager.register(slowest)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests in the package and in the documentation, not in the tests: they hold none."""
    return [one for one in (yield) if not isinstance(one, DoctestModule)]


def pytest_collection_finish() -> None:
    """Keep what collecting made out of the garbage collector's way: it stays until the end."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make full` runs."""
    if not FULL:
        left_out = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]


_UNWANTED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PYTHONIOENCODING", "PYTHONWARNINGS", "INPUTRC")


@pytest.fixture(autouse=True, scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let all processes of this run share ladders and what else they make for the documentation: each is made once."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # each worker has a folder of its own in that of the run
    shared = folder / "made"
    shared.mkdir(exist_ok=True)
    os.environ[SHARED] = str(shared)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a fresh ZEROSUM_HOME, which every process of the test uses."""
    folder = tmp_path / "home"
    for name in _UNWANTED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("ZEROSUM_HOME", str(folder))
    return folder


@pytest.fixture
def zerosum() -> Zerosum:
    """Return the installed command, run in a process of its own."""
    return Zerosum([os.path.join(os.path.dirname(sys.executable), "zerosum")])


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """Return a PostgreSQL server; `postgres.database()` is the URL of a new, empty database."""
    from tests.server.postgres import cluster  # noqa: PLC0415 - most tests need none

    with cluster() as one:
        yield one
