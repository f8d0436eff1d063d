"""Planted: told to stop, the server ends at once, whatever is under way."""

from __future__ import annotations

import os
from types import FrameType

from tests.reliability.wrapped import patch
from zerosum.server import serve


def handle_exit(_: object, number: int, frame: FrameType | None) -> None:
    """End."""
    del number, frame
    os._exit(0)


def plant() -> None:
    patch(serve._Server, "handle_exit", handle_exit)
