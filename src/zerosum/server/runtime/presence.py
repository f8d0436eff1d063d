"""Who is there: those with a live connection here, and those whom any replica has noted lately."""

from __future__ import annotations

from collections import Counter
from functools import partial

from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseThread
from zerosum.server.domain.events import now_ms
from zerosum.server.domain.problems import Problem

OccupiedSeat = tuple[str, Person]


class Presence:
    """The live connections of persons, counted and noted in the database now and then, for replicas and claims."""

    def __init__(self, writer: DatabaseThread) -> None:
        self._writer = writer
        self._here: Counter[OccupiedSeat] = Counter()

    async def arrive(self, table_id: str, held: frozenset[Person]) -> None:
        """Note that somebody has connected."""
        self._here.update((table_id, person) for person in held)
        await self._note([(table_id, person) for person in held])

    async def leave(self, table_id: str, held: frozenset[Person]) -> None:
        """Note that somebody has gone; until now they were there."""
        for person in held:
            self._here[table_id, person] -= 1
            if self._here[table_id, person] <= 0:
                del self._here[table_id, person]
        await self._note([(table_id, person) for person in held])

    async def note_all(self) -> None:
        """Note everybody who is there."""
        await self._note(list(self._here))

    async def _note(self, sitting: list[OccupiedSeat]) -> None:
        if sitting:
            try:
                await self._writer.write(partial(queries.note_seen, sitting=sitting, at=now_ms()))
            except Problem:
                return  # while the database is away nobody can claim anything either

    async def unseen(self, table_id: str, person: Person, now: int) -> int:
        """Return for how many milliseconds somebody has not been seen."""
        if self._here[table_id, person]:
            return 0
        seen = await self._writer.read(partial(queries.last_seen, table_id=table_id))
        return max(0, now - seen.get(person, 0))

    async def present(self, table_id: str) -> dict[Person, bool]:
        """Return who is there."""
        now = now_ms()
        lately = (limits.SEEN_SECONDS + 2 * limits.POLL_SECONDS) * 1000
        return {person: await self.unseen(table_id, person, now) < lately for person in Person}
