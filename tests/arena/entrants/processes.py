"""Which processes are there that have a word on their command line."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import psutil

from tests.patience import PATIENCE


def with_word(word: str) -> list[int]:
    """Return the processes whose command line has this word, the dead and unburied left out."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE and any(word in part for part in process.cmdline()):
                found.append(process.pid)
    return found


def gone(word: str) -> bool:
    """Wait until there is none; return whether that came true."""
    return _comes_true(lambda: not with_word(word))


def grown(word: str, count: int) -> bool:
    """Wait until there are so many; return whether that came true."""
    return _comes_true(lambda: len(with_word(word)) >= count)


def _comes_true(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
