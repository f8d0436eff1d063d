"""Planted: the handler of signals logs, on such a server."""

from __future__ import annotations

import asyncio

from tests.reliability.planted import struck
from tests.reliability.wrapped import patch
from zerosum.server import serve

real = serve._on_signal


def on_signal(loop: asyncio.AbstractEventLoop, first: asyncio.Future[int], number: int) -> None:
    """Say so first."""
    serve._log.info("stopping", signal=number)
    real(loop, first, number)


def plant() -> None:
    struck.plant()
    patch(serve, "_on_signal", on_signal)
