"""The server as one request sees it: it checks what a request asks for, charges its address, and does it.

The API, the live connections and the pages all use it; they differ only in how they read and answer.
"""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, Final, ParamSpec, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

from zerosum.base.english import count
from zerosum.match.setup import Person
from zerosum.rules.position import Position
from zerosum.rules.rules_dict import RulesDict, rules_to_dict
from zerosum.server import limits
from zerosum.server.db.queries import TableNews
from zerosum.server.domain.commands import Command
from zerosum.server.domain.keys import Key
from zerosum.server.domain.new_table import TableRequest
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.domain.view import EventState, event_state
from zerosum.server.http.middleware import address
from zerosum.server.http.rate_limits import Budgets, events_cost
from zerosum.server.http.turns import Turns
from zerosum.server.runtime.command_runner import CommandResult
from zerosum.server.runtime.loaded_table import LoadedTable
from zerosum.server.runtime.runtime import Runtime
from zerosum.server.worker.client import WorkerClient
from zerosum.server.worker.job_table import Job

_FEW_DEVICES: Final = 3
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of one address; callers take turns at the worker."""

    worker: WorkerClient
    budgets: Budgets
    address: str

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Charge a question to the address, and return the answer of the worker."""
        free = job.free_again and self.worker.remembers(job, *args, **kwargs)
        if job.cost and not free:
            self.budgets.charge(self.address, "question", job.price(*args, **kwargs))
        return await self.worker.ask(job, *args, **kwargs)

    async def ask_paid(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer of the worker to a question that was charged before its request was read."""
        return await self.worker.ask(job, *args, **kwargs)


def rules_and_position(position: Position) -> tuple[RulesDict, str]:
    """Return the first two arguments of a question about a position."""
    return rules_to_dict(position.rules), str(position)


def check_coaching(table: Table) -> None:
    """Refuse to help one of two people who play each other online."""
    if not table.coaching:
        raise Problem("no-coaching", "Two people are playing; the coach is there again when the match is over.")


def coached_position(table: Table) -> Position:
    """Return the position of a table, if the coach may speak about it."""
    check_coaching(table)
    if table.match.outcome is not None:
        raise Problem("not-now", "The match is over; look at its review.")
    return table.match.position


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request: who sends it, and the parts of the server it can use."""

    runtime: Runtime
    budgets: Budgets
    turns: Turns
    address: str

    async def in_turn(self, work: Coroutine[Any, Any, T]) -> T:
        """Do work that can wait, one step a turn of the loop; its time is charged to the address."""
        return await self.turns.drive(self.address, self.budgets.time(self.address), work)

    @property
    def questions(self) -> Questions:
        """What can be asked about games."""
        return Questions(self.runtime.worker.on_behalf_of(self.address), self.budgets, self.address)

    async def table(self, table_id: str) -> LoadedTable:
        """Return a table as the database has it now."""
        return await self.runtime.cache.fresh(table_id)

    async def seats(self, table_id: str, key: Key | None) -> frozenset[Person]:
        """Return the seats that a key holds at a table."""
        return await self.runtime.seats.held(table_id, key)

    async def table_and_news(self, table_id: str, key: Key | None) -> tuple[LoadedTable, TableNews]:
        """Return a table as the database has it now, the seats that a key holds there, and who was seen."""
        return await self.runtime.cache.fresh_with_news(table_id, key)

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
            self.budgets.owe(self.address, "repeated command")
        return result

    async def open_table(self, key: Key, request: TableRequest) -> LoadedTable:
        """Open a table; the caller is person 1."""
        self.budgets.charge(self.address, "table")
        return await self.runtime.seats.create(key, request, self.address)

    async def join(self, key: Key, invitation: str, name: str) -> LoadedTable:
        """Take the seat that an invitation is for."""
        self.budgets.charge(self.address, "secret")
        return await self.runtime.seats.join(key, invitation, name)

    async def invited_to(self, invitation: str) -> tuple[LoadedTable, Person, bool]:
        """Return the table an invitation is for, the person who is to come, and whether it has been used."""
        self.budgets.charge(self.address, "secret")
        return await self.runtime.seats.invited_to(invitation)

    async def come_back(self, key: Key, code: str) -> tuple[LoadedTable, int]:
        """Take one's own seat on another device; return its table, and how many more devices can hold that seat."""
        self.budgets.charge(self.address, "secret")
        return await self.runtime.seats.come_back(key, code)

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
        self.budgets.charge(self.address, "events", events_cost(max(0, until - since)))
        if since >= until:
            return []
        part = await self.runtime.cache.with_events(loaded, since, until)
        return [event_state(event, words) for event, words in part.events_after(since, until)]


def request_context(connection: HTTPConnection) -> RequestContext:
    """Return the server as a request sees it."""
    state = connection.app.state
    return RequestContext(state.runtime, state.budgets, state.turns, address(connection.scope))


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
