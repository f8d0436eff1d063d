"""A server to which SIGTERM comes while its log holds its lock: in the middle of the line about a request."""

from __future__ import annotations

import os
import signal

from tests.reliability.wrapped import patch
from zerosum.server import serve

real = serve._StandardError.write
waiting = [True]


def write(log: serve._StandardError, text: str) -> int:
    """Be interrupted, once."""
    if waiting and '"route"' in text:
        waiting.clear()
        os.kill(os.getpid(), signal.SIGTERM)  # its handler runs before this returns
    return real(log, text)


def plant() -> None:
    patch(serve._StandardError, "write", write)
