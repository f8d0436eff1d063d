"""A course of lessons: the rules of a game's card, one step after the other, each with exercises that it decides.

The courses of the built-in games come with the package, one file a game in `rules/games/courses`, so that a lesson
begins without solving the game. `tools/make_courses.py` writes them, and a test builds them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from zerosum.base.documents import IF_SET
from zerosum.players.levels import LEVELS, Score
from zerosum.rules.game_files import GAMES_FOLDER
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.strategy.card import Card, Rule
from zerosum.strategy.card_files import BundledCard, bundled_card

COURSES_FOLDER: Final = os.path.join(GAMES_FOLDER, "courses")
STEPS: Final = 5
"""Steps of a course, at most."""
_MATCH: Final = 0.75
"""The match at the end is against the first level that is beaten less often than this."""
_SOME_LEVEL: Final = "level:3"
"""The opponent of that match if scores are not known."""
_NOTHING: Final = "In no position does one rule of its card decide between a win and a loss."


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position, every move that wins there, and how many do not."""

    position: Position
    solutions: tuple[Move, ...]
    wrong: int
    picked: tuple[Move, ...]
    """The moves that survive; they win, but others may win too."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One idea, and positions to try it on."""

    rule: Rule
    count: int
    """How many rules of the card are known with it."""
    words: str
    """What these rules say, from the one after the step before on."""
    exercises: tuple[Exercise, ...]

    @property
    def idea(self) -> str:
        """The name of the idea, as cards write it."""
        return str(self.rule)


@dataclass(frozen=True, slots=True)
class Course:
    """The steps of a game, the first first."""

    rules: Rules
    card: Card
    steps: tuple[LessonStep, ...]
    scores: Mapping[int, tuple[Score, ...]]
    """The exact scores of a learner by the number of rules known; empty if they are not known."""
    why_not: str = ""
    """Why there are no steps, if there are none."""

    @property
    def untaught(self) -> tuple[Rule, ...]:
        """The rules of the card that come after the last step."""
        return self.card.rules[self.steps[-1].count if self.steps else 0 :]

    @property
    def opponent(self) -> str:
        """The first level that the learnt card beats less often than three times in four, of both seats."""
        scores = self.scores.get(self.steps[-1].count, ()) if self.steps else ()
        if not scores:
            return _SOME_LEVEL
        levels = {f"level:{number}" for number in LEVELS}
        return next((one.who for one in scores if one.who in levels and one.average < _MATCH), "perfect")


def bundled_course(rules: Rules) -> Course | None:
    """Return the course that comes with a built-in game, its words and scores from its card; None for a variant."""
    known = bundled_card(rules)
    if known is None:
        return None
    with open(os.path.join(COURSES_FOLDER, f"{rules.id}.json"), encoding="utf-8") as file:
        table: dict[str, list[dict[str, str]]] = json.load(file)
    return make_course(
        rules,
        known.card,
        {int(count): tuple(_exercise(rules, **one) for one in exercises) for count, exercises in table.items()},
        bundled_scores(known),
    )


def _exercise(rules: Rules, position: str, solutions: str, picked: str) -> Exercise:
    at = parse_position(position, rules)
    wins, picks = (tuple(parse_move(one, rules.operations) for one in moves.split()) for moves in (solutions, picked))
    return Exercise(at, wins, len(at.legal_moves()) - len(wins), picks)


def exercise_table(one: Exercise) -> dict[str, str]:
    """Return an exercise as the file of a course holds it."""
    written = one.position.text_of
    return {
        "position": str(one.position),
        "solutions": " ".join(map(written, one.solutions)),
        "picked": " ".join(map(written, one.picked)),
    }


def make_course(
    rules: Rules, card: Card, exercises: Mapping[int, tuple[Exercise, ...]], scores: Mapping[int, tuple[Score, ...]]
) -> Course:
    """Return a course, given the exercises of each step by the number of rules that the step takes."""
    steps = tuple(
        LessonStep(card.rules[count - 1], count, _words(card.rules[before:count], rules), exercises[count])
        for before, count in pairwise((0, *exercises))
    )
    return Course(rules, card, steps, scores, "" if steps else _NOTHING)


def _words(rules: Sequence[Rule], game: Rules) -> str:
    return " ".join(rule.words(game) for rule in rules)


def for_seat(score: Score, seat: Seat | None) -> float:
    """Return the score of a seat; the mean of both if a card is for either."""
    return score.average if seat is None else score.as_first if seat is Seat.FIRST else score.as_second


def bundled_scores(known: BundledCard) -> dict[int, tuple[Score, ...]]:
    """Return the scores that come with a card, by the number of its rules that somebody knows."""
    return dict(enumerate((*known.prefixes, known.against)))


@dataclass(frozen=True, slots=True)
class ExerciseDocument:
    """A position to try an idea on, and every move that wins there."""

    position: str
    solutions: list[str]


@dataclass(frozen=True, slots=True)
class StepDocument:
    """One step of a course."""

    idea: str
    words: str
    exercises: list[ExerciseDocument]


@dataclass(frozen=True, slots=True)
class CourseDocument:
    """A course of lessons; if none can be made it has no steps, and says why."""

    game: str
    steps: list[StepDocument]
    why_not: str | None = field(default=None, metadata=IF_SET)

    @classmethod
    def of(cls, course: Course) -> CourseDocument:
        """Return the document of a course."""
        steps = [
            StepDocument(step.idea, step.words, list(map(_exercise_document, step.exercises))) for step in course.steps
        ]
        return cls(course.rules.id, steps, course.why_not or None)


def _exercise_document(one: Exercise) -> ExerciseDocument:
    return ExerciseDocument(str(one.position), [one.position.text_of(move) for move in one.solutions])
