"""Jobs for tests of engines: what a worker may meet."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

from zerosum.base.errors import BadValueError


def work(task: str) -> str:
    """Do what a task says, and answer with it."""
    asked = json.loads(task)
    if "wait" in asked:
        began = time.monotonic()
        while time.monotonic() - began < asked["wait"]:
            sum(range(100))
    if "refuse" in asked:
        raise BadValueError(asked["refuse"])
    if "memory" in asked:
        raise MemoryError
    if "fill" in asked:
        held = []
        while True:
            held.append(bytearray(4 << 20))
            held[-1][::4096] = b"x" * 1024
            time.sleep(0.02)
    if "bug" in asked:
        raise RuntimeError(asked["bug"])
    if "die" in asked or ("die once" in asked and not Path(asked["die once"]).exists()):
        if "die once" in asked:
            Path(asked["die once"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return json.dumps({"n": asked["n"]})
