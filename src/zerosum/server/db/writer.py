"""The database thread: it does all reads and writes, and commits all writes that wait in one transaction.

While the disk syncs one batch, the next collects. Many moves share one sync, and each is on the disk before it is
acknowledged. A batch that fails is repeated job by job, so that one bad job does not fail the others. Reads come after
the writes that wait, a few at a time.
"""

from __future__ import annotations

import asyncio
import queue
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.engine import DatabaseError
from zerosum.server.db.queries import Addition
from zerosum.server.world import REAL, World
from zerosum.tables.events import Event
from zerosum.tables.problems import Problem

T = TypeVar("T")
_LONG: Final = 0.1
"""Seconds from which a failure counts as slow."""
_PAUSE: Final = 0.5
"""Seconds without a new attempt after a slow failure, so that the jobs in the queue fail fast."""
_AWAY: Final = (SQLAlchemyError, OSError, DatabaseError)
"""What a database raises that is away, or that cannot be trusted any more."""
_READS: Final = 1
"""Reads that are done before the thread looks for writes again."""
_log = structlog.get_logger("zerosum.database")


class _RestingError(Exception):
    """The database failed a moment ago and is not tried again yet."""


@dataclass(slots=True)
class _Job:
    do: Callable[[Connection], Any]
    writes: bool
    future: asyncio.Future[Any]
    table_id: str
    addition: Addition | None = None
    """The event that it appends, if it does nothing else."""


@dataclass(slots=True)
class _Done:
    job: _Job
    answer: Any = None
    error: BaseException | None = None
    seconds: float = 0.0
    """Processor time that it took, if somebody is charged for it."""


class BatchWriter:
    """Does batches of jobs, each in one transaction."""

    def __init__(self, engine: Engine, check: Callable[[Connection], None] | None, world: World) -> None:
        self._engine = engine
        self._check = check
        """Raises if the database would lose what it commits; asked at every connection, and again every minute."""
        self._check_at = 0.0
        self._world = world
        self._connection: Connection | None = None
        self._down_until = 0.0
        self.batches = 0
        self.writable = True

    def do(self, batch: list[_Job]) -> list[_Done]:
        """Do a batch and return what became of each job."""
        try:
            return self._do(batch)
        except Exception as error:  # noqa: BLE001 - raised to the caller, who must not wait forever
            return [_Done(job, error=error) for job in batch]

    def _do(self, batch: list[_Job]) -> list[_Done]:
        """Do a batch in one transaction or, if that fails, each job in its own."""
        # Replicas that lock tables in the same order wait for each other, but cannot deadlock.
        batch.sort(key=lambda job: job.table_id)
        self.batches += 1
        try:
            return self._transact(batch)
        except _RestingError:
            pass
        except _AWAY as error:
            _log.warning("batch failed", jobs=len(batch), error=type(error).__name__)
        return [self._do_alone(job) for job in batch]

    def _do_alone(self, job: _Job) -> _Done:
        began = self._world.monotonic()
        try:
            return self._transact([job])[0]
        except _RestingError:
            pass
        except _AWAY as error:
            if isinstance(error, OperationalError | InterfaceError | OSError | DatabaseError):
                self.writable = self.writable and not job.writes
                if self._world.monotonic() - began > _LONG or isinstance(error, DatabaseError):
                    self._down_until = self._world.monotonic() + _PAUSE
            _log.error(
                "database unavailable", error=type(error).__name__, cause=str(getattr(error, "orig", error))[:200]
            )
        return _Done(
            job,
            error=Problem(
                "unavailable", "The database cannot be reached. Send the same again: it happens once at most."
            ),
        )

    def _transact(self, batch: Sequence[_Job]) -> list[_Done]:
        try:
            connection = self._connected()
            writes = connection.info["writes"] = any(job.writes for job in batch)
            with connection.begin():
                done = _do_all(batch, connection, self._world.cpu)
        except _AWAY:
            self.drop()
            raise
        self.writable = self.writable or writes
        return done

    def _connected(self) -> Connection:
        if self._connection is None:
            if self._world.monotonic() < self._down_until:
                raise _RestingError
            self._connection = self._engine.connect()
            self._check_at = 0.0
        if self._check is not None and self._world.monotonic() >= self._check_at:
            with self._connection.begin():
                self._check(self._connection)
            self._check_at = self._world.monotonic() + limits.DURABILITY_SECONDS
        return self._connection

    def drop(self) -> None:
        """Close the connection; the next job opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except _AWAY as error:
                _log.info("connection lost", error=type(error).__name__)

    def close(self) -> None:
        """Close the connection for good."""
        self.drop()
        self._engine.dispose()


class DatabaseQueue(ABC):
    """Jobs for the database; `write` returns when the change is committed and synced."""

    def __init__(self, engine: Engine, check: Callable[[Connection], None] | None = None, world: World = REAL) -> None:
        self._batches = BatchWriter(engine, check, world)
        self._loop = asyncio.get_running_loop()

    @property
    def batches(self) -> int:
        """How many transactions were tried."""
        return self._batches.batches

    @property
    def writable(self) -> bool:
        """Whether the last write succeeded; every heartbeat is one."""
        return self._batches.writable

    @abstractmethod
    def _waiting(self) -> int:
        """Return how many jobs wait."""

    @abstractmethod
    def _enqueue(self, job: _Job) -> None:
        """Have a job done."""

    @abstractmethod
    async def close(self) -> None:
        """Do the jobs in the queue, then stop."""

    def write(self, do: Callable[[Connection], T], table_id: str = "") -> asyncio.Future[T]:
        """Run a function that writes; its changes are on the disk when this is done."""
        return self._put(do, table_id, writes=True)

    def append(self, table_id: str, event: Event) -> asyncio.Future[Event | None]:
        """Insert an event unless its version is taken; return it as stored, by this or an earlier try, else None."""
        do = partial(queries.append, table_id=table_id, event=event)
        return self._put(do, table_id, writes=True, addition=(table_id, event))

    def read(self, do: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Run a function that reads."""
        return self._put(do, "", writes=False)

    def _put(
        self, do: Callable[[Connection], Any], table_id: str, *, writes: bool, addition: Addition | None = None
    ) -> asyncio.Future[Any]:
        if self._waiting() >= limits.DATABASE_QUEUE:
            raise Problem("unavailable", "Too many jobs wait for the database. Send the same again later.")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._enqueue(_Job(do, writes, future, table_id, addition))
        return future


class DatabaseThread(DatabaseQueue):
    """A thread that does the jobs, so that the event loop never waits for the disk."""

    def __init__(self, engine: Engine, check: Callable[[Connection], None] | None = None, world: World = REAL) -> None:
        super().__init__(engine, check, world)
        self._world = world
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._reads: deque[_Job] = deque()
        self._thread = world.start_thread(self._work, "database")

    async def close(self) -> None:
        """Do the jobs in the queue, then stop."""
        self._queue.put(None)
        await self._world.in_thread(self._thread.join)

    def _waiting(self) -> int:
        return self._queue.qsize() + len(self._reads)

    def _enqueue(self, job: _Job) -> None:
        self._queue.put(job)

    def _work(self) -> None:
        stopping = False
        while self._reads or not stopping:
            taken = self._taken()
            stopping = stopping or None in taken
            self._do([job for job in taken if job is not None and job.writes])
            self._reads += [job for job in taken if job is not None and not job.writes]
            self._do([self._reads.popleft() for _ in range(min(_READS, len(self._reads)))])
        self._batches.close()

    def _do(self, batch: list[_Job]) -> None:
        if batch:
            self._loop.call_soon_threadsafe(resolve, self._batches.do(batch))

    def _taken(self) -> list[_Job | None]:
        """Take what is in the queue; wait for something if no reads are left to do."""
        taken = [] if self._reads else [self._queue.get()]
        while len(taken) < limits.APPEND_BATCH:
            try:
                taken.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return taken


def _do_all(batch: Sequence[_Job], connection: Connection, cpu: Callable[[], float]) -> list[_Done]:
    """Do jobs: all appends in one statement, unless one of their events cannot be serialised."""
    adding = [(job, job.addition) for job in batch if job.addition is not None]
    try:
        stored = queries.append_all(connection, [addition for _, addition in adding]) if adding else []
    except _AWAY:
        raise
    except Exception:  # noqa: BLE001 - done one by one, the job at fault gets its own error
        return [_done(job, connection, cpu) for job in batch]
    added = [_Done(job, event) for (job, _), event in zip(adding, stored, strict=True)]
    return added + [_done(job, connection, cpu) for job in batch if job.addition is None]


def _done(job: _Job, connection: Connection, cpu: Callable[[], float]) -> _Done:
    """Do a job; a database error fails the batch, any other only this job."""
    began = cpu()
    try:
        done = _Done(job, job.do(connection))
    except _AWAY:
        raise
    except Exception as error:  # noqa: BLE001 - raised to the caller
        done = _Done(job, error=error)
    done.seconds = cpu() - began
    return done


def resolve(done: list[_Done]) -> None:
    """Give each job its answer."""
    for one in done:
        if one.job.future.done():
            continue  # the caller has gone
        if one.error is not None:
            one.job.future.set_exception(one.error)
        else:
            one.job.future.set_result(one.answer)
