"""All parts of a running server, put together: built when it starts, closed in order when it stops."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from sqlalchemy.engine import URL

from zerosum.server import limits
from zerosum.server.db.engine import open_database
from zerosum.server.db.writer import DatabaseThread
from zerosum.server.domain.problems import Problem
from zerosum.server.runtime import background
from zerosum.server.runtime.clocks import Clocks
from zerosum.server.runtime.command_runner import CommandRunner
from zerosum.server.runtime.computer_turns import ComputerTurns
from zerosum.server.runtime.downtime import Downtime
from zerosum.server.runtime.hub import Hub
from zerosum.server.runtime.presence import Presence
from zerosum.server.runtime.seating import Seats
from zerosum.server.runtime.table_cache import TableCache
from zerosum.server.runtime.tasks import NamedTasks
from zerosum.server.runtime.worker import ServerWorker

_SERVICE_RESTART: Final = 1012


class Runtime:
    """What all requests share."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._tasks = NamedTasks()
        self._background: list[asyncio.Task[None]] = []
        self.writer = DatabaseThread(open_database(url))
        self.worker = ServerWorker()
        self.hub = Hub()
        self.cache = TableCache(self.writer, self.hub.publish, self.hub.watched)
        self.presence = Presence(self.writer)
        self.downtime = Downtime(self.writer)
        self.clocks = Clocks(self.cache, self._tasks, self.presence, self.downtime)
        ComputerTurns(self.cache, self._tasks, self.clocks, self.worker)
        self.commands = CommandRunner(self.cache, self.clocks)
        self.seats = Seats(self.writer, self.cache, self.worker)

    async def start(self) -> None:
        """Begin what is done beside the requests."""
        with suppress(Problem):  # the database has gone away since; it is tried again, and /readyz says so
            await self.downtime.beat()
        self._background = background.start_background(self.cache, self.hub, self.presence, self.downtime, self._url)

    async def drain(self) -> None:
        """Take no more commands, let those under way be answered, and close every live connection."""
        deadline = time.monotonic() + limits.DRAIN_SECONDS
        self.commands.stopping = True
        while self.commands.under_way and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        self.hub.close_all(_SERVICE_RESTART)
        while self.hub.tables() and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Stop everything; what computers owe is played when their table is next looked at."""
        await background.stop_background(self._background)
        self.cache.close()
        await self._tasks.close()
        await self.worker.close()
        await self.writer.close()
