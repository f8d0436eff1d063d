"""Many independent tasks, on the processes of this machine or on a cluster: the same rows either way.

Tasks go out in batches that take long enough to be worth the trip. A process that dies takes its batch with it: the
batch is tried again, then its tasks one by one, and a task that kills its process alone is skipped.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from zerosum.lab.batches import Batches, EngineError, Evaluate, Row, TaskBatch, run_batch

if TYPE_CHECKING:
    from zerosum.lab.cluster import OnCluster

LEAST_SECONDS: Final = 0.25
"""What a batch should take at least, on this machine."""


class MissingClusterError(EngineError):
    """The extra `cluster` is not installed."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Local:
    """Processes of this machine."""

    jobs: int = 1
    batch: float = LEAST_SECONDS
    """Seconds that a batch should take at least."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Dask cluster that already runs: the address of its scheduler."""

    address: str


Engine = Local | Cluster


def evaluate(
    job: str, tasks: Sequence[str], engine: Engine, patience: float | None = None
) -> Generator[Row, None, None]:
    """Yield the row of each task with its index, as they come; a task that takes longer than `patience` is skipped."""
    with crew(engine) as work:
        yield from work(job, tasks, patience)


@contextmanager
def crew(engine: Engine) -> Iterator[Evaluate]:
    """Give a function that evaluates tasks like `evaluate`, again and again with the same processes or connection."""
    processes: list[_Process] = []
    connections: list[OnCluster] = []

    def work(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:
        if not tasks:
            return iter(())
        if isinstance(engine, Cluster):
            if not connections:
                connections.append(_on_cluster(engine))
            return connections[0].evaluate(job, tasks, patience)
        jobs = max(1, min(engine.jobs, len(tasks)))
        processes.extend(_Process() for _ in range(jobs - len(processes)))
        return _evaluate_here(job, tasks, Local(jobs, engine.batch), patience, processes)

    try:
        yield work
    finally:
        for process in processes:
            process.stop()
        for connection in connections:
            connection.close()


def _on_cluster(engine: Cluster) -> OnCluster:
    try:
        from zerosum.lab.cluster import OnCluster  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise MissingClusterError('--scheduler needs the extra "cluster": pip install "zerosum[cluster]"') from error
    return OnCluster(engine.address)


def _evaluate_here(
    job: str, tasks: Sequence[str], engine: Local, patience: float | None, everyone: list[_Process]
) -> Iterator[Row]:
    """Yield rows; processes that die are replaced in `everyone`, and no process is left at work."""
    batches = Batches(len(tasks), engine.jobs, engine.batch)
    idle = everyone[: engine.jobs]
    busy: dict[Future[tuple[list[str], float]], tuple[_Process, TaskBatch]] = {}

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
        """End the process, whatever it is doing, and wait until nothing of it is left.

        The threads of a pool that is not waited for may end while Python exits, and spoil that.
        """
        if self._pid.done() and not self._pid.cancelled() and self._pid.exception() is None:
            with suppress(OSError):  # it has ended already
                os.kill(self._pid.result(), signal.SIGTERM)
        self.executor.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()


def _end_with(wait_for_parent: Callable[[], None]) -> None:
    wait_for_parent()
    os._exit(1)
