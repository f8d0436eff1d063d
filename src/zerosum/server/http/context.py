"""What the routes, for programs and for pages, share: the tables, who thinks, and how often one may ask."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from zerosum.match.setup import Person
from zerosum.rules.schema import rules_to_dict
from zerosum.server import limits, metrics
from zerosum.server.domain.commands import Command
from zerosum.server.domain.keys import Key
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table
from zerosum.server.domain.view import event_document
from zerosum.server.http.middleware import address
from zerosum.server.http.rates import Rates
from zerosum.server.runtime.loaded_table import CommandResult, LoadedTable
from zerosum.server.runtime.registry import TableRegistry
from zerosum.server.runtime.seats import Seating
from zerosum.server.runtime.worker import ServerWorker

RATES: Final = {
    "requests": limits.REQUESTS,
    "tables": limits.TABLES,
    "secrets": limits.SECRETS,
    "thoughts": limits.THOUGHTS,
}


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The server, as one request sees it."""

    tables: TableRegistry
    seating: Seating
    worker: ServerWorker
    rates: dict[str, Rates]
    address: str

    def count(self, what: str, times: int = 1) -> None:
        """Count something that one may not do too often, for so many times as it is work."""
        self.rates[what].check(self.address, times)

    def too_many(self, what: str) -> bool:
        """Count something likewise; whether it was too often."""
        try:
            self.count(what)
        except Problem:
            return True
        return False

    async def seats(self, table_id: str, key: Key | None) -> frozenset[Person]:
        """Return the seats that a key holds at a table that there is."""
        if self.tables.in_memory(table_id) is None:
            await self.tables.fresh(table_id)
        return await self.seating.held(table_id, key)

    async def command(self, table_id: str, held: frozenset[Person], name: str, command: Command) -> CommandResult:
        """Carry a command out, and count it."""
        began, result = time.perf_counter(), "error"
        try:
            answer = await self.tables.run(table_id, held, name, command)
            result = "repeated" if answer.repeated else "done"
        except Problem as problem:
            result = problem.code
            raise
        finally:
            metrics.commanded(name, result, time.perf_counter() - began)
        return answer

    async def own_table(self, table_id: str, key: Key) -> LoadedTable:
        """Return a table at which the caller sits."""
        loaded = await self.tables.fresh(table_id)
        if not await self.seating.held(table_id, key):
            raise Problem("not-your-seat", "You are a spectator at this table.")
        return loaded

    async def values(self, table: Table) -> list[dict[str, object]]:
        """Say what each move is worth."""
        self._coach(table)
        return await self.worker.values(rules_to_dict(table.setup.rules), str(table.match.position))

    async def hint(self, table: Table, step: int) -> list[str]:
        """Give one step of a hint."""
        self._coach(table)
        return await self.worker.hint(rules_to_dict(table.setup.rules), str(table.match.position), step)

    def _coach(self, table: Table) -> None:
        coached(table)
        if table.match.outcome is not None:
            raise Problem("not-now", "The match is over; look at its review.")
        self.count("thoughts")

    @staticmethod
    def events(loaded: LoadedTable, since: int) -> dict[str, object]:
        """Return what happened after a version, at most so much as is told at once."""
        told = zip(loaded.events, loaded.said, strict=True)
        missed = [event_document(event, said) for event, said in told if event.version > since]
        return {"version": loaded.table.version, "events": missed[: limits.PAGE_EVENTS]}


def request_context(request: HTTPConnection) -> RequestContext:
    """Return the server as a request sees it."""
    state = request.app.state
    return RequestContext(state.tables, state.seating, state.worker, state.rates, address(request.scope))


def coached(table: Table) -> None:
    """Refuse to help one of two people who play each other online."""
    if table.online and table.match.outcome is None:
        raise Problem("no-coaching", "Two people are playing; the coach is there again when the match is over.")


def recorded(loaded: LoadedTable, number: int) -> str:
    """Return the record of one of the matches at a table."""
    if not 1 <= number <= loaded.table.number:
        raise Problem("no-such-match", f"There are {loaded.table.number} matches at this table.")
    return loaded.table.all_matches()[number - 1]
