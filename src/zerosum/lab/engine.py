"""Many independent tasks, on the processes of this machine or on a cluster: the same rows either way.

A task and its row are JSON texts; a job is a function from one to the other, known by name, so only text travels. Tasks
go out in batches that take long enough to be worth the trip. A process that dies takes its batch with it: the batch is
tried again, then its tasks one by one, and a task that kills its process alone is skipped. A skipped task has a
row too, `{"skipped": why}`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from math import ceil
from time import perf_counter
from typing import Final, NamedTuple

from zerosum.lab.patience import OutOfPatienceError, within
from zerosum.rules.errors import ZerosumError

JOBS: Final[dict[str, str]] = {
    "metrics": "zerosum.lab.metrics:metrics_job",
    "screen": "zerosum.lab.metrics:screen_job",
}
"""The jobs that have short names; any other name is `module:function`."""
LEAST_SECONDS: Final = 0.25
"""What a batch should take at least, on this machine."""
_MOST_TASKS: Final = 2_000
_DIED: Final = "the process that worked on it died, twice; it may have run out of memory"


class EngineError(ZerosumError):
    """Processes or a cluster that cannot do the work; what they did is not lost."""


@dataclass(frozen=True, slots=True)
class Local:
    """Processes of this machine."""

    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Dask cluster that already runs: the address of its scheduler."""

    address: str


Engine = Local | Cluster
Row = tuple[int, str]
"""The index of a task, and what became of it."""
Evaluate = Callable[[str, Sequence[str], float | None], Iterator[Row]]
"""Takes a job, its tasks and how long each may take."""


class Batch(NamedTuple):
    """Tasks that go out together, and how often a process died of them."""

    tasks: tuple[int, ...]
    deaths: int = 0

    def again(self) -> list[Batch]:
        """Return what to try next: the same once more, then one by one, then nothing."""
        if not self.deaths:
            return [self._replace(deaths=1)]
        return [Batch((task,)) for task in self.tasks] if len(self.tasks) > 1 else []


class Batches:
    """Cuts tasks into batches that take long enough, by how long earlier ones took."""

    def __init__(self, tasks: int, workers: int, least_seconds: float) -> None:
        self._left = deque(range(tasks))
        self._waiting: deque[Batch] = deque()
        self._workers = workers
        self._least = least_seconds
        self._size = 1
        self._next = 0

    def next(self) -> Batch | None:
        """Return the next batch, None where nothing is left."""
        if self._waiting:
            return self._waiting.popleft()
        # Towards the end batches become smaller, so that all workers finish at about the same time.
        share = ceil(len(self._left) / self._workers)
        tasks = tuple(self._left.popleft() for _ in range(min(self._size, share)))
        return Batch(tasks) if tasks else None

    def took(self, batch: Batch, seconds: float) -> None:
        """Learn from a batch that came back."""
        wanted = ceil(len(batch.tasks) * self._least / max(seconds, 1e-6))
        # A batch may have been an easy one, so sizes grow by steps.
        self._size = max(1, min(wanted, 4 * self._size, _MOST_TASKS))

    def died(self, batch: Batch) -> list[Row]:
        """Plan what a process died of once more; return the rows of what is given up."""
        more = batch.again()
        self._waiting.extend(more)
        return [] if more else [(task, skipped(_DIED)) for task in batch.tasks]


def skipped(why: str) -> str:
    """Return the row of a task that was given up."""
    return json.dumps({"skipped": why}, ensure_ascii=False)


def evaluate(job: str, tasks: Sequence[str], engine: Engine, patience: float | None = None) -> Iterator[Row]:
    """Yield the row of each task with its index, as they come; a task that takes longer than `patience` is skipped."""
    with crew(engine) as work:
        yield from work(job, tasks, patience)


@contextmanager
def crew(engine: Engine) -> Iterator[Evaluate]:
    """Give a function that evaluates tasks like `evaluate`, again and again with the same processes."""
    processes: list[_Process] = []

    def work(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:
        if not tasks:
            return iter(())
        if isinstance(engine, Cluster):
            raise EngineError("A cluster cannot be used yet.")
        jobs = max(1, min(engine.jobs, len(tasks)))
        processes.extend(_Process() for _ in range(jobs - len(processes)))
        return _evaluate_here(JOBS.get(job, job), tasks, jobs, patience, processes)

    try:
        yield work
    finally:
        for process in processes:
            process.stop()


def run_batch(job: str, tasks: Sequence[str], patience: float | None) -> tuple[list[str], float]:
    """Return the row of each task and the seconds that all took; this runs in the worker."""
    began = perf_counter()
    module, _, name = job.partition(":")
    function: Callable[[str], str] = getattr(import_module(module), name)
    return [_row(function, task, patience) for task in tasks], perf_counter() - began


def _row(function: Callable[[str], str], task: str, patience: float | None) -> str:
    try:
        return within(patience, lambda: function(task))
    except OutOfPatienceError:
        return skipped(f"it took longer than {patience:g} s")
    except MemoryError:
        return skipped("it needs more memory than there is")
    except ZerosumError as error:
        return skipped(str(error))


def _evaluate_here(
    job: str, tasks: Sequence[str], jobs: int, patience: float | None, everyone: list[_Process]
) -> Iterator[Row]:
    """Yield rows; processes that die are replaced in `everyone`, and no process is left at work."""
    batches = Batches(len(tasks), jobs, LEAST_SECONDS)
    idle = everyone[:jobs]
    busy: dict[Future[tuple[list[str], float]], tuple[_Process, Batch]] = {}

    def send() -> None:
        while idle and (batch := batches.next()) is not None:
            process = idle.pop()
            future = process.executor.submit(run_batch, job, [tasks[at] for at in batch.tasks], patience)
            busy[future] = process, batch

    try:
        for process in idle:
            process.ready()
        send()
        while busy:
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            found: list[Row] = []
            for future in done:
                process, batch = busy.pop(future)
                try:
                    rows, seconds = future.result()
                except BrokenProcessPool:
                    everyone.remove(process)
                    process = _Process()
                    everyone.append(process)
                    process.ready()
                    found += batches.died(batch)
                else:
                    batches.took(batch, seconds)
                    found += zip(batch.tasks, rows, strict=True)
                idle.append(process)
            send()  # before anything is done with the rows
            yield from found
    finally:
        for process, _ in busy.values():
            everyone.remove(process)
            process.stop()


class _Process:
    """A pool of one process: if it dies, it is known what it died of."""

    def __init__(self) -> None:
        # A copy of this process would have locks of threads that it does not have.
        context = multiprocessing.get_context("spawn")
        self.executor = ProcessPoolExecutor(1, context, initializer=_begin)
        self._pid = self.executor.submit(os.getpid)

    def ready(self) -> None:
        """Wait until the process has started."""
        try:
            self._pid.result()
        except BrokenProcessPool as error:
            raise EngineError("A process to work in could not be started; try again with fewer --jobs.") from error

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        if self._pid.done() and not self._pid.cancelled() and self._pid.exception() is None:
            try:
                os.kill(self._pid.result(), signal.SIGTERM)
            except OSError:
                return  # it has ended already


def _begin() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()


def _end_with(wait_for_parent: Callable[[], None]) -> None:
    wait_for_parent()
    os._exit(1)
