"""Planted: a file is not looked at before it is opened for writing."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server.db import upgrade


def plant() -> None:
    patch(upgrade, "_check_file", lambda _: None)
