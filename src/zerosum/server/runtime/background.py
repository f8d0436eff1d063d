"""What the server does beside the requests: heartbeats, who is present, and the events of other replicas."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from sqlalchemy.engine import URL

from zerosum.server import limits
from zerosum.server.db.queries import CHANNEL
from zerosum.server.domain.problems import Problem
from zerosum.server.runtime.downtime import Downtime
from zerosum.server.runtime.hub import Hub
from zerosum.server.runtime.presence import Presence
from zerosum.server.runtime.table_cache import TableCache

_log = structlog.get_logger("zerosum.background")


def start_background(
    cache: TableCache, hub: Hub, presence: Presence, downtime: Downtime, url: URL
) -> list[asyncio.Task[None]]:
    """Begin all background work."""

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
    """End all background work."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _every(seconds: float, do: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(Problem):  # the database is away; it has been logged, and the next time comes
            await do()
        await asyncio.sleep(seconds)


async def _listen(cache: TableCache, url: URL) -> None:
    """Hear from other replicas that something happened. A notification is a hint: the database alone says what."""
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
