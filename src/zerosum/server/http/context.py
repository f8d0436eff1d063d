"""The server as one request sees it: it checks what a request asks for, charges its address, and does it.

The API, the live connections and the pages all use it; they differ only in how they read and answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Final, ParamSpec, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

from zerosum.base.english import count
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import Job
from zerosum.match.setup import Person
from zerosum.rules.model import rules_to_dict
from zerosum.server import limits
from zerosum.server.db.queries import TableNews
from zerosum.server.http.middleware import PAYER
from zerosum.server.http.rate_limits import Payer, events_cost
from zerosum.server.runtime.classrooms import LoadedClassroom
from zerosum.server.runtime.command_runner import CommandResult
from zerosum.server.runtime.runtime import Runtime
from zerosum.server.runtime.table_cache import LoadedTable
from zerosum.server.worker.client import WorkerClient
from zerosum.tables.classroom import DESK
from zerosum.tables.classroom_decisions import ClassroomRequest
from zerosum.tables.commands import Command
from zerosum.tables.keys import Key
from zerosum.tables.new_table import TableRequest, requested_rules
from zerosum.tables.problems import Problem
from zerosum.tables.view import EventState, event_state

_FEW_DEVICES: Final = 3
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of one address; callers take turns at the worker."""

    worker: WorkerClient
    payer: Payer

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Charge a question to the address, and return the answer of the worker."""
        free = job.free_again and self.worker.remembers(job, *args, **kwargs)
        if job.cost and not free:
            self.payer.charge("question", job.price(*args, **kwargs))
        return await self.worker.ask(job, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request: who sends it, and the parts of the server it can use."""

    runtime: Runtime
    payer: Payer

    @property
    def key(self) -> Key | None:
        """The key that it was sent with, if it has one that can be read."""
        return self.payer.key

    @property
    def address(self) -> str:
        """The address that the request comes from."""
        return self.payer.address

    @property
    def questions(self) -> Questions:
        """What can be asked about games."""
        return Questions(self.runtime.worker.on_behalf_of(self.address), self.payer)

    async def table(self, table_id: str) -> LoadedTable:
        """Return a table as the database has it now."""
        loaded = await self.runtime.cache.fresh(table_id)
        await self._check_room(loaded, self.key)
        return loaded

    async def _check_room(self, loaded: LoadedTable, key: Key | None) -> None:
        """Show a table of a room to the room alone: for everybody else there is no such table."""
        if loaded.table.room and await self.runtime.rooms.member(loaded.table.room, key) is None:
            raise Problem("no-such-table", "Check the address; there is no table with this id.")

    async def seats(self, table_id: str, key: Key | None) -> frozenset[Person]:
        """Return the seats that a key holds at a table."""
        return await self.runtime.seats.held(table_id, key)

    async def table_and_news(self, table_id: str, key: Key | None) -> tuple[LoadedTable, TableNews]:
        """Return a table as the database has it now, the seats that a key holds there, and who was seen."""
        loaded, news = await self.runtime.cache.fresh_with_news(table_id, key)
        if not news.held:
            await self._check_room(loaded, key)
        return loaded, news

    async def own_table(self, table_id: str, key: Key) -> LoadedTable:
        """Return a table at which the caller has a seat."""
        loaded, news = await self.table_and_news(table_id, key)
        if not news.held:
            raise Problem("not-your-seat", "You are a spectator at this table.")
        return loaded

    async def command(
        self, table_id: str, held: frozenset[Person], name: str, command: Command, *, may_forfeit: bool = True
    ) -> CommandResult:
        """Carry a command out for the holder of some seats."""
        if not held:
            await self.table(table_id)  # a table that does not exist is reported as such
        result = await self.runtime.commands.run(table_id, held, name, command, may_forfeit=may_forfeit)
        if result.repeated:
            self.payer.owe("repeated command")
        else:
            self.payer.give_share("player")
        return result

    async def open_table(self, key: Key, request: TableRequest) -> LoadedTable:
        """Open a table; the caller is person 1."""
        self.payer.charge("table")
        return await self.runtime.seats.create(key, request, self.address)

    async def join(self, key: Key, invitation: str, name: str) -> LoadedTable:
        """Take the seat that an invitation is for."""
        self.payer.charge("secret")
        return await self.runtime.seats.join(key, invitation, name)

    async def invited_to(self, invitation: str) -> tuple[LoadedTable, Person, bool]:
        """Return the table an invitation is for, the person who is to come, and whether it has been used."""
        self.payer.charge("secret")
        return await self.runtime.seats.invited_to(invitation)

    async def come_back(self, key: Key, code: str) -> tuple[LoadedTable, int]:
        """Take one's own seat on another device; return its table, and how many more devices can hold that seat."""
        self.payer.charge("secret")
        return await self.runtime.seats.come_back(key, code)

    async def open_room(self, key: Key, request: ClassroomRequest) -> LoadedClassroom:
        """Open a room; the key opens its desk."""
        self.payer.charge("room")
        rules = requested_rules(request.game, request.variant)
        if request.computers:
            await self.runtime.worker.on_behalf_of(self.address).ask(game_jobs.check, rules_to_dict(rules))
        loaded = await self.runtime.rooms.open(key, request)
        self.payer.give_share("desk")
        return loaded

    async def room(self, code: str) -> LoadedClassroom:
        """Return the room with a code; whoever tries many wrong ones has to wait."""
        known = self.runtime.rooms.admits(self.key, code)
        if not known:
            self.payer.charge("code")
            await asyncio.sleep(self.payer.budgets.guess_delay)
        try:
            return await self.runtime.rooms.by_code(code)
        except Problem as problem:
            if problem.code == "no-such-room" and not known:
                self.payer.budgets.note_guess(self.address)
            raise

    async def join_room(self, code: str, key: Key, name: str) -> tuple[LoadedClassroom, int]:
        """Let the caller into a room as a pupil."""
        loaded = await self.room(code)
        pupil = await self.runtime.rooms.member(loaded.room.id, key)
        if pupil is None:
            pupil = await self.runtime.rooms.join(loaded.room.id, key, name)
        return loaded, pupil

    async def room_as(self, code: str, key: Key | None) -> tuple[LoadedClassroom, int]:
        """Return a room and which pupil of it the caller is, 0 for the teacher."""
        loaded = await self.room(code)
        pupil = await self.runtime.rooms.member(loaded.room.id, key)
        if pupil is None:
            raise Problem("not-your-room", "Join the room first, with its code and a name.")
        return loaded, pupil

    async def pupil(self, code: str, key: Key) -> tuple[LoadedClassroom, int]:
        """Return a room and which pupil of it the caller is."""
        loaded, pupil = await self.room_as(code, key)
        if pupil == DESK:
            raise Problem("not-your-seat", "The desk does not play; join with another browser.")
        return loaded, pupil

    async def desk(self, code: str, key: Key) -> LoadedClassroom:
        """Return a room whose desk is the caller's."""
        loaded, pupil = await self.room_as(code, key)
        if pupil != DESK:
            raise Problem("not-your-desk", "Only the browser that opened the room, or was given its desk, can do this.")
        self.payer.give_share("desk")
        return loaded

    async def text_after(self, result: CommandResult, held: frozenset[Person]) -> str:
        """Return the state that a command made, as the holder of some seats sees it."""
        if result.loaded.table.version == result.version:
            return result.loaded.text(held)
        return await self.runtime.cache.text_at(result.loaded, held, result.version)

    async def record(self, loaded: LoadedTable, number: int) -> str:
        """Return the record of one of the matches at a table."""
        return await self.runtime.cache.record(loaded, number)

    async def events(self, loaded: LoadedTable, since: int) -> list[EventState]:
        """Return what happened after a version, at most one page of it."""
        until = min(loaded.table.version, since + limits.PAGE_EVENTS)
        self.payer.charge("events", events_cost(max(0, until - since)))
        if since >= until:
            return []
        part = await self.runtime.cache.with_events(loaded, since, until)
        return [event_state(event, words) for event, words in part.events_after(since, until)]


def request_context(connection: HTTPConnection) -> RequestContext:
    """Return the server as a request sees it."""
    return RequestContext(connection.app.state.runtime, connection.scope[PAYER])


async def _dependency(connection: HTTPConnection) -> RequestContext:
    return request_context(connection)


Context = Annotated[RequestContext, Depends(_dependency)]
"""The context as a route takes it."""


def code_warning(devices_left: int) -> str:
    """Say what the next use of a personal code ends, if there are few devices left that can hold the seat."""
    if devices_left > _FEW_DEVICES:
        return ""
    more = f"{count(devices_left, 'more device')} can" if devices_left else "No more devices can"
    return (
        f"{more} hold this seat. The next after that takes it from the device that has had it longest, whose personal "
        "code then stops working; the codes of the other devices go on working."
    )
