"""Planted: the handler of signals logs, on such a server."""

from __future__ import annotations

from types import FrameType

from tests.reliability.planted import struck
from tests.reliability.wrapped import patch
from zerosum.server import serve

real = serve._Server.handle_exit


def handle_exit(server: serve._Server, sig: int, frame: FrameType | None) -> None:
    """Say so first."""
    serve._log.info("stopping", signal=sig)
    real(server, sig, frame)


def plant() -> None:
    struck.plant()
    patch(serve._Server, "handle_exit", handle_exit)
