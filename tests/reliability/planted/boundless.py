"""Planted: no table ever leaves memory."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server.runtime.table_cache import TableCache


def plant() -> None:
    patch(TableCache, "_evict", lambda *_: None)
