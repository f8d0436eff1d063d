"""Planted: a journal that takes no notice of what it could not write or sync."""

from __future__ import annotations

import contextlib

from tests.reliability.wrapped import patch
from zerosum.base import files
from zerosum.match import journal


def append_synced(file: int, data: bytes | bytearray) -> None:
    """Hope for the best."""
    with contextlib.suppress(OSError):
        files.append_synced(file, data)


def plant() -> None:
    patch(journal, "append_synced", append_synced)
