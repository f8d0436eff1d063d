"""A course of lessons: the ideas that win a game, one step after the other, each with exercises that it decides.

The courses of the built-in games come with the package, one file a game in `rules/games/courses`, so that a lesson
begins without solving the game. `tools/make_courses.py` writes them, and a test builds them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

from zerosum.base.documents import IF_SET, inline, to_json
from zerosum.players.levels import LEVELS, STRENGTHS, Score
from zerosum.rules.game_files import GAMES_FOLDER, built_in, is_built_in
from zerosum.rules.model import Reaching, Rules, Seat, Totals
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.strategy.card import Card, Rule, short
from zerosum.strategy.phrases import literal, thing

COURSES_FOLDER: Final = os.path.join(GAMES_FOLDER, "courses")
STEPS: Final = 5
"""Steps of a course, at most."""
LAW: Final = "law"
"""The idea of the step that teaches the law of a game."""
ENOUGH: Final = 3
"""Exercises right at the first try that open the next step."""
IN_A_ROW: Final = 5
"""The same, in a row, if up to half of the moves of an exercise are right."""
THIRD: Final = 3
HALF: Final = 2
"""One of so many moves, at most, is right in an exercise; one of two if there are not enough of the others."""
_SOME_LEVEL: Final = "level:3"
_MATCH: Final = 0.75
"""The match at the end is against the first level that is beaten less often than this."""


class Exercise(NamedTuple):
    """A position, and every move that wins there."""

    position: Position
    solutions: tuple[Move, ...]

    def within(self, most: int) -> bool:
        """Whether at most one of so many moves wins."""
        return most * len(self.solutions) <= len(self.position.legal_moves())

    @property
    def wrong(self) -> int:
        """How many moves do not win."""
        return len(self.position.legal_moves()) - len(self.solutions)


class WorkedExample(NamedTuple):
    """A worked example: a position, a line of moves that wins, and why its first move does and another does not."""

    position: Position
    line: tuple[Move, ...]
    words: str
    mistake: Move
    refutation: str

    @property
    def told(self) -> list[str]:
        """The line, a sentence for each move, as its first player sees it."""
        at, told = self.position, []
        me = at.seat
        for move in self.line:
            seat, text = at.seat, at.text_of(move)
            at = at.play_unchecked(move)
            whose = "the" if at.rules.totals is Totals.SHARED else "your" if seat is me else "their"
            end = "" if at.outcome is None else " You win."
            told.append(f"{'You' if seat is me else 'They'} play {text}: {whose} total is {at.total(seat)}.{end}")
        return told


class LessonStep(NamedTuple):
    """One idea: a rule with positions to try it on, or the law of the game with its proof, which is only read."""

    rule: Rule | None
    words: str
    why: str
    """Why it holds."""
    exercises: tuple[Exercise, ...]
    example: WorkedExample | None

    @property
    def idea(self) -> str:
        """The name of the idea, as cards write it."""
        return LAW if self.rule is None else str(self.rule)

    @property
    def enough(self) -> int:
        """How many right answers open the next step; a step without exercises is read once."""
        if not self.exercises:
            return 1
        return ENOUGH if all(exercise.within(THIRD) for exercise in self.exercises) else IN_A_ROW


@dataclass(frozen=True, slots=True)
class Course:
    """The steps of a game, the first first."""

    rules: Rules
    card: Card
    """The rules of the steps, and after them the rules that have no step."""
    steps: tuple[LessonStep, ...]
    book: tuple[str, ...]
    """What is learnt by heart, without exercises."""
    left_out: tuple[str, ...]
    """The rules of the card that have no step, and why not."""
    scores: tuple[tuple[Score, ...], ...]
    """The exact scores of a learner by the number of rules known; none if they would take too long."""
    by_heart: tuple[Score, ...]
    """The scores of a learner who knows all steps, and the book by heart."""
    why_not: str = ""
    """Why there are no steps, if there are none."""
    before: tuple[str, ...] = ()
    """The ideas that earlier versions taught, in their order."""
    reskins: bool = True
    """Whether the game is the same in other numbers."""

    @property
    def ideas(self) -> tuple[str, ...]:
        """The ideas of the steps."""
        return tuple(step.idea for step in self.steps)

    @property
    def taught(self) -> int:
        """How many rules of the card have a step."""
        return sum(step.rule is not None for step in self.steps)

    @property
    def match(self) -> Score | None:
        """The opponent of the match at the end, with the score that a learner can expect; None if it is not known.

        It is the first level that the steps beat less than three times in four from the seat of the course.
        """
        if not self.scores:
            return None
        levels = {f"level:{number}" for number in LEVELS}
        last = self.scores[-1]
        hard = (one for one in last if one.who in levels and for_seat(one, self.card.seat) < _MATCH)
        return next(hard, last[-1])

    @property
    def opponent(self) -> str:
        """Who plays the match at the end; some level if scores are not known."""
        return _SOME_LEVEL if self.match is None else self.match.who

    @property
    def expects(self) -> str:
        """What a learner can expect of that match, without and with the book; nothing if it is not known."""
        if self.match is None:
            return ""
        who, seat = self.match.who, self.card.seat
        share = for_seat(self.match, seat)
        said = expectation(share, who)
        told = f"{said[0].upper()}{said[1:]}."
        better = next((for_seat(one, seat) for one in self.by_heart if one.who == who), share)
        return told if better == share else f"{told} With the part by heart, {expectation(better, '')}."


def for_seat(score: Score, seat: Seat | None) -> float:
    """Return the score of a seat; the mean of both if a card is for either."""
    return score.average if seat is None else score.as_first if seat is Seat.FIRST else score.as_second


def bundled_course(rules: Rules) -> Course | None:
    """Return the course that comes with a built-in game; None for a game without one and for a variant."""
    path = os.path.join(COURSES_FOLDER, f"{rules.id}.json")
    if not is_built_in(rules) or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return course_from(rules, json.load(file))


@cache
def course_ideas(game: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ideas of the course of a built-in game, and those that earlier versions taught."""
    course = bundled_course(built_in(game))
    return (course.ideas, course.before) if course else ((), ())


def course_from(rules: Rules, table: Mapping[str, Any]) -> Course:
    """Return the course that a file holds."""
    seat = None if table["seat"] is None else Seat(table["seat"])
    card = Card(seat, tuple(map(Rule.read, table["rules"])), (), table["for-other"])
    scores = tuple(
        tuple(Score(who, *both) for who, both in zip(STRENGTHS, row, strict=True)) for row in table["scores"]
    )
    steps = tuple(_step(rules, rule, one) for rule, one in zip(card.rules, table["steps"], strict=False))
    law = (LessonStep(None, table["law"], table["proof"], (), None),) if table["law"] else ()
    return Course(
        rules,
        card,
        (*steps, *law),
        tuple(table["book"]),
        tuple(table["left-out"]),
        scores[: len(steps) + 1],
        next(iter(scores[len(steps) + 1 :]), ()),
        table["why-not"],
        tuple(table["before"]),
    )


def _step(rules: Rules, rule: Rule, table: Mapping[str, Any]) -> LessonStep:
    exercises = tuple(
        Exercise(parse_position(position, rules), _moves(rules, solutions))
        for position, solutions in table["exercises"].items()
    )
    return LessonStep(rule, rule.words(rules), why_it_holds(rule, rules), exercises, _example(rules, table["example"]))


def _moves(rules: Rules, text: str) -> tuple[Move, ...]:
    return tuple(parse_move(one, rules.operations) for one in text.split())


def _example(rules: Rules, table: Mapping[str, str]) -> WorkedExample:
    (mistake,) = _moves(rules, table["mistake"])
    at = parse_position(table["position"], rules)
    return WorkedExample(at, _moves(rules, table["line"]), table["words"], mistake, table["refutation"])


def course_table(course: Course) -> dict[str, Any]:
    """Return a course as its file holds it."""
    law = next((step for step in course.steps if step.rule is None), None)
    rows = [*course.scores, *([course.by_heart] if course.by_heart else [])]
    return {
        "seat": course.card.seat,
        "rules": [str(rule) for rule in course.card.rules],
        "for-other": course.card.for_other,
        "before": course.before,
        "law": law.words if law else "",
        "proof": law.why if law else "",
        "book": course.book,
        "left-out": course.left_out,
        "why-not": course.why_not,
        "steps": [
            {
                "exercises": {
                    str(exercise.position): _written(exercise.position, exercise.solutions)
                    for exercise in step.exercises
                },
                "example": step.example
                and to_json(_worked(step.example)) | {"line": _written(step.example.position, step.example.line)},
            }
            for step in course.steps
            if step.rule is not None
        ],
        "scores": [[[one.as_first, one.as_second] for one in row] for row in rows],
    }


def _written(position: Position, moves: Sequence[Move]) -> str:
    return " ".join(map(position.text_of, moves))


@dataclass(frozen=True, slots=True)
class ExerciseDocument:
    """A position to try an idea on, and every move that wins there."""

    position: str
    solutions: list[str]


@dataclass(frozen=True, slots=True)
class WorkedDocument:
    """A worked example: a line that wins, why its first move does, and why another move does not."""

    position: str
    line: list[str]
    words: str
    mistake: str
    refutation: str


@dataclass(frozen=True, slots=True)
class StepDocument:
    """One step of a course; a step without exercises is read."""

    idea: str
    words: str
    why: str
    enough: int
    example: WorkedDocument | None
    exercises: list[ExerciseDocument]


@dataclass(frozen=True, slots=True)
class WorthDocument:
    """How often somebody beats a player from either seat, who knows the first so many steps."""

    steps: int
    book: bool
    score: Score = field(metadata=inline("average"))


@dataclass(frozen=True, slots=True)
class CourseDocument:
    """A course of lessons; if none can be made it has no steps, and says why."""

    game: str
    seat: Seat | None
    steps: list[StepDocument]
    book: list[str]
    left_out: list[str]
    opponent: str | None
    expects: str | None
    worth: list[WorthDocument]
    why_not: str | None = field(default=None, metadata=IF_SET)

    @classmethod
    def of(cls, course: Course) -> CourseDocument:
        """Return the document of a course."""
        rows = [(n, False, row) for n, row in enumerate(course.scores)]
        rows += [(course.taught, True, course.by_heart)] if course.by_heart else []
        return cls(
            game=course.rules.id,
            seat=course.card.seat,
            steps=list(map(_step_document, course.steps)),
            book=list(course.book),
            left_out=list(course.left_out),
            opponent=course.opponent if course.steps else None,
            expects=course.expects or None,
            worth=[WorthDocument(n, book, one) for n, book, row in rows for one in row],
            why_not=course.why_not or None,
        )


def _worked(one: WorkedExample) -> WorkedDocument:
    text_of = one.position.text_of
    return WorkedDocument(
        str(one.position), list(map(text_of, one.line)), one.words, text_of(one.mistake), one.refutation
    )


def _step_document(step: LessonStep) -> StepDocument:
    exercises = [
        ExerciseDocument(str(it.position), [it.position.text_of(move) for move in it.solutions])
        for it in step.exercises
    ]
    return StepDocument(step.idea, step.words, step.why, step.enough, step.example and _worked(step.example), exercises)


_WHY: Final = {
    "make": "A win at once ends the match: there is nothing they can answer.",
    "guard": "Any other {thing} loses at once, or they win at once.",
    "hold": "If no safe {thing} is left for you, you lose at once or let them win at once. Two answers are usually "
    "enough, since they can take only one of them.",
    "squeeze": "Without a safe {thing} they lose at once or let you win at once.",
    "shut": "Whatever they play then loses at once.",
    "squeeze-in-two": "They play safe, or lose sooner. Then you leave them no safe {thing}: they lose at once or let "
    "you win at once.",
    "shut-in-two": "They play safe, or lose sooner. Then whatever they play loses at once.",
    "threat": "They must take your number, or you make {target} next.",
    "quiet-threat": "They must take your number, or you make {target} next. And once they have taken it, they threaten "
    "nothing.",
    "furthest-threat": "They must take your number, or you make {target} next.",
    "out-of-reach": "No number left takes them to {target}, so they cannot make it now.",
}
_NO_WHY: Final = "No short reason is known; the computer has played every exercise to the end."
_TENTHS: Final = 10


def step_title(rule: Rule | None, rules: Rules) -> str:
    """Return what a step is called."""
    return "the law" if rule is None else short(rule, rules)


def why_it_holds(rule: Rule, rules: Rules) -> str:
    """Return why a rule holds, or that no short reason is known."""
    if rule.name == "guard" and literal(rules):
        return f"If you pass {rules.target}, you lose. If you leave the number that makes it, they take it and win."
    if rule.name == "make" and rules.reaching is Reaching.WINS and literal(rules):
        return f"Making {rules.target} ends the match: there is nothing they can answer."
    return _WHY.get(rule.name, _NO_WHY).format(thing=thing(rules), target=rules.target)


def expectation(share: float, who: str) -> str:
    """Return what to expect of matches against a player: "expect to win 7 of 10 against level 6".

    >>> expectation(0.684, "level:6"), expectation(1, "")
    ('expect to win 7 of 10 against level 6', 'expect to win every match')
    """
    against = f" against {who.replace('level:', 'level ').replace('perfect', 'perfect play')}" if who else ""
    won = round(share * _TENTHS)
    if share == 1:
        return f"expect to win every match{against}"
    if won in (0, _TENTHS):
        return f"expect to win {'nearly every match' if won else 'fewer than 1 match of 10'}{against}"
    return f"expect to win {won} of {_TENTHS}{against}"
