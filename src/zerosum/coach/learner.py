"""How far a learner has come in a course. The page and the terminal share it.

Three exercises right at the first try open the next step. Two wrong in a row go back one. Only the first answer to an
exercise counts; after a wrong one it is asked until the answer is right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from zerosum.base.english import count
from zerosum.coach.lessons import Course, Exercise
from zerosum.coach.phrases import listed
from zerosum.players.registry import Solved
from zerosum.rules.moves import Move
from zerosum.strategy.lookahead import Sight, won

if TYPE_CHECKING:
    from zerosum.solver import Solution

ENOUGH: Final = 3
"""Exercises right at the first try that open the next step."""
TOO_MANY: Final = 2
"""Exercises wrong in a row that lead back."""


@dataclass(frozen=True, slots=True)
class Learner:
    """How far a learner has come: the step, what was right and wrong in it, and how many exercises each step asked."""

    step: int = 0
    right: int = 0
    wrong: int = 0
    """How many were wrong in a row."""
    asked: tuple[int, ...] = ()

    def after(self, course: Course, *, right: bool) -> Learner:
        """Return the state after the first answer to an exercise."""
        asked = [*self.asked, *[0] * (len(course.steps) - len(self.asked))]
        asked[self.step] += 1
        here = replace(self, asked=tuple(asked))
        if right:
            more = replace(here, right=self.right + 1, wrong=0)
            return more if more.right < ENOUGH else replace(more, step=self.step + 1, right=0)
        if self.wrong + 1 < TOO_MANY:
            return replace(here, wrong=self.wrong + 1)
        return replace(here, step=max(0, self.step - 1), right=0, wrong=0)

    def done(self, course: Course) -> bool:
        """Whether every step was learnt."""
        return self.step >= len(course.steps)


def follow(course: Course, answers: Iterable[tuple[str, bool]]) -> Learner:
    """Return the state after first answers: the idea of each, and whether it was right.

    Answers to an idea other than the one that was due do not count: the course has changed since.
    """
    learner = Learner()
    for idea, right in answers:
        if not learner.done(course) and course.steps[learner.step].idea == idea:
            learner = learner.after(course, right=right)
    return learner


def next_exercise(course: Course, learner: Learner, solved: Solved) -> Exercise:
    """Return the exercise that is due; when all of a step were asked they come again, with other signs if they can.

    Only then is the solution of the game asked for.
    """
    exercises = course.steps[learner.step].exercises
    asked = learner.asked[learner.step] if learner.asked else 0
    times, at = divmod(asked, len(exercises))
    if times == 0:
        return exercises[at]
    from zerosum.coach.exercises import images  # noqa: PLC0415 - no first question waits for the solver

    mirrors = images(course.card, exercises[at], solved(course.rules), Sight(course.rules))
    return mirrors[times % len(mirrors)]


def wrong_answer_words(exercise: Exercise, move: Move, solution: Solution, words: str) -> str:
    """Explain a wrong answer: what the other side then does, and the idea that was missed."""
    position = exercise.position
    name = position.text_of(move)
    after = position.play_unchecked(move)
    if after.outcome is not None:
        return f"{name} ends the match, and you lose. {words}"
    best = solution.options(after)[0].move
    ending = ", and wins" if won(after, after.play_unchecked(best)) else ", and can win from there"
    return f"After {name} the other side plays {after.text_of(best)}{ending}. {words}"


def right_answer_words(exercise: Exercise, move: Move) -> str:
    """Explain a right answer: what it does, and what the idea picks if that is another move."""
    position = exercise.position
    name = position.text_of(move)
    if won(position, position.play_unchecked(move)):
        return f"{name} wins at once."
    if move not in exercise.picked:
        return f"{name} keeps the win too; the idea of this step picks {listed(position, exercise.picked)}."
    return f"{name} keeps the win; {count(exercise.wrong, 'other move')} would have lost it."


def answer_words(exercise: Exercise) -> str:
    """Return the answer: what the idea picks, and what wins too."""
    position = exercise.position
    others = [move for move in exercise.solutions if move not in exercise.picked]
    too = f"; {listed(position, others, word='and')} win{'s' if len(others) == 1 else ''} too" if others else ""
    return f"{listed(position, exercise.picked)}{too}."
