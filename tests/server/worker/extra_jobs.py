"""Jobs of a room above the worker, which take as long as a test wants; see `held` in `asking.py` beside this file."""

from __future__ import annotations

import os
import time
from pathlib import Path

from zerosum.jobs.job_table import job


@job()
def echo(word: str) -> dict[str, object]:
    """Give a word back, and say which process did."""
    return {"word": word, "pid": os.getpid()}


@job()
def spin(seconds: float) -> None:
    """Work for some seconds of processor time, however long that takes."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@job()
def hold(gate: str) -> None:
    """Note beside a gate which process has begun, and end once the gate is there."""
    Path(f"{gate}.begun").write_text(str(os.getpid()))
    while not Path(gate).exists():
        time.sleep(0.005)
