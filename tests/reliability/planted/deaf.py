"""Planted: told to stop, the server ends at once, whatever is under way."""

from __future__ import annotations

import os

from tests.reliability.wrapped import patch
from zerosum.server import serve


def on_signal(*_: object) -> None:
    """End."""
    os._exit(0)


def plant() -> None:
    patch(serve, "_on_signal", on_signal)
