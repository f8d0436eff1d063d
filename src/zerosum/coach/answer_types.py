"""The shapes of answers as JSON: what `documents.py` fills, and what the API's description is generated from."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

Document = dict[str, Any]


class OutcomeDocument(TypedDict):
    """The seat that won, and why."""

    winner: int
    reason: str


class OptionDocument(TypedDict):
    """A move, and what it is worth to the player who makes it; where it was asked for, also why."""

    move: str
    verdict: str
    plies: int | None
    cause: NotRequired[str]
    words: NotRequired[str]
    answer: NotRequired[str | None]


class LawDocument(TypedDict):
    """The whole truth about a game in one sentence."""

    id: str
    words: str


class SolutionDocument(TypedDict):
    """Who wins a game, in how many plies, by which openings."""

    game: str
    winner: int | None
    plies: int | None
    winning_openings: list[str]
    openings: list[OptionDocument]
    positions: int | None
    law: LawDocument | None
    seconds: float


class RuleDocument(TypedDict):
    """A rule of a card: its name, and what it says."""

    rule: str
    words: str


class ExceptionDocument(TypedDict):
    """A position in which a card names the move."""

    position: str
    move: str


class AgainstDocument(TypedDict):
    """How often a card wins against a player, from either seat."""

    who: str
    as_first: float
    as_second: float


class CardDocument(TypedDict):
    """A strategy card, and how good it is."""

    game: str
    seat: int | None
    rules: list[RuleDocument]
    exceptions: list[ExceptionDocument]
    proved: bool
    positions: int | None
    kept: float | None
    against: list[AgainstDocument]
    for_other: int | None
    """How many of the rules, from the first on, the other seat goes by; None: all of them."""


class AnalysisDocument(TypedDict):
    """The verdict of a position and of each of its moves."""

    game: str
    moves: list[str]
    position: str
    to_move: int | None
    verdict: str | None
    plies: int | None
    options: list[OptionDocument]
    outcome: OutcomeDocument | None
    trap: NotRequired[str]


class StandingDocument(TypedDict):
    """Which player stands to win, not which seat: a swap changes seats."""

    player: int | None
    plies: int | None


class ReviewedDocument(TypedDict):
    """One move of a match against the truth."""

    n: int
    seat: int
    player: int
    move: str
    verdict: str
    plies: int | None
    after: str
    after_plies: int | None
    stands: StandingDocument
    real_choice: bool
    blunder: bool
    better: list[str]
    cause: str | None
    reason: list[str]
    more: list[str]


class LessonDocument(TypedDict):
    """What a match teaches: the move, the idea by its name, and both in a sentence."""

    n: int | None
    idea: str | None
    words: str


class ReviewDocument(TypedDict):
    """A match against the truth."""

    game: str
    names: list[str]
    first: int
    start: StandingDocument
    moves: list[ReviewedDocument]
    blunders: dict[str, int]
    accuracy: dict[str, float | None]
    turning_points: list[int]
    lesson: LessonDocument
    given_up: int | None
    outcome: OutcomeDocument | None


class ReasonDocument(TypedDict):
    """Why a move is good or bad, and the lines behind it."""

    words: list[str]
    more: list[str]


class PuzzleDocument(TypedDict):
    """A position with something to find, and what there is to find."""

    game: str
    position: str
    solutions: list[str]
    plies: int
    difficulty: int
    chances: list[float]
    idea: NotRequired[str | None]


class PlayedOutDocument(TypedDict):
    """What a move leads to: why it is good or bad, and the move with best play after it."""

    why: list[str]
    line: list[str]


class CommentDocument(TypedDict):
    """What the coach says while a match is played: of one's own last move, and of the opponent's after it."""

    own: list[str]
    their: list[str]
    need: int | None
    """The number with which the opponent threatens to win, where that is said."""
    trap: str
    """The move that sets the best trap in a lost position, where that is said."""
    let_go: bool
    """Whether the own move let a better result go."""


class TaughtDocument(TypedDict):
    """A step of a course as the page shows it: its idea in a few words, and in full."""

    idea: str
    words: str


class LessonsDocument(TypedDict):
    """A course as the page shows it; without steps where none can be made, and then why."""

    seat: int | None
    steps: list[TaughtDocument]
    untaught: list[str]
    opponent: str
    why_not: str
    levels: list[str]
    scores: list[list[float]]
    """For each of the levels the share of matches won against it: before the first step, and after each."""


class JudgedDocument(TypedDict):
    """An answer to an exercise: whether it is right and why, all right answers, and where the learner stands then."""

    right: bool
    words: str
    solutions: list[str]
    after: list[int]
