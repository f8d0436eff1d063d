"""Planted: what is no whole move reaches the referee, who takes it for a pick."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.tables import commands


def plant() -> None:
    patch(commands, "_readable", lambda *_: None)
