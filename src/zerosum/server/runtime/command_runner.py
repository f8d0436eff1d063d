"""How a command is carried out, whichever way it came: once, written before it is answered, safe to send again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from zerosum.match.setup import Person
from zerosum.server import prometheus
from zerosum.server.runtime.clocks import Clocks
from zerosum.server.runtime.table_cache import LoadedTable, TableCache, command_text, prepare_limit_verdict
from zerosum.server.world import World
from zerosum.tables.commands import COMMANDS, Command, UnconfirmedForfeit, sender_of
from zerosum.tables.events import Event
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table


class CommandResult(NamedTuple):
    """A command that was carried out: at which table, the version of its event, and whether it was sent before."""

    loaded: LoadedTable
    version: int
    repeated: bool = False


class CommandRunner:
    """Carries commands out, until the server stops."""

    def __init__(
        self, cache: TableCache, clocks: Clocks, world: World, check_room: Callable[[Table], Awaitable[None]]
    ) -> None:
        self._world = world
        self._cache = cache
        self._check_room = check_room
        """Refuses a command that the room of a table does not allow now."""
        self._clocks = clocks
        self.under_way = 0
        """Commands that wait for their answer."""
        self.stopping = False

    async def run(
        self, table_id: str, held: frozenset[Person], name: str, command: Command, *, may_forfeit: bool = True
    ) -> CommandResult:
        """Carry a command out once: sent again, it has its first result again."""
        if self.stopping:
            raise Problem("stopping", "The server is stopping; send the same again when it is back.")
        began, became = self._world.monotonic(), "error"
        self.under_way += 1
        try:
            result = await self._run(table_id, held, name, command, may_forfeit=may_forfeit)
            became = "repeated" if result.repeated else "done"
        except Problem as problem:
            became = problem.code
            raise
        finally:
            self.under_way -= 1
            prometheus.count_command(name, became, self._world.monotonic() - began)
        return result

    async def _run(
        self, table_id: str, held: frozenset[Person], name: str, command: Command, *, may_forfeit: bool
    ) -> CommandResult:
        loaded = await self._cache.loaded(table_id)
        if command.version != loaded.table.version:
            loaded = await self._cache.fresh(table_id)
        if command.version != loaded.table.version:
            version = await self._cache.sent_before(loaded, held, name, command)
        else:
            version = loaded.sent_before(held, name, command)  # an older one would be refused by the database
        if version is not None:
            return CommandResult(loaded, version, repeated=True)
        await prepare_limit_verdict(loaded.table.match, self._world)
        person = sender_of(loaded.table, held, command)
        if loaded.table.room:
            await self._check_room(loaded.table)
        if command.version != loaded.table.version:
            raise _stale(loaded, held)
        moment = await self._clocks.moment(loaded.table, claim=name == "claim")
        if await self._clocks.flag(loaded, moment):
            raise Problem("not-now", "The time was up.", state=loaded.state(held))
        draft = COMMANDS[name].decide(loaded.table, person, command, moment)
        if draft.forfeits and not may_forfeit:
            raise UnconfirmedForfeit
        data = {**draft.data, "command": command_text(name, command)}
        event = Event(command.version + 1, moment.now, draft.kind, person, data, command.move_id)
        if not await self._cache.append(loaded, event, draft.played):
            if (version := await self._cache.sent_before(loaded, held, name, command)) is not None:
                return CommandResult(loaded, version, repeated=True)
            raise _stale(loaded, held)
        return CommandResult(loaded, event.version)


def _stale(loaded: LoadedTable, held: frozenset[Person]) -> Problem:
    detail = f"The table is at version {loaded.table.version} now; look at it again."
    return Problem("stale", detail, state=loaded.state(held))
