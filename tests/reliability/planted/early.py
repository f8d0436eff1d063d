"""Planted: a command is acknowledged first and written a moment later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.reliability.wrapped import patch
from zerosum.server import statements
from zerosum.server.store import Store

real = Store.write
waiting: set[asyncio.Task[Any]] = set()


async def write(store: Store, do: Callable[..., Any], table_id: str = "") -> Any:
    """Answer at once; write when nobody looks."""
    if not isinstance(do, partial) or do.func is not statements.append:
        return await real(store, do, table_id)

    async def later() -> None:
        await asyncio.sleep(0.02)
        await real(store, do, table_id)

    task = asyncio.create_task(later())
    waiting.add(task)
    task.add_done_callback(waiting.discard)
    return do.keywords["event"]


def plant() -> None:
    patch(Store, "write", write)
