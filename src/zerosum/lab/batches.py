"""Tasks in batches: how many go out together, what a worker does with them, and what follows if it dies.

A task and its row are JSON texts; a job is a function from one to the other, known by name, so only text travels.
A task that is given up has a row too, `{"skipped": why}`.
"""

from __future__ import annotations

import _thread
import ctypes
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from math import ceil
from time import monotonic, perf_counter, sleep
from typing import Final, NamedTuple, TypeVar

from zerosum.base.errors import ZerosumError
from zerosum.version import __version__

_MOST_TASKS: Final = 2_000
_DIED: Final = "every process that worked on it died; it may have run out of memory"

JOBS: Final[dict[str, str]] = {"metrics": "zerosum.lab.metrics:metrics_job"}
"""The jobs that have short names; any other name is `module:function`."""
Row = tuple[int, str]
"""The index of a task, and what became of it."""
Evaluate = Callable[[str, Sequence[str], float | None], Iterator[Row]]
"""Takes a job, its tasks and how long each may take."""


class EngineError(ZerosumError):
    """Processes or a cluster that cannot do the work; what they did is not lost."""


class TaskBatch(NamedTuple):
    """Tasks that go out together, and how often a process died of them."""

    tasks: tuple[int, ...]
    deaths: int = 0

    def again(self) -> list[TaskBatch]:
        """Return what to try next: the same once more, then one by one, then nothing."""
        if not self.deaths:
            return [self._replace(deaths=1)]
        return [TaskBatch((task,)) for task in self.tasks] if len(self.tasks) > 1 else []


class Batches:
    """Cuts tasks into batches that take long enough, by how long earlier ones took."""

    def __init__(self, tasks: int, workers: int, least_seconds: float) -> None:
        self._left = deque(range(tasks))
        self._waiting: deque[TaskBatch] = deque()
        self._workers = workers
        self._least = least_seconds
        self._size = 1

    def next(self) -> TaskBatch | None:
        """Return the next batch, None if nothing is left."""
        if self._waiting:
            return self._waiting.popleft()
        # Towards the end batches become smaller, so that all workers finish at about the same time.
        share = ceil(len(self._left) / self._workers)
        tasks = tuple(self._left.popleft() for _ in range(min(self._size, share)))
        return TaskBatch(tasks) if tasks else None

    def took(self, batch: TaskBatch, seconds: float) -> None:
        """Learn from a batch that came back."""
        wanted = ceil(len(batch.tasks) * self._least / max(seconds, 1e-6))
        # A batch may have been an easy one, so sizes grow by steps.
        self._size = max(1, min(wanted, 4 * self._size, _MOST_TASKS))

    def died(self, batch: TaskBatch) -> list[Row]:
        """Plan what a process died of once more; return the rows of what is given up."""
        more = batch.again()
        self._waiting.extend(more)
        return [] if more else [(task, skipped(_DIED)) for task in batch.tasks]


def skipped(why: str) -> str:
    """Return the row of a task that was given up."""
    return json.dumps({"skipped": why}, ensure_ascii=False)


def run_batch(
    job: str, tasks: Sequence[str], patience: float | None, version: str = __version__
) -> tuple[list[str], float]:
    """Return the row of each task and the seconds that all took; this runs in the worker.

    A worker that joined a cluster later may have another version than the sender of the batch.
    """
    if version != __version__:
        raise EngineError(f"A worker has zerosum {__version__}, and this is {version}; all need the same version.")
    began = perf_counter()
    module, _, name = job.partition(":")
    function: Callable[[str], str] = getattr(import_module(module), name)
    return [_row(function, task, patience) for task in tasks], perf_counter() - began


def run_here(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:
    """Yield the row of each task with its index, computed in this process."""
    for at, task in enumerate(tasks):
        (row,), _ = run_batch(job, [task], patience)
        yield at, row


def _row(function: Callable[[str], str], task: str, patience: float | None) -> str:
    try:
        return within(patience, lambda: function(task))
    except OutOfPatienceError:
        return skipped(f"it took longer than {patience:g} s")
    except MemoryError:
        return skipped("it needs more memory than there is")
    except ZerosumError as error:
        return skipped(str(error))


# Giving up: a watching thread raises an exception in the thread that works, the main one of a process or one of a
# cluster's worker, between two of its steps. It may strike anywhere, so what follows uses no locks: one that strikes
# while a lock is taken would leave it taken.

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
