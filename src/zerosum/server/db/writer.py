"""The store: one thread that reads and writes, and commits whatever waits in one transaction.

While the disk syncs one batch the next gathers, so many moves share one sync and each is still on the disk before it is
acknowledged. A batch that fails is done again one by one, so that nobody's trouble becomes anybody else's.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, cast

import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.queries import Addition
from zerosum.server.domain.events import Event
from zerosum.server.domain.problems import Problem

T = TypeVar("T")
_LONG: Final = 0.1
_PAUSE: Final = 0.5
"""Seconds of rest after a failure that took long: nobody in the queue waits for the database again."""
_log = structlog.get_logger("zerosum.store")


class _RestingError(Exception):
    """The database failed a moment ago and is left alone."""


@dataclass(frozen=True, slots=True)
class _Job:
    do: Callable[[Connection], Any]
    writes: bool
    future: asyncio.Future[Any]
    table_id: str
    addition: Addition | None = None
    """What it adds, if it adds an event and does nothing else."""


@dataclass(frozen=True, slots=True)
class _Done:
    job: _Job
    answer: Any = None
    error: BaseException | None = None


class Writer:
    """The thread and its queue. `write` and `read` take functions of a connection and return once all is safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._loop = asyncio.get_running_loop()
        self._down_until = 0.0
        self.batches = 0
        self.writable = True
        """Whether the last attempt to write something went well; there is one with every heartbeat."""
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def write(self, do: Callable[[Connection], T], table_id: str = "") -> T:
        """Do something to the store; it is on the disk when this returns."""
        return cast("T", await self._put(do, table_id, writes=True))

    async def append(self, table_id: str, event: Event) -> Event | None:
        """Write an event, if its version is free; return it as it stands on the disk, by this or an earlier try."""
        do = partial(queries.append, table_id=table_id, event=event)
        return cast("Event | None", await self._put(do, table_id, writes=True, addition=(table_id, event)))

    async def read(self, do: Callable[[Connection], T]) -> T:
        """Ask the store something."""
        return cast("T", await self._put(do, "", writes=False))

    async def close(self) -> None:
        """Finish what waits, then stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _put(
        self, do: Callable[[Connection], Any], table_id: str, *, writes: bool, addition: Addition | None = None
    ) -> asyncio.Future[Any]:
        if self._queue.qsize() >= limits.DATABASE_QUEUE:
            raise Problem("unavailable", "The store has more to do than it can; try again.")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._queue.put(_Job(do, writes, future, table_id, addition))
        return future

    def _work(self) -> None:
        stopping = False
        while not stopping:
            gathered = self._gather()
            stopping = None in gathered
            batch = [job for job in gathered if job is not None]
            if batch:
                self._answer(self._do_surely(batch))
        self._drop()
        self._engine.dispose()

    def _gather(self) -> list[_Job | None]:
        gathered = [self._queue.get()]
        while len(gathered) < limits.APPEND_BATCH:
            try:
                gathered.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return gathered

    def _do_surely(self, batch: list[_Job]) -> list[_Done]:
        try:
            return self._do(batch)
        except Exception as error:  # noqa: BLE001 - handed to who asked: whatever it is, nobody waits for ever
            return [_Done(job, error=error) for job in batch]

    def _do(self, batch: list[_Job]) -> list[_Done]:
        """Do a batch in one transaction or, if that fails, each job in its own."""
        # Two replicas that write to the same tables in the same order wait for each other, but never in a circle.
        batch.sort(key=lambda job: job.table_id)
        self.batches += 1
        try:
            return self._transact(batch)
        except _RestingError:
            pass
        except (SQLAlchemyError, OSError) as error:
            _log.warning("batch failed", jobs=len(batch), error=type(error).__name__)
        return [self._do_alone(job) for job in batch]

    def _do_alone(self, job: _Job) -> _Done:
        began = time.monotonic()
        try:
            return self._transact([job])[0]
        except _RestingError:
            pass
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, OperationalError | InterfaceError | OSError):
                self.writable = self.writable and not job.writes
                if time.monotonic() - began > _LONG:
                    self._down_until = time.monotonic() + _PAUSE
            _log.error("store unavailable", error=type(error).__name__, cause=str(getattr(error, "orig", ""))[:200])
        return _Done(
            job,
            error=Problem("unavailable", "The store cannot be reached. Send the same again: it happens once at most."),
        )

    def _transact(self, batch: Sequence[_Job]) -> list[_Done]:
        try:
            connection = self._connected()
            writes = connection.info["writes"] = any(job.writes for job in batch)
            with connection.begin():
                done = _do_all(batch, connection)
        except (SQLAlchemyError, OSError):
            self._drop()
            raise
        self.writable = self.writable or writes
        return done

    def _connected(self) -> Connection:
        if self._connection is None:
            if time.monotonic() < self._down_until:
                raise _RestingError
            self._connection = self._engine.connect()
        return self._connection

    def _drop(self) -> None:
        """Close the connection; the next job opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except (SQLAlchemyError, OSError) as error:
                _log.info("connection lost", error=type(error).__name__)

    def _answer(self, done: list[_Done]) -> None:
        self._loop.call_soon_threadsafe(_resolve, done)


def _do_all(batch: Sequence[_Job], connection: Connection) -> list[_Done]:
    """Do jobs; all events that are to be added are, at once, unless one of them cannot be written down."""
    adding = [(job, job.addition) for job in batch if job.addition is not None]
    try:
        stands = queries.append_all(connection, [addition for _, addition in adding]) if adding else []
    except (SQLAlchemyError, OSError):
        raise
    except Exception:  # noqa: BLE001 - which it is shows below
        return [_done(job, connection) for job in batch]
    added = [_Done(job, event) for (job, _), event in zip(adding, stands, strict=True)]
    return added + [_done(job, connection) for job in batch if job.addition is None]


def _done(job: _Job, connection: Connection) -> _Done:
    """Do a job; an error of the database is the batch's, any other is the job's own."""
    try:
        return _Done(job, job.do(connection))
    except (SQLAlchemyError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - handed to who asked
        return _Done(job, error=error)


def _resolve(done: list[_Done]) -> None:
    for one in done:
        if one.job.future.done():
            continue  # who asked has gone
        if one.error is not None:
            one.job.future.set_exception(one.error)
        else:
            one.job.future.set_result(one.answer)
