"""The documents of the API; those of a table are in `domain/view.py`, those of the coach in `coach/answers_json.py`."""

from __future__ import annotations

from typing import Any, TypedDict

from zerosum.coach.answer_types import OptionDocument
from zerosum.rules.files import Shelf
from zerosum.server.domain.view import EventState, State


class ProblemDocument(TypedDict):
    """A problem; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class CommandAnswer(TypedDict):
    """The answer to a command: the version of its event, and the state it made."""

    version: int
    state: State


class OwnTable(TypedDict):
    """A table that was opened, joined or returned to; the codes of the caller's seats, and the open invitation."""

    state: State
    codes: dict[str, str]
    invitation: str | None


class TableList(TypedDict):
    """The caller's tables, the latest first."""

    tables: list[State]


class EventList(TypedDict):
    """Events after a version."""

    version: int
    events: list[EventState]


class NewKey(TypedDict):
    """A new key."""

    token: str


class GameInfo(TypedDict):
    """A game: the keys of its rules file, and the same in words."""

    rules: dict[str, Any]
    shelf: Shelf
    idea: str
    words: list[str]


class GameList(TypedDict):
    """The games."""

    games: list[GameInfo]


class MoveValues(TypedDict):
    """What each move is worth to the player who makes it."""

    version: int
    values: list[OptionDocument]


class HintStep(TypedDict):
    """One step of a hint, in sentences."""

    version: int
    step: int
    sentences: list[str]
