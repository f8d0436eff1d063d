"""The same work on a Dask cluster that already runs: rules go out and rows come back, as text.

The workers must have this very zerosum, and are asked first. The store stays here. This is the only module that imports
`distributed`, of the extra `cluster`.
"""

from __future__ import annotations

import hashlib
import logging
import pydoc
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

from distributed import Client, KilledWorker, wait
from distributed.comm.core import CommClosedError

from zerosum.base.text import printable
from zerosum.lab.batches import Batches, EngineError, Row, TaskBatch, run_batch
from zerosum.version import __version__

LEAST_SECONDS: Final = 1.0
"""What a batch should take at least: sending one takes some milliseconds."""
_IN_FLIGHT: Final = 4
"""Batches that each worker has, so that none waits for us."""
_CONNECT: Final = 10
_LOOK: Final = 2.0
"""Seconds after which we look whether the cluster is still there, if nothing has come back."""
_WITHOUT_WORKERS: Final = 60.0
"""Seconds that a cluster may be without any worker: they may be starting again."""


class OnCluster:
    """A connection to a cluster whose workers have this zerosum."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = _connected(address)
        try:
            with _said(address):
                self._workers = _check_workers(self._client, address)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the cluster; what it is still computing for us is given up."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._client.close(timeout=_LOOK)  # type: ignore[no-untyped-call]

    def evaluate(self, job: str, tasks: Sequence[str], patience: float | None) -> Iterator[Row]:
        """Yield the row of each task with its index, as they come."""
        with _said(self._address):
            batches = Batches(len(tasks), self._workers, LEAST_SECONDS)
            busy: dict[Any, TaskBatch] = {}
            suspects: list[TaskBatch] = []

            def submit(batch: TaskBatch) -> None:
                texts = [tasks[at] for at in batch.tasks]
                key = _key(job, texts, patience, batch)
                busy[self._client.submit(run_batch, job, texts, patience, __version__, key=key, retries=2)] = batch

            def send() -> None:
                while len(busy) < _IN_FLIGHT * self._workers and (batch := batches.next()) is not None:
                    submit(batch)
                if not busy and suspects:
                    # Alone, so that a worker that dies dies of this.
                    submit(suspects.pop())

            send()
            while busy:
                found: list[Row] = []
                for future in _done(self._client, list(busy), self._address):
                    batch = busy.pop(future)
                    try:
                        rows, seconds = future.result()
                    except KilledWorker:
                        # Dask has tried it again already, on other workers; it may have died with a neighbour.
                        if batch.deaths:
                            found += batches.died(batch)
                        else:
                            suspects += (TaskBatch((task,), 1) for task in batch.tasks)
                    else:
                        batches.took(batch, seconds)
                        found += zip(batch.tasks, rows, strict=True)
                send()  # before anything is done with the rows
                yield from found


def _connected(address: str) -> Client:
    """Return a client of the cluster."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            # What differs besides zerosum itself does not matter: only text travels.
            warnings.simplefilter("ignore")
            return Client(address, timeout=_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise EngineError(
            f"No Dask scheduler answers at {printable(address)}; start one with `dask scheduler`, or use --jobs."
        ) from error


@contextmanager
def _said(address: str) -> Iterator[None]:
    """Turn errors of the connection into one clear line."""
    try:
        yield
    except (CancelledError, CommClosedError, OSError) as error:
        raise _gone(address) from error


def _check_workers(client: Client, address: str) -> int:
    """Return how many workers there are; refuse a cluster with none, or with another zerosum."""
    # A function of the standard library looks the name up there, so the workers need none of our code for it.
    versions = client.run(pydoc.locate, "zerosum.version.__version__")
    if not versions:
        raise EngineError(
            f"The cluster at {printable(address)} has no workers; start some with `dask worker {printable(address)}`."
        )
    for worker, version in versions.items():
        if version != __version__:
            other = "no zerosum" if version is None else f"zerosum {printable(str(version))}"
            raise EngineError(
                f"The worker {printable(worker)} has {other}, and this is zerosum {__version__}; "
                "all workers need the same version."
            )
    return len(versions)


def _done(client: Client, futures: Sequence[Any], address: str) -> Sequence[Any]:
    """Return the futures that are done, as soon as one is; raise if nothing can come any more."""
    since = monotonic()
    while True:
        try:
            with client.as_current():
                return list(wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED").done)  # type: ignore[no-untyped-call]
        except TimeoutError:
            if client.status != "running":
                raise _gone(address) from None
            if client.scheduler_info()["workers"]:
                since = monotonic()
            elif monotonic() - since > _WITHOUT_WORKERS:
                raise EngineError(
                    f"The cluster at {printable(address)} has lost all its workers. What came back is kept: "
                    "the same command goes on."
                ) from None


def _gone(address: str) -> EngineError:
    return EngineError(
        f"The Dask scheduler at {printable(address)} went away. What came back is kept: the same command goes on."
    )


def _key(job: str, tasks: Sequence[str], patience: float | None, batch: TaskBatch) -> str:
    """Return the fingerprint of a batch: what was computed for it once serves everyone who asks again."""
    parts = (__version__, job, str(patience), str(batch.deaths), *tasks)
    return f"zerosum-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:40]}"
