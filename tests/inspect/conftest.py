"""Every test is offline and leaves its logs in a folder of its own."""

from __future__ import annotations

import gc
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Forgive Inspect what we cannot mend; every other warning is an error."""
    for forgiven in (
        "The 'initial' parameter is deprecated:DeprecationWarning",
        "Unclosed <MemoryObject:ResourceWarning",
    ):
        config.addinivalue_line("filterwarnings", f"ignore:{forgiven}")


@pytest.fixture(autouse=True, scope="session")
def frozen() -> None:
    """Keep what is imported out of the collections below, which take a tenth of a second each otherwise."""
    gc.freeze()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a fresh ZEROSUM_HOME; a connection to anywhere fails the test."""

    def refuse(_: socket.socket, address: Any) -> None:
        raise AssertionError(f"A test connected to {address}.")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: refuse(socket.socket(), "a name"))
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "INSPECT_LOG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("ZEROSUM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    gc.collect()  # here and not later, where what is forgiven above is an error again
