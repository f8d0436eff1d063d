"""A table in memory: as it stands, all its events, and what each was in words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from zerosum.match.setup import Person
from zerosum.server.domain.commands import Command, MoveCommand
from zerosum.server.domain.events import Event
from zerosum.server.domain.narration import words
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.table import Table, open_table
from zerosum.server.domain.view import Document, common_text, state, state_text

_STEP: Final = 64
"""So many events lie between two versions of a table that are kept; any other is folded from the one before it."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The answer to a command: the version of its event, and the state that it made, as JSON."""

    version: int
    state: str
    repeated: bool = False


@dataclass(slots=True)
class LoadedTable:
    """A copy of what the store has of one table."""

    table: Table
    events: list[Event]
    said: list[str]
    by_id: dict[tuple[Person | None, str], int] = field(default_factory=dict)
    """The version of each event, by who sent it and under which id."""
    writing: int = 0
    """Events on their way to the store."""
    timer: asyncio.TimerHandle | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    _steps: list[Table] = field(default_factory=list)
    _texts: dict[frozenset[Person] | None, str] = field(default_factory=dict)
    """The state as JSON, by who sees it so; what all see under None."""

    def __post_init__(self) -> None:
        """Note the first version."""
        self._steps.append(self.table)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        before, self.table = self.table, self.table.after(event)
        self.events.append(event)
        self.said.append(words(event, before, self.table))
        self.by_id[event.person, event.move_id] = event.version
        self._texts.clear()
        if event.version % _STEP == 1:
            self._steps.append(self.table)
        self.changed.set()
        self.changed = asyncio.Event()

    def state(self, held: frozenset[Person]) -> Document:
        """Return the state as somebody sees it."""
        return state(self.table, held, self.said[-1])

    def text(self, held: frozenset[Person]) -> str:
        """Return the state as somebody sees it, as JSON; it is made once for all who see the same."""
        if held not in self._texts:
            if None not in self._texts:
                self._texts[None] = common_text(self.table, self.said[-1])
            self._texts[held] = state_text(self.table, held, self._texts[None])
        return self._texts[held]

    def text_at(self, held: frozenset[Person], version: int) -> str:
        """Return the state as it was after an event, the same at any later time."""
        if self.table.version == version:
            return self.text(held)
        return next(self.texts_after(held, version - 1))

    def texts_after(self, held: frozenset[Person], version: int) -> Iterator[str]:
        """Return the states that each event after a version made."""
        table = self._steps[max(0, version - 1) // _STEP]
        for event in self.events[table.version - 1 :]:
            table = table.after(event) if event.version > table.version else table
            if event.version > version:
                yield state_text(table, held, common_text(table, self.said[event.version - 1]))

    def first_answer(self, held: frozenset[Person], name: str, command: Command) -> CommandResult | None:
        """Return the answer that a command got when it was first sent; None if it was not sent before."""
        for person in held:
            version = self.by_id.get((person, command.move_id))
            if version is None:
                continue
            if self.events[version - 1].data.get("command") != content(name, command):
                raise Problem("move-id-reused", "Give every command a move_id of its own.")
            return CommandResult(version, self.text_at(held, version), repeated=True)
        return None


def keep(table_id: str, events: list[Event]) -> LoadedTable:
    """Return a table as its events make it."""
    table = open_table(table_id, events[0])
    loaded = LoadedTable(
        table, [events[0]], [words(events[0], None, table)], {(events[0].person, events[0].move_id): 1}
    )
    for event in events[1:]:
        loaded.add(event)
    return loaded


async def keep_all(table_id: str, events: list[Event]) -> LoadedTable:
    """Return a table as its events make it; however many they are, others are served meanwhile."""
    loaded = keep(table_id, events[:_STEP])
    for event in events[_STEP:]:
        loaded.add(event)
        if event.version % _STEP == 0:
            await asyncio.sleep(0)
    return loaded


def content(name: str, command: Command) -> str:
    """Return what a command asked for: loaded with its event, so that an id cannot be used for anything else."""
    return f"{name} {command.move}" if isinstance(command, MoveCommand) else name
