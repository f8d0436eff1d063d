"""Connections that wait too long for a request, or are too many at one address: they are closed.

uvicorn has no deadline for a request that never arrives whole (its issue 157), and no bound of connections.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress

import uvicorn

from zerosum.server import limits


async def end_half_requests(server: uvicorn.Server, *, per_address: bool) -> None:
    """Look at the connections of a server again and again, and have it shut down those that wait too long."""
    waiting: dict[object, tuple[object, float]] = {}
    clock = asyncio.get_running_loop().time
    while True:
        await asyncio.sleep(limits.SWEEP_SECONDS)
        now, count = clock(), Counter[str]()
        connections = [one for one in server.server_state.connections if _waits(one)]
        # Those who came first are kept.
        connections.sort(key=lambda one: waiting.get(one, (None, now))[1])
        before, waiting = waiting, {}
        for one in connections:
            answered, since = before.get(one, (None, now))
            last = getattr(one, "cycle", None)
            waiting[one] = (last, since if answered is last else now)
            client = getattr(one, "client", None)
            address = client[0] if client else ""
            count[address] += 1
            too_many = per_address and count[address] > limits.CONNECTIONS
            if too_many or now - waiting[one][1] > limits.REQUEST_SECONDS:
                with suppress(Exception):  # it has failed already
                    one.shutdown()


def _waits(connection: object) -> bool:
    """Whether a connection waits for a request to arrive whole, or for a handshake."""
    cycle = getattr(connection, "cycle", None)
    if cycle is not None:
        return bool(cycle.response_complete)
    return not getattr(connection, "handshake_complete", False)
