"""Planted: every question during the rest after a failure begins that rest anew."""

from __future__ import annotations

import time

from sqlalchemy import Connection

from tests.reliability.wrapped import patch
from zerosum.server import store
from zerosum.server.store import Store

real = Store._connected


def connected(self: Store) -> Connection:
    """Rest on."""
    try:
        return real(self)
    except store._RestingError:
        self._down_until = time.monotonic() + store._PAUSE
        raise


def plant() -> None:
    patch(store, "_LONG", 0)
    patch(Store, "_connected", connected)
