"""The tables in memory: of each its present state, its last events, and each of them in words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from zerosum.base import limits as rule_limits
from zerosum.match.match import Match, solution_at_limit
from zerosum.match.setup import Person
from zerosum.rules.model import Rules, Tie
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.queries import StreamHead, TableNews
from zerosum.server.runtime.streams import Copy, Streams
from zerosum.server.world import World
from zerosum.tables.commands import Command, MoveCommand, RematchCommand
from zerosum.tables.events import Event, is_id
from zerosum.tables.keys import Key
from zerosum.tables.problems import Problem
from zerosum.tables.table import PlayedEntry, Table, open_table, resume_table
from zerosum.tables.view import State, common_text, event_words, game_text, state, state_text


async def prepare_limit_verdict(match: Match, world: World) -> None:
    """Precompute the verdict if the next move may end the match."""
    if len(match.moves) + 1 >= match.setup.plies:
        await solve_for_limit(match.setup.rules, world)


async def solve_for_limit(rules: Rules, world: World) -> None:
    """Solve a game whose matches can come to the limit, in a thread; the solution is remembered."""
    if rules.tie is Tie.SUDDEN_DEATH:
        await world.in_thread(solution_at_limit, rules)


_STEP: Final = 64
"""One version of the table in this many is kept; any other is folded from the one before it."""
_KEPT: Final = 128
"""The last events that are kept, and up to a step more; those before them are read again if they are asked for."""
_TABLE_BYTES: Final = 100_000
_EVENT_BYTES: Final = 1_100
_PLY_BYTES: Final = 600
"""What a table with what pages draw of it, each of its events and each ply of its match take in memory, measured."""


def estimated_size(events: int, plies: int) -> int:
    """Return about how many bytes of memory a table takes that keeps so many events."""
    return _TABLE_BYTES + _EVENT_BYTES * events + _PLY_BYTES * plies


@dataclass(slots=True, eq=False)
class LoadedTable(Copy[Event]):
    """A copy of what the database has of one table: its state, and its events from `base` on."""

    table: Table
    events: list[Event]
    said: list[str]
    by_id: dict[tuple[Person | None, str], int] = field(default_factory=dict)
    """The version of each event, by its sender and its idempotency key."""
    timer: asyncio.TimerHandle | None = None
    keeps_from: int | None = None
    """The first event that it keeps, if a part of a table was loaded for the sake of certain events."""
    drawn: dict[object, Any] = field(default_factory=dict)
    """What pages have drawn of this version, for other viewers of it; each event begins a new dictionary."""
    _game: str = field(init=False)
    _steps: list[Table] = field(default_factory=list)
    _texts: dict[frozenset[Person] | None, str] = field(default_factory=dict)
    """The state as JSON, by the seats of its viewer; under None the members that everybody sees."""

    def __post_init__(self) -> None:
        """Keep the first version, and what no event changes."""
        self._steps.append(self.table)
        self._game = game_text(self.table.setup.rules)

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.table.id

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.table.version

    @property
    def base(self) -> int:
        """The version of the first event in memory."""
        return self.events[0].version

    def events_after(self, since: int, until: int) -> list[tuple[Event, str]]:
        """Return the events after one version, up to another, each with its words; all must be in memory."""
        part = slice(since + 1 - self.base, until + 1 - self.base)
        return list(zip(self.events[part], self.said[part], strict=True))

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return estimated_size(len(self.events), len(self.table.match.moves))

    def add(self, event: Event, played: PlayedEntry | None = None) -> None:
        """Add the next event; `played` saves reading its entry again."""
        before = self.table
        played = played or before.played(event)
        self.table = before.after(event, played)
        self.events.append(event)
        self.said.append(event_words(event, before, self.table, played.entry if played else None))
        self.by_id[event.person, event.move_id] = event.version
        self._texts.clear()
        self.drawn = {}
        if (event.version - self.base) % _STEP == 0:
            self._steps.append(self.table)
            self._forget_before(event.version - _KEPT if self.keeps_from is None else self.keeps_from)

    def _forget_before(self, version: int) -> None:
        """Let go of whole steps of events before a version, but never of the last event."""
        steps = max(0, min(version, self.table.version) - self.base) // _STEP
        for event in self.events[: steps * _STEP]:
            del self.by_id[event.person, event.move_id]
        del self.events[: steps * _STEP], self.said[: steps * _STEP], self._steps[:steps]

    def state(self, held: frozenset[Person]) -> State:
        """Return the state as the holder of these seats sees it."""
        return state(self.table, held, self.said[-1])

    def text(self, held: frozenset[Person]) -> str:
        """Return the state as JSON; it is made once for all viewers who see the same."""
        if held not in self._texts:
            if None not in self._texts:
                self._texts[None] = common_text(self.table, self.said[-1], self._game)
            self._texts[held] = state_text(self.table, held, self._texts[None])
        return self._texts[held]

    def text_at(self, held: frozenset[Person], version: int) -> str:
        """Return the state as it was after an event: the same text at any later time."""
        if self.table.version == version:
            return self.text(held)
        return next(self.texts_after(held, version - 1))

    def texts_after(self, held: frozenset[Person], version: int) -> Iterator[str]:
        """Return the states that each event after a version made; each is made when it is asked for.

        What is needed is taken now: the events may have left memory when it is asked for.
        """
        table = self._steps[max(0, version - self.base) // _STEP]
        return _texts(table, held, version, self.events_after(table.version - 1, self.table.version), self._game)

    def sent_before(self, held: frozenset[Person], name: str, command: Command) -> int | None:
        """Return the version that a command made when it was first sent, None if this is the first time."""
        for person in held:
            version = self.by_id.get((person, command.move_id))
            if version is None:
                continue
            check_same(self.events[version - self.base].data.get("command"), name, command)
            return version
        return None


def _texts(
    table: Table, held: frozenset[Person], version: int, following: list[tuple[Event, str]], game: str
) -> Iterator[str]:
    for event, said in following:
        table = table.after(event) if event.version > table.version else table
        if event.version > version:
            yield state_text(table, held, common_text(table, said, game))


def check_same(sent: object, name: str, command: Command) -> None:
    """Refuse a command whose id was used for something else."""
    if sent != command_text(name, command):
        raise Problem("move-id-reused", "Give every command a different move_id.")


def begin_loading(table_id: str, opened: Event, began: Event) -> LoadedTable:
    """Return a table as its first event leaves it, or the beginning of one of its matches."""
    table = open_table(table_id, opened) if began.version == 1 else resume_table(table_id, opened, began)
    by_id = {(began.person, began.move_id): began.version}
    return LoadedTable(table, [began], [event_words(began, None, table)], by_id)


def load_table(table_id: str, events: list[Event]) -> LoadedTable:
    """Return a table as its events make it."""
    loaded = begin_loading(table_id, events[0], events[0])
    for event in events[1:]:
        loaded.add(event)
    return loaded


def command_text(name: str, command: Command) -> str:
    """Return what a command asks for: kept with its event, so that its id cannot be used for anything else."""
    if isinstance(command, MoveCommand):
        return f"{name} {command.move}"
    return f"{name} keep" if isinstance(command, RematchCommand) and not command.swap else name


class TableCache(Streams[LoadedTable, Event]):
    """All tables that this server has in memory.

    Of a table its first event is read, the beginning of its latest match, and what follows.
    """

    deleted = "This table was deleted with its room."
    unknown = ("no-such-table", "Check the address; there is no table with this id.")
    is_id = staticmethod(is_id)

    @property
    def bounds(self) -> tuple[int, int]:
        """How many copies are kept in memory, and about how many bytes."""
        return limits.TABLES_IN_MEMORY, limits.TABLE_BYTES_IN_MEMORY

    def size_while_loaded(self, events: int) -> int:
        """Return about how many bytes a table takes at most while so many events of a match are loaded."""
        return estimated_size(min(events, _KEPT + 2 * _STEP), min(events, rule_limits.MATCH_PLIES))

    async def begin(self, stream_id: str, head: StreamHead[Event], keeps_from: int | None) -> LoadedTable:
        """Return a table as its first event leaves it, or the beginning of one of its matches."""
        loaded = begin_loading(stream_id, head.opened, head.began)
        loaded.keeps_from = keeps_from
        if head.latest - head.began.version > rule_limits.MATCH_PLIES:
            await solve_for_limit(loaded.table.setup.rules, self._world)
        return loaded

    def forget(self, stream_id: str) -> LoadedTable | None:
        """Let go of a table, and of its timer."""
        loaded = super().forget(stream_id)
        if loaded is not None and loaded.timer is not None:
            loaded.timer.cancel()
            loaded.timer = None
        return loaded

    async def fresh_with_news(self, table_id: str, key: Key | None) -> tuple[LoadedTable, TableNews]:
        """Return a table as the database has it now, the seats that a key holds, and who was seen, by one read."""
        loaded = await self.loaded(table_id)
        read = partial(queries.table_news, table_id=table_id, since=loaded.version, key=key)
        news = await self._writer.read(read)
        await self.take_in_all(loaded, news.events)
        self._tell(loaded)
        return loaded, news

    async def with_events(self, loaded: LoadedTable, since: int, until: int) -> LoadedTable:
        """Return a copy of a table that has the events after one version, up to another; an old one is not kept."""
        return loaded if since + 1 >= loaded.base else await self.part(loaded.id, since + 1, until)

    async def record(self, loaded: LoadedTable, number: int) -> str:
        """Return the record of one of the matches at a table."""
        table = loaded.table
        if not 1 <= number <= table.number:
            raise Problem("no-such-match", f"There are {table.number} matches at this table.")
        if number < table.number:
            until = await self._writer.read(partial(queries.match_end, table_id=table.id, number=number))
            table = (await self.part(table.id, until, until)).table
        return table.match.record()

    async def sent_before(
        self, loaded: LoadedTable, held: frozenset[Person], name: str, command: Command
    ) -> int | None:
        """Return the version that a command made when it was first sent, None if this is the first time."""
        known = loaded.sent_before(held, name, command)
        if known is not None or loaded.base == 1 or not held:
            return known
        read = partial(queries.sent_before, table_id=loaded.id, persons=held, move_id=command.move_id)
        found = await self._writer.read(read)
        if found is None:
            return None
        check_same(found[1], name, command)
        return found[0]

    async def text_at(self, loaded: LoadedTable, held: frozenset[Person], version: int) -> str:
        """Return the state as it was after an event, however long ago."""
        return (await self.with_events(loaded, version - 1, version)).text_at(held, version)

    async def settled(self, loaded: LoadedTable, seconds: float) -> None:
        """Wait a little for a computer whose move is due."""
        deadline = self._world.monotonic() + seconds
        while loaded.table.computer_to_move and (rest := deadline - self._world.monotonic()) > 0:
            try:
                await asyncio.wait_for(loaded.changed(), rest)
            except TimeoutError:
                return
