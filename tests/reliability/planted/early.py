"""Planted: a command is acknowledged first and written a moment later."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.reliability.wrapped import patch
from zerosum.server.db.writer import DatabaseQueue
from zerosum.tables.events import Event

real = DatabaseQueue.append
waiting: set[asyncio.Task[Any]] = set()


async def append(store: DatabaseQueue, table_id: str, event: Event) -> Event | None:
    """Answer at once; write when nobody looks."""

    async def later() -> None:
        await asyncio.sleep(0.02)
        await real(store, table_id, event)

    task = asyncio.create_task(later())
    waiting.add(task)
    task.add_done_callback(waiting.discard)
    return event


def plant() -> None:
    patch(DatabaseQueue, "append", append)
