"""Outages: time in which the server or its database was away is on nobody's clock."""

from __future__ import annotations

import secrets
from functools import partial

from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseThread
from zerosum.server.domain.events import now_ms


class Downtime:
    """The outages known; each heartbeat notes that this replica is up and learns of outages before."""

    def __init__(self, writer: DatabaseThread) -> None:
        self._writer = writer
        self._replica = secrets.token_hex(8)
        self._first = True
        self._last = 0
        self._outages: list[tuple[int, int]] = []

    async def beat(self) -> None:
        """Note that the server is up."""
        write = partial(queries.beat, replica=self._replica, first=self._first)
        self._last, self._outages = await self._writer.write(write)
        self._first = False

    async def learn(self) -> None:
        """Learn of an outage that has just ended, without waiting for the next heartbeat."""
        if now_ms() - self._last > queries.SILENCE_MS:
            await self.beat()

    def spent(self, since: int, now: int) -> int:
        """Return the milliseconds from `since` to `now` in which one could play."""
        away = sum(max(0, min(ended, now) - max(began, since)) for began, ended in self._outages)
        return max(0, now - since - away)
