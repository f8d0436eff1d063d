"""Planted: a table keeps every event of its match in memory."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server.runtime import tables


def plant() -> None:
    patch(tables, "_KEPT", 20_000)
