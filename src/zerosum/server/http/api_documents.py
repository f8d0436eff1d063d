"""The documents of the API; those of a table are in `domain/view.py`, those of the coach beside what they document."""

from __future__ import annotations

from typing import Any, TypedDict

from zerosum.coach.analysis import OptionDocument
from zerosum.rules.files import Shelf
from zerosum.server.domain.view import EventState, State


class Problem(TypedDict):
    """A problem; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class Answer(TypedDict):
    """The answer to a command: the version of its event, and the state it made."""

    version: int
    state: State


class OwnTable(TypedDict):
    """A table that was opened, joined or returned to; the codes of the caller's seats, and the open invitation."""

    state: State
    codes: dict[str, str]
    invitation: str | None


class Tables(TypedDict):
    """The caller's tables, the latest first."""

    tables: list[State]


class Events(TypedDict):
    """Events after a version."""

    version: int
    events: list[EventState]


class NewKey(TypedDict):
    """A new key."""

    token: str


class Game(TypedDict):
    """A game: the keys of its rules file, and the same in words."""

    rules: dict[str, Any]
    shelf: Shelf
    idea: str
    words: list[str]


class Games(TypedDict):
    """The games."""

    games: list[Game]


class Values(TypedDict):
    """What each move is worth to the player who makes it."""

    version: int
    values: list[OptionDocument]


class Hint(TypedDict):
    """One step of a hint, in sentences."""

    version: int
    step: int
    sentences: list[str]
