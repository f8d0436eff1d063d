"""Planted: a table keeps every event of its match in memory."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server.runtime import table_cache


def plant() -> None:
    patch(table_cache, "_KEPT", 20_000)
