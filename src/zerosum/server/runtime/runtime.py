"""All parts of a running server: built when it starts, closed in order when it stops.

Beside the requests it writes heartbeats, notes who is present, and reads the events of other replicas.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import structlog
from sqlalchemy.engine import URL

from zerosum.server import limits
from zerosum.server.db.engine import open_database
from zerosum.server.db.queries import CHANNEL
from zerosum.server.db.writer import DatabaseThread
from zerosum.server.domain.problems import Problem
from zerosum.server.runtime.clocks import Clocks, Downtime, NamedTasks
from zerosum.server.runtime.command_runner import CommandRunner
from zerosum.server.runtime.computer_turns import ComputerTurns
from zerosum.server.runtime.hub import Hub, Presence
from zerosum.server.runtime.seating import Seats
from zerosum.server.runtime.table_cache import TableCache
from zerosum.server.worker import lab_jobs
from zerosum.server.worker.client import MODULES, WorkerClient

_log = structlog.get_logger("zerosum.background")


def start_background(
    cache: TableCache, hub: Hub, presence: Presence, downtime: Downtime, url: URL
) -> list[asyncio.Task[None]]:
    """Start all background work."""

    async def poll() -> None:
        await cache.poll(hub.tables())

    work = [
        _every(limits.HEARTBEAT_SECONDS, downtime.beat),
        _every(limits.SEEN_SECONDS, presence.note_all),
        _every(limits.POLL_SECONDS, poll),
    ]
    if url.get_backend_name() == "postgresql":
        work.append(_listen(cache, url))
    return [asyncio.create_task(one) for one in work]


async def stop_background(tasks: list[asyncio.Task[None]]) -> None:
    """Stop all background work."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _every(seconds: float, do: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(Problem):  # the database is away; it has been logged, and the next time comes
            await do()
        await asyncio.sleep(seconds)


async def _listen(cache: TableCache, url: URL) -> None:
    """Listen for events of other replicas. A notification is only a hint: the database says what happened."""
    import psycopg  # noqa: PLC0415 - a server with a database in a file does not need it

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True, connect_timeout=5)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for notification in connection.notifies():
                    table_id, _, version = notification.payload.partition(":")
                    with suppress(Problem, ValueError):
                        await cache.hint(table_id, int(version))
        except (psycopg.Error, OSError) as error:
            _log.warning("not listening for notifications", error=type(error).__name__)
        await asyncio.sleep(limits.POLL_SECONDS)


_SERVICE_RESTART: Final = 1012


class Runtime:
    """What all requests share."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._tasks = NamedTasks()
        self._background: list[asyncio.Task[None]] = []
        self.writer = DatabaseThread(open_database(url))
        self.worker = WorkerClient(modules=(*MODULES, lab_jobs.__name__), error=Problem)
        self.hub = Hub()
        self.cache = TableCache(self.writer, self.hub.publish, self.hub.watched)
        self.presence = Presence(self.writer)
        self.downtime = Downtime(self.writer)
        self.clocks = Clocks(self.cache, self._tasks, self.presence, self.downtime)
        ComputerTurns(self.cache, self._tasks, self.clocks, self.worker)
        self.commands = CommandRunner(self.cache, self.clocks)
        self.seats = Seats(self.writer, self.cache, self.worker)

    async def start(self) -> None:
        """Start the work beside the requests."""
        with suppress(Problem):  # the database has gone away since; it is tried again, and /readyz says so
            await self.downtime.beat()
        self._background = start_background(self.cache, self.hub, self.presence, self.downtime, self._url)

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
        await stop_background(self._background)
        self.cache.close()
        await self._tasks.close()
        await self.worker.close()
        await self.writer.close()
