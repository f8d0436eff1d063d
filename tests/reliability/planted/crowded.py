"""Planted: a table that somebody looks at is forgotten when two others are asked for."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server import limits
from zerosum.server.runtime.hub import Hub


def plant() -> None:
    patch(limits, "TABLES_IN_MEMORY", 2)
    patch(Hub, "watched", lambda *_: False)
