"""A command that is killed when its log has grown to a length, whatever the speed of the machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.patience import PATIENCE


def kill_at(lines: int, log: Path, command: Sequence[str]) -> None:
    """Start a command, and kill it when its log has so many lines, or wait for its end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        if log.exists() and log.read_bytes().count(b"\n") >= lines:
            process.kill()
        time.sleep(0.002)
    process.wait(PATIENCE)
