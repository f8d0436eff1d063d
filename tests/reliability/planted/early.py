"""Planted: a command is acknowledged first and written a moment later."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.reliability.wrapped import patch
from zerosum.server.events import Event
from zerosum.server.store import Store

real = Store.append
waiting: set[asyncio.Task[Any]] = set()


async def append(store: Store, table_id: str, event: Event) -> Event | None:
    """Answer at once; write when nobody looks."""

    async def later() -> None:
        await asyncio.sleep(0.02)
        await real(store, table_id, event)

    task = asyncio.create_task(later())
    waiting.add(task)
    task.add_done_callback(waiting.discard)
    return event


def plant() -> None:
    patch(Store, "append", append)
