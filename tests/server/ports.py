"""A port that can be used again after a restart."""

from __future__ import annotations

import os
import random
import socket

_PORTS = range(20000, 32000)
"""Below those that systems give to outgoing connections: one of these could take the port while its server is down."""

_given: set[int] = set()
"""A server that starts, or that is down for a while, does not listen: its port looks free and is not."""


def free_port() -> int:
    """Return a port of this machine that nobody listens on, and that no other test of this run is given."""
    while True:
        port = random.SystemRandom().choice(_own())
        if port in _given:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            _given.add(port)
            return port


def _own() -> range:
    """Return the ports of this process, where several run tests at the same time."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return _PORTS[number :: int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))]
