"""An event loop whose time passes only when nothing is left to do: hours take seconds, and the same way every time."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from contextvars import Context
from itertools import count
from typing import Any


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop. It waits for no file: whatever happens is a call that is ready, or one that is due at some time."""

    _ready: deque[asyncio.Handle]

    def __init__(self) -> None:
        self._now = 0.0
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        """A heap; of two timers that are due at the same time, the one that was set first goes first."""
        self._numbers = count()
        super().__init__()

    def time(self) -> float:
        """Return the seconds since the loop was made."""
        return self._now

    def call_at(  # type: ignore[override]  # what a timer calls is not looked at here
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call a function at a time."""
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def _run_once(self) -> None:
        """Do what is ready, and let time pass before if nothing is; the loop above does it again and again."""
        timers, ready = self._timers, self._ready
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        if not ready:
            if not timers:
                raise RuntimeError("Nothing will ever happen again.")
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle.cancelled():
                handle._run()  # as the loop above does
