"""The database thread: it does all reads and writes, and commits all writes that wait in one transaction.

While the disk syncs one batch, the next collects. Many moves share one sync, and each is on the disk before it is
acknowledged. A batch that fails is repeated job by job, so that one bad job does not fail the others. Reads come after
the writes that wait, a few at a time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.engine import DatabaseError
from zerosum.server.db.queries import Addition, E
from zerosum.server.world import REAL, World
from zerosum.tables.problems import Problem

T = TypeVar("T")
_LONG: Final = 0.1
"""Seconds from which a failure counts as slow."""
_PAUSE: Final = 0.5
"""Seconds without a new attempt after a slow failure, so that the jobs in the queue fail fast."""
_READS: Final = 32
"""Reads that are done before writes are looked for again."""
_AWAY: Final = (SQLAlchemyError, OSError, DatabaseError)
"""What a database raises that is away, or that cannot be trusted any more."""
_UNAVAILABLE: Final = "The database cannot be reached. Send the same again: it happens once at most."
_log = structlog.get_logger("zerosum.database")


class _RestingError(Exception):
    """The database failed a moment ago and is not tried again yet."""


@dataclass(slots=True, eq=False)
class DatabaseJob:
    """A function of a connection, and what has become of it."""

    do: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    writes: bool = True
    stream_id: str = ""
    addition: Addition | None = None
    """The event that it appends, if it does nothing else."""
    answer: Any = None
    error: BaseException | None = None


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

    def do(self, batch: list[DatabaseJob]) -> None:
        """Do a batch in one transaction or, if that fails, each job in its own."""
        # Replicas that lock tables in the same order wait for each other, but cannot deadlock.
        batch.sort(key=lambda job: job.stream_id)
        self.batches += 1
        try:
            if not self._committed(batch):
                for job in batch:
                    if not self._committed([job], alone=True):
                        job.error = Problem("unavailable", _UNAVAILABLE)
        except Exception as error:  # noqa: BLE001 - raised to the callers, who must not wait forever
            for job in batch:
                job.error = error

    def _committed(self, batch: Sequence[DatabaseJob], *, alone: bool = False) -> bool:
        """Do jobs in one transaction; whether it was committed. One that is done alone is not tried again."""
        began = self._world.monotonic()
        try:
            self._transact(batch)
        except _RestingError:
            return False
        except _AWAY as error:
            why = type(error).__name__
            if not alone:
                _log.warning("batch failed", jobs=len(batch), error=why)
                return False
            if isinstance(error, OperationalError | InterfaceError | OSError | DatabaseError):
                self.writable = self.writable and not batch[0].writes
                if self._world.monotonic() - began > _LONG or isinstance(error, DatabaseError):
                    self._down_until = self._world.monotonic() + _PAUSE
            _log.error("database unavailable", error=why, cause=str(getattr(error, "orig", error))[:200])
            return False
        return True

    def _transact(self, batch: Sequence[DatabaseJob]) -> None:
        try:
            connection = self._connected()
            writes = connection.info["writes"] = any(job.writes for job in batch)
            with connection.begin():
                _do_all(batch, connection)
        except _AWAY:
            self.drop()
            raise
        self.writable = self.writable or writes

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


class DatabaseQueue:
    """Jobs for the database, done in a thread; `write` returns when the change is committed and synced."""

    def __init__(self, engine: Engine, check: Callable[[Connection], None] | None = None, world: World = REAL) -> None:
        self._batches = BatchWriter(engine, check, world)
        self._thread = world.start_thread("database")
        self._loop = asyncio.get_running_loop()
        self._writes: deque[DatabaseJob] = deque()
        self._reads: deque[DatabaseJob] = deque()
        self._working: asyncio.Task[None] | None = None

    @property
    def batches(self) -> int:
        """How many transactions were tried."""
        return self._batches.batches

    @property
    def writable(self) -> bool:
        """Whether the last write succeeded; every heartbeat is one."""
        return self._batches.writable

    def write(self, do: Callable[[Connection], T], stream_id: str = "") -> asyncio.Future[T]:
        """Run a function that writes; its changes are on the disk when this is done."""
        return self._put(DatabaseJob(do, self._loop.create_future(), stream_id=stream_id), self._writes)

    def append(self, stream_id: str, event: E) -> asyncio.Future[E | None]:
        """Insert an event unless its version is taken; return it as stored, by this or an earlier try, else None."""
        do = partial(queries.append, stream_id=stream_id, event=event)
        job = DatabaseJob(do, self._loop.create_future(), stream_id=stream_id, addition=(stream_id, event))
        return self._put(job, self._writes)

    def read(self, do: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Run a function that reads."""
        return self._put(DatabaseJob(do, self._loop.create_future(), writes=False), self._reads)

    def _put(self, job: DatabaseJob, waiting: deque[DatabaseJob]) -> asyncio.Future[Any]:
        if len(self._writes) + len(self._reads) >= limits.DATABASE_QUEUE:
            raise Problem("unavailable", "Too many jobs wait for the database. Send the same again later.")
        waiting.append(job)
        if self._working is None:
            # In a context of its own: it goes on for others after the request that began it.
            self._working = self._loop.create_task(self._work(), context=Context())
        return job.future

    async def _work(self) -> None:
        """Do all jobs: the writes that wait together, then a few reads, and again."""
        while self._writes or self._reads:
            for jobs, most in ((self._writes, limits.APPEND_BATCH), (self._reads, _READS)):
                batch = [jobs.popleft() for _ in range(min(most, len(jobs)))]
                if batch:
                    await self._do(batch)
                    _resolve(batch)
        self._working = None

    async def _do(self, batch: list[DatabaseJob]) -> None:
        await self._loop.run_in_executor(self._thread, self._batches.do, batch)

    async def close(self) -> None:
        """Do the jobs in the queue, then stop."""
        if self._working is not None:
            await self._working
        await self._loop.run_in_executor(self._thread, self._batches.close)
        self._thread.shutdown(wait=False)


def _do_all(batch: Sequence[DatabaseJob], connection: Connection) -> None:
    """Do jobs: all appends in one statement, unless one of their events cannot be serialised.

    A database error fails the batch, any other only its job.
    """
    added = [job for job in batch if job.addition is not None]
    rest = [job for job in batch if job.addition is None]
    try:
        stored = queries.append_all(connection, [job.addition for job in added if job.addition]) if added else []
    except _AWAY:
        raise
    except Exception:  # noqa: BLE001 - done one by one, the job at fault gets its own error
        added, stored, rest = [], [], [*batch]
    for job, event in zip(added, stored, strict=True):
        job.answer, job.error = event, None
    for job in rest:
        try:
            job.answer, job.error = job.do(connection), None
        except _AWAY:
            raise
        except Exception as error:  # noqa: BLE001 - raised to the caller
            job.error = error


def _resolve(done: Sequence[DatabaseJob]) -> None:
    """Give each job its answer, unless its caller has gone."""
    for job in done:
        if job.future.done():
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.answer)
