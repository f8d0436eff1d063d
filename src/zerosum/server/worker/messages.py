"""What a worker tells the pages beside the documents of commands: reasons, comments, lessons."""

from __future__ import annotations

from typing import TypedDict


class ReasonDocument(TypedDict):
    """Why a move is good or bad, and the lines behind it."""

    words: list[str]
    more: list[str]


class PlayedOutDocument(TypedDict):
    """What a move leads to: why it is good or bad, and the move with best play after it."""

    why: list[str]
    line: list[str]


class CommentDocument(TypedDict):
    """What the coach says during a match: about the reader's last move, and about the opponent's reply."""

    own: list[str]
    their: list[str]
    need: int | None
    """The number with which the opponent threatens to win, if the comment mentions it."""
    trap: str
    """The move that sets the best trap in a lost position, if the comment mentions it."""
    let_go: bool
    """Whether the own move let a better result go."""


class TaughtDocument(TypedDict):
    """A step of a course as the page shows it: its idea in a few words, and in full."""

    idea: str
    words: str


class LessonsDocument(TypedDict):
    """A course as the page shows it; if no course can be made, it has no steps and says why."""

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
