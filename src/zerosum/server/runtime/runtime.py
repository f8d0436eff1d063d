"""All parts of a running server: built when it starts, closed in order when it stops.

Beside the requests it takes the turns of computers as soon as they are due, writes heartbeats, notes who is present,
and reads the events of other replicas.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

import structlog
from sqlalchemy.engine import URL

from zerosum.jobs import game_jobs
from zerosum.rules.model import rules_to_dict
from zerosum.server import limits
from zerosum.server.db.engine import open_database
from zerosum.server.db.queries import CHANNEL
from zerosum.server.db.upgrade import check_durability
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.classroom_lessons import Lessons
from zerosum.server.runtime.classrooms import Classrooms
from zerosum.server.runtime.clocks import Clocks, Downtime, NamedTasks
from zerosum.server.runtime.command_runner import CommandRunner
from zerosum.server.runtime.hub import Hub, Presence
from zerosum.server.runtime.seating import Seats
from zerosum.server.runtime.table_cache import LoadedTable, TableCache, prepare_limit_verdict
from zerosum.server.worker.client import WorkerClient
from zerosum.server.world import REAL, World
from zerosum.tables.commands import computer_draft
from zerosum.tables.events import automatic_event, is_room_id
from zerosum.tables.problems import Problem

_log = structlog.get_logger("zerosum.background")


class ComputerTurns:
    """Asks the worker for the move of every computer that is to move."""

    def __init__(
        self, cache: TableCache, tasks: NamedTasks, clocks: Clocks, worker: WorkerClient, world: World
    ) -> None:
        self._world = world
        self._cache = cache
        self._tasks = tasks
        self._clocks = clocks
        self._worker = worker
        cache.listen(self.start)

    def start(self, loaded: LoadedTable) -> None:
        """Take the turn of a computer that is to move, unless that is under way."""
        if loaded.table.computer_to_move:
            self._tasks.start(f"computer {loaded.table.id}", partial(self._play, loaded))

    async def _play(self, loaded: LoadedTable) -> None:
        while loaded.table.computer_to_move:
            table, match = loaded.table, loaded.table.match
            who, rules = table.setup.who[match.to_move - 1], rules_to_dict(table.setup.rules)
            move = await self._worker.ask(game_jobs.choose, rules, who, str(match.position), match.seed)
            await prepare_limit_verdict(match, self._world)
            if table is not loaded.table:
                continue
            moment = await self._clocks.moment(table)
            draft = computer_draft(table, move, moment)
            event = automatic_event(table.version + 1, moment.now, draft.kind, match.to_move, draft.data)
            written = await self._cache.append(loaded, event, draft.played)
            if not written and loaded.table is table:
                # Nobody else has moved on, so the same event would be refused forever.
                _log.error("computer's move refused at an unchanged version", version=table.version)
                return


def start_background(runtime: Runtime, url: URL) -> list[asyncio.Task[None]]:
    """Start all background work."""
    rooms = runtime.rooms

    async def poll() -> None:
        await runtime.cache.poll([*runtime.hub.tables(), *rooms.on_walls()])
        await rooms.poll(rooms.followed())

    work = [
        _every(limits.HEARTBEAT_SECONDS, runtime.downtime.beat),
        _every(limits.SEEN_SECONDS, runtime.presence.note_all),
        _every(limits.POLL_SECONDS, poll),
        _every(limits.PAIR_SECONDS, runtime.lessons.tick),
        _every(_HOUR, rooms.delete_old),
        _once(rooms.resume),
    ]
    if url.get_backend_name() == "postgresql":
        work.append(_listen(runtime, url))
    return [asyncio.create_task(one) for one in work]


async def _every(seconds: float, do: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(Problem):  # the database is away; it has been logged, and the next time comes
            await do()
        await asyncio.sleep(seconds)


async def _once(do: Callable[[], Awaitable[None]]) -> None:
    with suppress(Problem):
        await do()


async def _listen(runtime: Runtime, url: URL) -> None:
    """Listen for events of other replicas. A notification is only a hint: the database says what happened."""
    import psycopg  # noqa: PLC0415 - a server with a database in a file does not need it

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True, connect_timeout=5)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                async for notification in connection.notifies():
                    stream_id, _, version = notification.payload.partition(":")
                    with suppress(Problem, ValueError):
                        await runtime.hint(stream_id, int(version))
        except (psycopg.Error, OSError) as error:
            _log.warning("not listening for notifications", error=type(error).__name__)
        await asyncio.sleep(limits.POLL_SECONDS)


_SERVICE_RESTART: Final = 1012
_HOUR: Final = 3_600


class Runtime:
    """What all requests share."""

    def __init__(
        self,
        url: URL,
        *,
        trusted: bool = False,
        world: World = REAL,
        writer: DatabaseQueue | None = None,
        worker: WorkerClient | None = None,
    ) -> None:
        self._url = url
        self.world = world
        self._tasks = NamedTasks()
        self._background: list[asyncio.Task[None]] = []
        asks = url.get_backend_name() == "postgresql" and not trusted
        self.writer = writer or DatabaseQueue(open_database(url), check_durability if asks else None, world)
        self.worker = worker or WorkerClient(error=Problem)
        self.hub = Hub()
        self.cache = TableCache(self.writer, self.hub.publish, self.hub.watched, world)
        self.presence = Presence(self.writer, world)
        self.downtime = Downtime(self.writer, world)
        self.clocks = Clocks(self.cache, self._tasks, self.presence, self.downtime, world)
        ComputerTurns(self.cache, self._tasks, self.clocks, self.worker, world)
        self.rooms = Classrooms(self.writer, self.cache, self.hub, self.presence, world)
        self.lessons = Lessons(self.rooms, self.cache, self.worker, self._tasks, world)
        self.clocks.paused = self.rooms.paused
        self.commands = CommandRunner(self.cache, self.clocks, world, self.rooms.check_table)
        self.seats = Seats(self.writer, self.cache, self.worker, world)

    async def start(self) -> None:
        """Start the work beside the requests."""
        with suppress(Problem):  # the database has gone away since; it is tried again, and /readyz says so
            await self.downtime.beat()
        self._background = start_background(self, self._url)

    async def hint(self, stream_id: str, version: int) -> None:
        """Take a hint that a table or a room may have reached a version, or was deleted."""
        await (self.rooms if is_room_id(stream_id) else self.cache).hint(stream_id, version)

    async def drain(self) -> None:
        """Take no more commands, let those under way be answered, and close every live connection."""
        deadline = self.world.monotonic() + limits.DRAIN_SECONDS
        self.commands.stopping = True
        while self.commands.under_way and self.world.monotonic() < deadline:
            await asyncio.sleep(0.02)
        self.hub.close_all(_SERVICE_RESTART)
        while self.hub.tables() and self.world.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Stop everything; what computers owe is played when their table is next looked at."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        self.cache.close()
        await self._tasks.close()
        await self.worker.close()
        await self.writer.close()
