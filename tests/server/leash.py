"""Processes that never outlive the tests, whatever happens to these.

A child starts a session of its own. A watcher, told of each, kills those that are left when this process is gone:
it notices because the pipe on which it is told is closed, and a kill -9 closes it too.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.warm import WarmProcess, is_warm

_WATCHER = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
"""


@functools.cache
def _watcher() -> int:
    """Start the watcher, once, and return the descriptor on which it listens."""
    command = [sys.executable, "-I", "-S", "-c", _WATCHER]
    watcher = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    assert watcher.stdin is not None
    atexit.register(_end, watcher)
    return watcher.stdin.fileno()


def _end(watcher: subprocess.Popen[bytes]) -> None:
    assert watcher.stdin is not None
    watcher.stdin.close()
    watcher.wait()


def spawn(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process, the leader of a group of its own."""
    watcher = _watcher()
    start = WarmProcess if is_warm(command, options.get("env") or os.environ) else subprocess.Popen
    process: subprocess.Popen[bytes] = start(command, start_new_session=True, **options)
    os.write(watcher, b"+%d\n" % process.pid)
    return process


def release(process: subprocess.Popen[bytes], within: float = 0) -> int:
    """Wait for a process to end, kill its group if it does not, and return its exit status."""
    try:
        return process.wait(within or None)
    except subprocess.TimeoutExpired:
        signal_group(process, signal.SIGKILL)
        process.wait()
        raise
    finally:
        os.write(_watcher(), b"-%d\n" % process.pid)


def signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to a process and to those of its group, if there are any left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
