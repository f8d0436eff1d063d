"""A port that can be used again after a restart."""

from __future__ import annotations

import random
import socket

_PORTS = range(20000, 32000)
"""Below those that systems give to outgoing connections: one of these could take the port while its server is down."""


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
