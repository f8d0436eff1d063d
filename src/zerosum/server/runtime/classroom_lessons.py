"""Lessons: every half second who is free is paired, and each result is counted once and reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, cast

from zerosum.jobs import classroom_jobs, pairing
from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import classroom_queries
from zerosum.server.db.classroom_queries import ClassroomTable
from zerosum.server.runtime.classrooms import Classrooms, LoadedClassroom
from zerosum.server.runtime.clocks import NamedTasks
from zerosum.server.runtime.table_cache import LoadedTable, TableCache, load_table
from zerosum.server.worker.client import WorkerClient
from zerosum.server.world import World
from zerosum.tables import classroom_decisions as decide
from zerosum.tables.classroom import COMPUTER, Classroom, Pupil
from zerosum.tables.classroom_decisions import ClassroomDraft
from zerosum.tables.events import EventKind, automatic_event, new_id
from zerosum.tables.problems import Problem

_UNSOLVED: Final = frozenset({"too-large", "no-solution", "thinking-too-long"})
_NO_REVIEW: Final[dict[str, object]] = {"choices": 0, "kept": 0, "best": "", "best_words": "", "mistakes": []}


class Lessons:
    """The lessons that go on in the rooms in memory."""

    def __init__(
        self, classrooms: Classrooms, cache: TableCache, worker: WorkerClient, tasks: NamedTasks, world: World
    ) -> None:
        self._classrooms = classrooms
        self._cache = cache
        self._worker = worker
        self._tasks = tasks
        self._world = world
        cache.listen(self._look)

    async def tick(self) -> None:
        """Look after every room in which a lesson goes on."""
        for loaded in self._classrooms.all():
            if loaded.busy or _unreviewed(loaded.room):
                self._tasks.start(f"room {loaded.id}", partial(self._tick, loaded))

    async def _tick(self, loaded: LoadedClassroom) -> None:
        if decide.end_in_time(loaded.room, self._world.now_ms()) is not None:
            await self._classrooms.act(loaded.id, decide.end_in_time)
        await self._look_at_tables(loaded)
        now = self._world.now_ms()
        free = decide.free_pupils(loaded.room, now)
        if free:
            here = await self._present(loaded.id, now)
            pairs = await self._pairs(loaded.room, now, [one for one in free if one.number in here])
            if pairs:
                await self._pair(loaded.id, pairs)

    async def _pairs(self, room: Classroom, now: int, free: Sequence[Pupil]) -> list[tuple[int, int]]:
        pairs: list[tuple[int, int]] = []
        if len(free) > 1:
            asked = await self._worker.on_behalf_of(room.id).ask(pairing.pairs, decide.as_free(room, now, free))
            pairs = [(one, two) for one, two in asked]
        if room.settings.computers:
            paired = {number for pair in pairs for number in pair}
            wait = limits.ROOM_COMPUTER_SECONDS * 1000
            alone = [one for one in free if one.number not in paired and room.waited(one, now) >= wait]
            pairs += [(one.number, COMPUTER) if one.firsts <= one.seconds else (COMPUTER, one.number) for one in alone]
        return pairs

    async def _pair(self, room_id: str, pairs: Sequence[tuple[int, int]]) -> None:
        new: list[ClassroomTable] = []

        def decision(room: Classroom, now: int) -> ClassroomDraft | None:
            draft = decide.pair(room, now, pairs, partial(new_id, self._world.dice))
            seated = cast("list[tuple[str, int, int, str]]", draft.data["pairs"]) if draft is not None else []
            new[:] = [self._table(room, one, now) for one in seated]
            return draft

        loaded = await self._classrooms.act(room_id, decision, partial(classroom_queries.pair_pupils, new=new))
        for one in new:
            if one.id in loaded.room.matches and self._cache.get(one.id) is None:
                self._cache.remember(load_table(one.id, [one.opened]))

    def _table(self, room: Classroom, seated: tuple[str, int, int, str], now: int) -> ClassroomTable:
        """Return a table that a pairing creates."""
        table_id, one, two, _ = seated
        data = decide.table_opening(room, seated, self._world.token_hex(4), now)
        pupils = {person: pupil for person, pupil in ((Person.ONE, one), (Person.TWO, two)) if pupil != COMPUTER}
        return ClassroomTable(table_id, automatic_event(1, now, EventKind.OPENED, None, data), pupils)

    async def _present(self, room_id: str, now: int) -> set[int]:
        """Return the pupils who are in the room: connected here, or seen lately by any replica."""
        seen = await self._classrooms.presence.last_seen(room_id)
        lately = now - (limits.SEEN_SECONDS + 2 * limits.POLL_SECONDS) * 1000
        return self._classrooms.presence.here(room_id) | {pupil for pupil, at in seen.items() if at > lately}

    async def _look_at_tables(self, loaded: LoadedClassroom) -> None:
        """Look at the tables of a room that were not looked at since it was loaded, and at missing reviews."""
        for table_id in [*sorted(loaded.room.open_tables), *_unreviewed(loaded.room)]:
            if table_id not in loaded.looked:
                loaded.looked.add(table_id)
                self._look(await self._cache.fresh(table_id))

    def _look(self, table: LoadedTable) -> None:
        """Take in what has happened at a table of a room: count its result if it is over."""
        room_id = table.table.room
        if not room_id:
            return
        loaded = self._classrooms.get(room_id)
        if loaded is not None:
            loaded.wake()
            match = loaded.room.matches.get(table.table.id)
            if match is not None and (match.voided or match.reviews is not None):
                return
        if table.table.match.outcome is not None:
            self._tasks.start(f"result {table.table.id}", partial(self._count, table))

    async def _count(self, loaded: LoadedTable) -> None:
        table = loaded.table
        outcome = table.match.outcome
        if outcome is None:
            return
        winner = table.match.person(outcome.winner)

        def counted(room: Classroom, _now: int) -> ClassroomDraft | None:
            match = room.matches.get(table.id)
            return None if match is None else decide.result(room, table.id, match.pupils[winner - 1], table.last.at)

        room = await self._classrooms.act(table.room, counted)
        match = room.room.matches.get(table.id)
        if match is None or match.winner is None or match.reviews is not None:
            return
        try:
            asked = self._worker.on_behalf_of(table.room).ask(classroom_jobs.match_report, table.match.record())
            reviews = cast("list[Any]", await asked)
        except Problem as problem:
            if problem.code not in _UNSOLVED:
                room.looked.discard(table.id)
                raise
            reviews = [_NO_REVIEW, _NO_REVIEW]
        await self._classrooms.act(table.room, lambda room, _: decide.review(room, table.id, reviews))


def _unreviewed(room: Classroom) -> list[str]:
    """Return the tables of matches that have a result and no review."""
    return [one.table for one in room.matches.values() if one.winner is not None and one.reviews is None]
