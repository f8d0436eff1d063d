"""Planted: time in which nobody could play is charged like any other."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server.runtime.clocks import Downtime


def plant() -> None:
    patch(Downtime, "spent", lambda _, since, now: now - since)
