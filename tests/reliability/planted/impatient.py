"""Planted: an upgrade runs with the timeouts of a request; its statements are slow as well."""

from __future__ import annotations

from tests.reliability.planted import slow
from tests.reliability.wrapped import patch
from zerosum.server.db import engine, upgrade


def plant() -> None:
    slow.plant()
    patch(upgrade, "open_for_upgrade", engine.open_database)
