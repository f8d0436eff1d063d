"""Giving up on work that takes too long, in the main thread of a process or in a thread of a cluster's worker.

A watching thread raises an exception in the thread that works, between two of its steps. It may strike anywhere, so
what follows uses no locks: one that strikes while a lock is taken would leave it taken.
"""

from __future__ import annotations

import _thread
import ctypes
from collections.abc import Callable
from time import monotonic, sleep
from typing import Final, TypeVar

_T = TypeVar("_T")
_TICK: Final = 0.05
_AGAIN: Final = 0.5
"""Seconds until work that goes on is stopped once more: an exception can be lost while objects are cleaned up."""


class OutOfPatienceError(BaseException):
    """Work took longer than allowed. No `except Exception` on the way may take it for an error of the work."""


class _InsteadError(BaseException):
    """Takes the place of an exception that must not arrive any more."""


class _Watch:
    """One piece of work, when it must be done, and how far the watching thread has come with it."""

    __slots__ = ("deadline", "done", "fired", "firing", "thread")

    def __init__(self, seconds: float) -> None:
        self.thread = _thread.get_ident()
        self.deadline = monotonic() + seconds
        self.done = self.firing = self.fired = False

    def fire(self) -> None:
        """Stop the work, if it is not done; the watching thread calls this."""
        self.firing = True
        if not self.done:
            _raise_in(self.thread, OutOfPatienceError)
            self.fired = True
        self.firing = False

    def end(self) -> None:
        """Make sure that nothing strikes any more; the thread that worked calls this, at least once."""
        self.done = True
        while self.firing:
            sleep(0)
        if self.fired:
            # The exception may be on its way although the work has just ended. One that is only taken back leaves the
            # interpreter looking for it, for ever if the thread is traced; so another takes its place, and arrives.
            try:
                _raise_in(self.thread, _InsteadError)
                while True:
                    sleep(0)
            except _InsteadError:
                pass


_watches: list[_Watch] = []
_watching: list[int] = []


def within(seconds: float | None, work: Callable[[], _T]) -> _T:
    """Return what `work` returns, or raise `OutOfPatienceError` if it takes longer; None waits for ever."""
    if seconds is None:
        return work()
    watch = _Watch(seconds)
    _watches.append(watch)
    if not _watching:
        _watching.append(_thread.start_new_thread(_keep_watch, ()))
    try:
        try:
            return work()
        finally:
            watch.end()
    except OutOfPatienceError:
        # It may have struck before the first call had done anything.
        watch.end()
        raise


def _keep_watch() -> None:
    while True:
        sleep(_TICK)
        now = monotonic()
        for watch in list(_watches):
            if watch.done:
                _watches.remove(watch)
            elif now > watch.deadline:
                watch.deadline = now + _AGAIN
                watch.fire()


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
