"""Planted: new folders are not synced, so that after a power cut they may not be there."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.base import files


def plant() -> None:
    patch(files, "sync_folder", lambda _: None)
