"""Planted: every question during the rest after a failure begins that rest anew."""

from __future__ import annotations

import time

from sqlalchemy import Connection

from tests.reliability.wrapped import patch
from zerosum.server.db import writer
from zerosum.server.db.writer import BatchWriter

real = BatchWriter._connected


def connected(self: BatchWriter) -> Connection:
    """Rest on."""
    try:
        return real(self)
    except writer._RestingError:
        self._down_until = time.monotonic() + writer._PAUSE
        raise


def plant() -> None:
    patch(writer, "_LONG", 0)
    patch(BatchWriter, "_connected", connected)
