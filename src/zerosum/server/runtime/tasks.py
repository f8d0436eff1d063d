"""Work beside the requests: each piece has a name and runs once at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import structlog

_log = structlog.get_logger("zerosum.tasks")


class NamedTasks:
    """Running tasks by name. A failure is logged; whatever was to be done is done at the next occasion."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, name: str, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Start a task, unless one of that name is running."""
        if name in self._tasks:
            return
        task = asyncio.get_running_loop().create_task(work())
        self._tasks[name] = task
        task.add_done_callback(lambda done: self._finished(name, done))

    def _finished(self, name: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(name, None)
        if not task.cancelled() and task.exception() is not None:
            _log.warning("task put off", task=name.partition(" ")[0], error=repr(task.exception())[:200])

    async def close(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
