"""Two real applications on one database in memory, in a world of their own: time, chance, commits, notifications.

What is faked: time, the network, the outcome of a commit, notifications, the worker, kills, jumps of clocks. Not
simulated: uvicorn, syncing to a disk, the isolation of PostgreSQL; real kills and real databases stay for these.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, lru_cache
from random import Random
from typing import Any, Final, Self, cast

import structlog
from fastapi import FastAPI
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool
from starlette.websockets import WebSocketDisconnect

from zerosum.jobs.job_table import Job
from zerosum.server.app import make_app
from zerosum.server.db.engine import read_url
from zerosum.server.db.schema import metadata
from zerosum.server.db.writer import BatchWriter, DatabaseJob, DatabaseQueue
from zerosum.server.http.rate_limits import Budgets
from zerosum.server.runtime.runtime import Runtime
from zerosum.server.settings import Settings
from zerosum.server.worker.client import WorkerClient
from zerosum.server.world import World
from zerosum.tables.problems import Problem

# What the server logs is not a part of a history.
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
gc.set_threshold(50_000, 20, 50)  # as the server does
EPOCH: Final = 1_800_000_000.0
_URL: Final = "sqlite:////nowhere/simulated.sqlite3"
REPLICAS: Final = 2
_of: ContextVar[int] = ContextVar("replica", default=-1)
"""The replica that a task belongs to, -1 for clients."""


class Trouble:
    """What goes wrong, by dice; nothing once it is over."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.over = False
        self.deaf: set[int] = set()
        """The replicas that no notification reaches."""

    def happens(self, chance: float) -> bool:
        """Whether something goes wrong now."""
        return not self.over and self.dice.random() < chance


class _Batches(BatchWriter):
    """BatchWriter whose commit may fail, or succeed and be reported as failed."""

    trouble: Trouble

    def _transact(self, batch: Any) -> None:
        if self.trouble.happens(0.03):
            raise OperationalError("", {}, OSError("simulated"))
        super()._transact(batch)
        if self.trouble.happens(0.03):
            raise OperationalError("", {}, OSError("simulated"))

    def drop(self) -> None:
        """Keep the one connection that the database lives in."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Keep the database."""
        self.drop()


class SimulatedDatabase(DatabaseQueue):
    """Does the same batches as the real one, when its time has come."""

    def __init__(self, replica: Replica, engine: Engine) -> None:
        super().__init__(engine, None, replica.world)
        self._batches: _Batches = _Batches(engine, None, replica.world)
        self._batches.trouble = replica.trouble
        self._replica = replica
        self.dead = False
        """Whether its replica has died, and all who still ask with it."""

    async def _do(self, batch: list[DatabaseJob]) -> None:
        trouble = self._replica.trouble
        await asyncio.sleep(trouble.dice.uniform(0.3, 1.5) if trouble.happens(0.01) else 0.002)
        if not self.dead:
            self._batches.do(batch)
            for job in batch:
                if job.addition is not None and job.answer is not None and job.error is None:
                    self._replica.notify(job.addition[0], job.addition[1].version)
            await asyncio.sleep(0.001)
        if self.dead:
            for job in batch:
                job.error = Problem("unavailable")


class SimulatedWorker(WorkerClient):
    """Answers questions here and now, after a while of virtual time."""

    def __init__(self) -> None:
        super().__init__(error=Problem)

    def on_behalf_of(self, caller: str) -> Self:
        """Return itself."""
        del caller
        return self

    async def ask(self, job: Job[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Answer a question."""
        await asyncio.sleep(0.01)
        return _answer(job, json.dumps([args, kwargs]))


@lru_cache(maxsize=1_000)
def _answer(job: Job[..., Any], question: str) -> Any:
    """Answer a question once: the same is asked again and again while nothing changes in a class."""
    args, kwargs = json.loads(question)
    return job(*args, **kwargs)


@cache
def _application(number: int) -> FastAPI:
    """Return an application; making one takes long, so seeds share it, with nothing of the seed before."""
    del number
    return make_app(Settings(_URL), World())


@dataclass
class Replica:
    """One of the applications; it can be killed and started again."""

    number: int
    simulation: Simulation
    offset: float = 0.0
    """Seconds by which its wall clock is off."""
    up: bool = False
    tasks: dict[asyncio.Task[Any], None] = field(default_factory=dict)
    world: World = field(init=False)
    app: FastAPI = field(init=False)
    database: SimulatedDatabase = field(init=False)
    died: asyncio.Future[None] = field(init=False)

    @property
    def trouble(self) -> Trouble:
        """What goes wrong."""
        return self.simulation.trouble

    async def start(self) -> None:
        """Start with nothing in memory."""
        loop = asyncio.get_running_loop()
        dice = Random(f"{self.simulation.seed} {self.number} {loop.time()}")
        self.world = World(
            wall=lambda: EPOCH + loop.time() + self.offset,
            monotonic=loop.time,
            dice=dice,
            in_thread=_at_once,
        )
        self.app = _application(self.number)
        self.database = SimulatedDatabase(self, self.simulation.engine)
        state = self.app.state
        state.world, state.budgets = self.world, Budgets(loop.time)
        gate = cast("dict[str, Any]", self.app.user_middleware[0].kwargs)
        gate |= {"budgets": state.budgets, "clock": loop.time}
        self.app.middleware_stack = None
        _of.set(self.number)
        runtime = Runtime(read_url(_URL), world=self.world, writer=self.database, worker=SimulatedWorker())
        state.runtime = runtime
        await runtime.start()
        self.died = loop.create_future()
        self.up = True

    def kill(self) -> None:
        """End as a crash does: what is under way is gone, what is committed stays."""
        self.up = False
        self.died.set_result(None)
        for task in list(self.tasks):
            task.cancel()
        self.database.dead = True

    def notify(self, stream_id: str, version: int) -> None:
        """Have the other replicas hinted at an event, unless the notification gets lost."""
        for other in self.simulation.replicas:
            if other is not self and other.number not in self.trouble.deaf and not self.trouble.happens(0.2):
                delay = self.trouble.dice.uniform(0.0, 0.05)
                asyncio.get_running_loop().call_later(delay, other.hinted, stream_id, version)

    def hinted(self, stream_id: str, version: int) -> None:
        """Take a hint."""
        if self.up:
            self.run(self._hint, stream_id, version)

    async def _hint(self, stream_id: str, version: int) -> None:
        with suppress(Problem):
            await self.app.state.runtime.hint(stream_id, version)

    def run(self, work: Callable[..., Any], *args: Any) -> asyncio.Task[Any]:
        """Do work as a task of this replica."""

        async def whole() -> Any:
            _of.set(self.number)
            return await work(*args)

        token = _of.set(self.number)
        try:
            return asyncio.get_running_loop().create_task(whole())
        finally:
            _of.reset(token)


async def _at_once(function: Callable[..., Any], *args: Any) -> Any:
    await asyncio.sleep(0.001)
    return function(*args)


class Simulation:
    """Both replicas, their database, and everything that went wrong inside."""

    def __init__(self, seed: object) -> None:
        self.seed = seed
        self.dice = Random(f"{seed} clients")
        self.trouble = Trouble(Random(f"{seed} trouble"))
        self.engine = _database()
        self.replicas = [Replica(number, self) for number in range(REPLICAS)]
        self.errors: list[str] = []
        loop = asyncio.get_running_loop()
        loop.set_task_factory(self._task)
        loop.set_exception_handler(self._noted)

    def _task(self, loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(work, loop=loop, **more)
        number = _of.get()
        if number >= 0:
            self.replicas[number].tasks[task] = None
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        for replica in self.replicas:
            replica.tasks.pop(task, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, Problem | WebSocketDisconnect):
            self.errors.append(f"a task failed: {error!r}")

    def _noted(self, _: object, context: dict[str, Any]) -> None:
        if "exception" in context and not isinstance(context["exception"], Problem):
            self.errors.append(f"{context['message']}: {context['exception']!r}")

    async def start(self) -> None:
        """Start both."""
        for replica in self.replicas:
            await replica.run(replica.start)


@cache
def _engine() -> Engine:
    """Return the engine of all seeds: it compiles each statement once."""
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    metadata.create_all(engine)
    empty = engine.raw_connection().driver_connection
    assert isinstance(empty, sqlite3.Connection)

    def on_connect(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None
        empty.backup(connection)

    def begin(connection: Any) -> None:
        connection.execute("BEGIN")

    event.listen(engine, "connect", on_connect)
    # A listener would take time at every statement.
    engine.dialect.do_begin = begin  # type: ignore[assignment, method-assign]
    return engine


def _database() -> Engine:
    """Return an engine whose only connection is to a new database with empty tables."""
    engine = _engine()
    engine.dispose(close=False)
    return engine
