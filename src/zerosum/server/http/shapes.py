"""What the API answers, for its reference: the shapes of the documents that `view.py` and the coach make."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A document; members may be added to it, none will be renamed."""

    model_config = ConfigDict(extra="allow")


class ProblemShape(Shape):
    """A problem; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class OutcomeShape(Shape):
    """Who won a match (person and seat), why, and the same in words."""

    winner: int
    seat: int
    reason: str
    words: str


class MatchShape(Shape):
    """The current match; `to_move` is a person, `seat` where that person sits."""

    number: int
    moves: list[str]
    position: str
    pool: list[int]
    totals: list[int]
    to_move: int | None
    seat: int | None
    legal_moves: list[str]
    outcome: OutcomeShape | None


class PersonShape(Shape):
    """A person at a table."""

    person: int
    name: str
    who: str
    seat: int
    seated: bool
    wins: int
    total: int


class SeriesShape(Shape):
    """A series of matches."""

    best_of: int
    round: int
    over: bool


class ClockShape(Shape):
    """Time left when the turn began, for persons 1 and 2, and whose clock runs since when."""

    minutes: int
    increment: int
    left_ms: list[int]
    running: int | None
    since_ms: int


class EventShape(Shape):
    """Something that happened; `entry` is what was played, as a journal writes it."""

    version: int
    at: int
    kind: str
    person: int | None
    words: str


class StateShape(Shape):
    """A table as the caller sees it; `you` are the persons whose seats the caller holds."""

    table: str
    version: int
    game: dict[str, Any]
    online: bool
    waiting: bool
    match: MatchShape
    persons: list[PersonShape]
    series: SeriesShape | None
    undo_asked: int | None
    rematch_asked: int | None
    clock: ClockShape | None
    absent_after: int
    last: EventShape
    you: list[int]
    can: list[str]


class AnswerShape(Shape):
    """The answer to a command: the version of its event, and the state it made."""

    version: int
    state: StateShape


class TableShape(Shape):
    """A table that was opened, joined or come back to; codes of the caller's seats, and the open invitation."""

    state: StateShape
    codes: dict[str, str]
    invitation: str | None


class TablesShape(Shape):
    """The caller's tables, the latest first."""

    tables: list[StateShape]


class EventsShape(Shape):
    """Events after a version."""

    version: int
    events: list[EventShape]


class KeyShape(Shape):
    """A new key."""

    token: str


class GameShape(Shape):
    """A game: its rules file, and the same in words."""

    rules: dict[str, Any]
    idea: str
    words: list[str]


class GamesShape(Shape):
    """The games."""

    games: list[GameShape]


class SolutionShape(Shape):
    """Who wins a game, in how many plies, by which openings."""

    game: str
    winner: int | None
    plies: int | None
    winning_openings: list[str]
    openings: list[dict[str, Any]]
    positions: int | None


class AnalysisShape(Shape):
    """The verdict of a position and of each of its moves."""

    game: str
    position: str
    to_move: int | None
    verdict: str | None
    plies: int | None
    options: list[dict[str, Any]]


class ReviewShape(Shape):
    """A match against the truth."""

    game: str
    moves: list[dict[str, Any]]
    blunders: dict[str, int]
    accuracy: dict[str, float | None]
    outcome: dict[str, Any] | None


class ValuesShape(Shape):
    """What each move is worth to who makes it."""

    version: int
    values: list[dict[str, Any]]


class HintShape(Shape):
    """One step of a hint, in sentences."""

    version: int
    step: int
    sentences: list[str]
