"""What the server does beside answering: heartbeats, notes of who is there, and looking for other replicas' events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from sqlalchemy.engine import URL

from zerosum.server import limits
from zerosum.server.db.queries import CHANNEL
from zerosum.server.domain.problems import Problem
from zerosum.server.runtime.hub import Hub
from zerosum.server.runtime.registry import TableRegistry

_log = structlog.get_logger("zerosum.chores")


def begin(tables: TableRegistry, hub: Hub, url: URL) -> list[asyncio.Task[None]]:
    """Begin all chores."""

    async def look() -> None:
        await tables.look(hub.tables())

    chores = [
        _every(limits.HEARTBEAT_SECONDS, tables.downtime.beat),
        _every(limits.SEEN_SECONDS, tables.presence.note_all),
        _every(limits.POLL_SECONDS, look),
    ]
    if url.get_backend_name() == "postgresql":
        chores.append(_listen(tables, url))
    return [asyncio.create_task(chore) for chore in chores]


async def end(chores: list[asyncio.Task[None]]) -> None:
    """End all chores."""
    for chore in chores:
        chore.cancel()
    await asyncio.gather(*chores, return_exceptions=True)


async def _every(seconds: float, do: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(Problem):  # the store is away; it has been logged, and the next time comes
            await do()
        await asyncio.sleep(seconds)


async def _listen(tables: TableRegistry, url: URL) -> None:
    """Hear from other replicas that something happened. Each word is a hint: the store alone says what."""
    import psycopg  # noqa: PLC0415 - a server with a database in a file does not need it

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True, connect_timeout=5)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for word in connection.notifies():
                    table_id, _, version = word.payload.partition(":")
                    with suppress(Problem, ValueError):
                        await tables.hear(table_id, int(version))
        except (psycopg.Error, OSError) as error:
            _log.warning("not listening", error=type(error).__name__)
        await asyncio.sleep(limits.POLL_SECONDS)
