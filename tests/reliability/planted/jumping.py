"""A server whose wall clock is off by as many seconds as a file says; no fault by itself, but planted like one."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.reliability.wrapped import patch
from zerosum.server.world import REAL

FILE = "ZEROSUM_CLOCK_OFFSET"
"""The variable of the environment that names the file."""


def plant() -> None:
    path = Path(os.environ[FILE])
    patch(REAL, "_wall", lambda: time.time() + float(path.read_text() or 0))
