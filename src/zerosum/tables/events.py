"""Events: all that ever happens at a table, in order. An event is never changed and never deleted."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from zerosum.match.setup import Person
from zerosum.tables.json_text import dumps_sorted

DICE: Final = random.SystemRandom()
"""Chance that nobody can guess."""
_AUTOMATIC: Final = "auto:"
"""How the `move_id` of an event begins that nobody sent. No client can send a colon, so the ids never collide."""
_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH: Final = 12
_ID: Final = re.compile(f"[{_LETTERS}]{{{_ID_LENGTH}}}")


def new_id(dice: random.Random = DICE) -> str:
    """Return an id for a table, which nobody can guess."""
    return "".join(dice.choice(_LETTERS) for _ in range(_ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether a text could be the id of a table."""
    return _ID.fullmatch(text) is not None


class EventKind(StrEnum):
    """What can happen."""

    OPENED = "opened"
    """The table was opened: how matches are set up at it."""
    JOINED = "joined"
    """A person took the free seat."""
    PLAYED = "played"
    """An entry of the current match: a move, an undo, or an ending, as a journal writes it."""
    UNDO_ASKED = "undo-asked"
    UNDO_REFUSED = "undo-refused"
    REMATCH_ASKED = "rematch-asked"
    REMATCH_REFUSED = "rematch-refused"
    BEGAN = "began"
    """The next match began: another of the series, or a rematch."""


class Event(NamedTuple):
    """One thing that happened; `at` is in milliseconds since 1970, `person` is None if no person did it.

    It is a named tuple, like all that a move makes on its way: a frozen dataclass takes twice as long to make.
    """

    version: int
    at: int
    kind: EventKind
    person: Person | None
    data: Mapping[str, object]
    move_id: str


def automatic_event(version: int, at: int, kind: EventKind, person: Person | None, data: Mapping[str, object]) -> Event:
    """Return an event that no client sent: of a computer, a clock, or a table being opened or joined."""
    return Event(version, at, kind, person, data, f"{_AUTOMATIC}{version}")


def data_text(data: Mapping[str, object]) -> str:
    """Return the data of an event as the database keeps it."""
    return dumps_sorted(data)


class ClassroomEventKind(StrEnum):
    """What can happen in a room."""

    OPENED = "room-opened"
    """The room was opened: the game, and how it is played."""
    JOINED = "pupil-joined"
    RENAMED = "pupil-renamed"
    REMOVED = "pupil-removed"
    READY = "pupil-ready"
    """A pupil wants the next partner."""
    STARTED = "room-started"
    PAUSED = "room-paused"
    RESUMED = "room-resumed"
    PAIRED = "paired"
    """Pupils were paired; the same transaction has created their tables."""
    RESULT = "result"
    """A match of the room is over."""
    REVIEWED = "reviewed"
    """The exact truth about the moves of such a match is known."""
    VOIDED = "voided"
    """A match was ended without a result."""
    ENDED = "room-ended"


class ClassroomEvent(NamedTuple):
    """One thing that happened in a room; `pupil` is 0 if no pupil did it or had it done to them."""

    version: int
    at: int
    kind: ClassroomEventKind
    pupil: int
    data: Mapping[str, object]
    move_id: str


_ROOM: Final = "room"


def new_room_id(dice: random.Random = DICE) -> str:
    """Return an id for a room; no table has such a one, because the letter o is in none of their ids."""
    return _ROOM + new_id(dice)


def is_room_id(text: str) -> bool:
    """Whether an id in the log is that of a room."""
    return text.startswith(_ROOM)
