"""Who sits where: tables are opened, joined by invitation, and returned to by a personal code."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial

from zerosum.jobs import game_jobs
from zerosum.match.setup import Person
from zerosum.rules.model import rules_to_dict
from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.runtime.table_cache import LoadedTable, TableCache, load_table
from zerosum.server.worker.client import WorkerClient
from zerosum.server.world import World
from zerosum.tables.commands import date_text
from zerosum.tables.events import EventKind, automatic_event, new_id
from zerosum.tables.keys import Key, code_of, invitation_of, read_secret
from zerosum.tables.new_table import TableRequest, check_person_name, open_request
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table


class Seats:
    """The seats at all tables."""

    def __init__(self, writer: DatabaseQueue, cache: TableCache, worker: WorkerClient, world: World) -> None:
        self._world = world
        self._writer = writer
        self._cache = cache
        self._worker = worker

    async def create(self, key: Key, request: TableRequest, caller: str = "") -> LoadedTable:
        """Open a table; `key` holds the seat of person 1, or both if one screen is shared."""
        now = self._world.now_ms()
        made = open_request(request, seed=self._world.token_hex(8), date=date_text(now))
        if any(who != "random" for who in made.computers):
            await self._worker.on_behalf_of(caller).ask(game_jobs.check, rules_to_dict(made.rules))
        table_id = new_id(self._world.dice)
        event = automatic_event(1, now, EventKind.OPENED, Person.ONE, made.data)
        online = bool(made.data["online"])
        create = partial(queries.create, table_id=table_id, opened=event, held=made.held, key=key, invites=online)
        await self._writer.write(create, table_id)
        return self._cache.remember(load_table(table_id, [event]))

    async def join(self, key: Key, invitation: str, name: str) -> LoadedTable:
        """Take the seat an invitation is for; the same key gets the same seat again, no name the usual one."""
        secret, found = await self._invitation(invitation)
        if found.taken_by(key):
            return await self._cache.fresh(found.table_id)
        if found.used_by is not None:
            raise Problem("invitation-used", "Somebody has taken this seat already; you can still watch the match.")
        loaded = await self._cache.fresh(found.table_id)
        if await self.held(found.table_id, key):
            raise Problem("not-now", "You sit at this table already; send the invitation to somebody else.")
        setup = loaded.table.setup
        name = check_person_name(name or setup.name(found.person), setup.name(found.person.other))
        now = max(self._world.now_ms(), loaded.table.last.at)
        event = automatic_event(loaded.table.version + 1, now, EventKind.JOINED, found.person, {"name": name})
        if not await self._cache.append(loaded, event, write=partial(queries.join, secret=secret, key=key)):
            _, found = await self._invitation(invitation)
            if not found.taken_by(key):
                raise Problem("invitation-used", "Somebody has just taken this seat; you can still watch the match.")
        return loaded

    async def invited_to(self, invitation: str) -> tuple[LoadedTable, Person, bool]:
        """Return the table an invitation is for, the person who is to come, and whether it has been used."""
        _, found = await self._invitation(invitation)
        return await self._cache.fresh(found.table_id), found.person, found.used_by is not None

    async def _invitation(self, invitation: str) -> tuple[str, queries.Invitation]:
        secret = read_secret(invitation)
        found = await self._writer.read(partial(queries.invitation, secret=secret)) if secret else None
        if secret is None or found is None:
            raise Problem("no-such-invitation", "Check the link, or ask for another.")
        return secret, found

    async def come_back(self, key: Key, code: str) -> tuple[LoadedTable, int]:
        """Take one's seat on another device; return its table, and how many more devices can hold that seat."""
        secret = read_secret(code)
        write = partial(queries.come_back, code=secret or "", key=key, at=self._world.now_ms())
        seat = await self._writer.write(write) if secret else None
        if seat is None:
            raise Problem("no-such-code", "Check the code: 28 letters and digits, as your table shows it.")
        table_id, devices_left = seat
        return await self._cache.fresh(table_id), devices_left

    async def held(self, table_id: str, key: Key | None) -> frozenset[Person]:
        """Return the seats that a key holds at a table."""
        if key is None:
            return frozenset()
        return await self._writer.read(partial(queries.held, table_id=table_id, key=key))

    async def mine(self, key: Key) -> AsyncIterator[tuple[LoadedTable, frozenset[Person]]]:
        """Return the tables where a key holds seats, the latest first, and which seats.

        One read looks for news of all that are in memory; of the others one is loaded at a time.
        """
        held = await self._writer.read(partial(queries.seats_of, key=key))
        await self._cache.poll(list(held))
        for table_id, persons in held.items():
            yield self._cache.get(table_id) or await self._cache.fresh(table_id), persons

    async def earlier_winners(self, table_ids: Sequence[str]) -> dict[str, dict[int, Person | None]]:
        """Return by number who won each match before the latest at some tables, the last first; None is unknown."""
        return await self._writer.read(partial(queries.earlier_winners, table_ids=table_ids)) if table_ids else {}

    async def invitation(self, table: Table, key: Key) -> str | None:
        """Return the open invitation to a table, for the person who gave it; only their key can derive it."""
        secret = invitation_of(key, table.id)
        found = await self._writer.read(partial(queries.invitation, secret=secret)) if table.waiting else None
        return secret if found is not None and found.used_by is None else None

    def code(self, table: Table, key: Key, person: Person) -> str:
        """Return the personal code of a seat."""
        return code_of(key, table.id, person)
