"""An event loop whose time passes only when nothing is left to do: hours take seconds, and the same way every time."""

from __future__ import annotations

import asyncio
import heapq
import selectors
from collections.abc import Callable
from contextvars import Context
from itertools import count
from typing import Any


class _Timer(asyncio.TimerHandle):
    """A timer; of two that are due at the same time, the one that was set first goes first."""

    def __init__(self, number: int, *given: Any) -> None:
        super().__init__(*given)
        self._order = (self.when(), number)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, _Timer):
            return NotImplemented
        return self._order < other._order


class _Selector(selectors.SelectSelector):
    """Waits for nothing: it lets time pass instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("Nothing will ever happen again.")
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop."""

    def __init__(self) -> None:
        self._own = _Selector()
        self._timers = count()
        super().__init__(self._own)

    def time(self) -> float:
        """Return the seconds since the loop was made."""
        return self._own.now

    def call_at(  # type: ignore[override]  # what a timer calls is not looked at here
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call a function at a time."""
        timer = _Timer(next(self._timers), when, callback, args, self, context)
        heapq.heappush(self._scheduled, timer)  # type: ignore[attr-defined]  # as the loop above does
        timer._scheduled = True  # type: ignore[attr-defined]
        return timer
