"""A course at the terminal: an idea, exercises until it is learnt, then the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zerosum.cli.console import Console, Quit, TextStyle
from zerosum.cli.exercise_text import read_answer, scene_words
from zerosum.cli.user_data import LessonLog
from zerosum.coach.learner import (
    ENOUGH,
    Learner,
    answer_words,
    follow,
    next_exercise,
    right_answer_words,
    wrong_answer_words,
)
from zerosum.coach.lessons import Course, Exercise, LessonStep
from zerosum.players.registry import Solved
from zerosum.rules.moves import Move
from zerosum.strategy.card import safe_words

_WORDS: Final = "You may also type idea, moves, show, quit or help."
_HELP: Final = f"""\
Type a move that wins. Only your first answer counts: {ENOUGH} right ones open the
next step, and two wrong ones in a row go back a step.
These words are commands:
  idea   the idea of this step
  moves  the moves you can make
  show   the answer; that counts as a wrong one
  quit   leave; your progress is kept
  help   this list
"""
_SHORT: Final = {"q": "quit", "exit": "quit", "bye": "quit", "?": "help", "h": "help", "hint": "idea", "answer": "show"}
"""Words people try first, and the commands they mean."""
_SHOWN: Final = "show"


class CourseSession:
    """Somebody who takes a course at one terminal."""

    def __init__(self, course: Course, solved: Solved, console: Console, log: LessonLog) -> None:
        self._course, self._solved, self._console, self._log = course, solved, console, log
        self._commands: dict[str, Callable[[LessonStep, Exercise], None]] = {
            "idea": self._idea,
            "moves": self._moves,
            "show": self._show,
            "quit": self._quit,
            "help": self._help,
        }

    def take(self) -> None:
        """Ask exercises until every step is learnt."""
        course = self._course
        learner = follow(course, self._log.answers(course.rules.id))
        if learner != Learner() and not learner.done(course):
            self._console.say("You go on where you left.\n\n")
        step: int | None = None
        while not learner.done(course):
            if learner.step != step:
                self._say_step(learner.step, back=step is not None and learner.step < step)
                step = learner.step
            learner = self._ask(learner)
            self._console.say("\n")

    def _say_step(self, number: int, *, back: bool) -> None:
        step, steps = self._course.steps[number], len(self._course.steps)
        self._console.say(
            f"{'Back to step' if back else 'Step'} {number + 1} of {steps}: {step.rule.name}\n", TextStyle.TITLE
        )
        self._idea(step)
        self._console.say("\n")

    def _ask(self, learner: Learner) -> Learner:
        """Ask one exercise until the answer is right or shown; the first answer counts."""
        step = self._course.steps[learner.step]
        exercise = next_exercise(self._course, learner, self._solved)
        position = exercise.position
        self._console.say(f"Find a move that wins. Right at the first try so far: {learner.right} of {ENOUGH}.\n")
        self._console.say(scene_words(position))
        first: bool | None = None
        while True:
            text = self._console.ask("Your move: ").lower()
            word = _SHORT.get(text, text)
            if word in self._commands:
                self._commands[word](step, exercise)
                if word != _SHOWN:
                    continue
                move, right = None, False
            else:
                move = read_answer(self._console, position, text, self._commands, _WORDS)
                if move is None:
                    continue
                right = move in exercise.solutions
            if first is None:
                first = right
                answer = _SHOWN if move is None else position.text_of(move)
                self._log.add(self._course.rules.id, step.idea, str(position), answer, right=right)
            if move is None:
                break
            self._judge(step, exercise, move, right=right)
            if right:
                break
        return learner.after(self._course, right=first)

    def _judge(self, step: LessonStep, exercise: Exercise, move: Move, *, right: bool) -> None:
        self._console.say("Right. " if right else "No. ", TextStyle.OUTCOME if right else TextStyle.REFUSAL)
        if right:
            self._console.say(f"{right_answer_words(exercise, move)}\n")
            return
        solution = self._solved(self._course.rules)
        self._console.say(f"{wrong_answer_words(exercise, move, solution, step.words)}\nTry again.\n")

    def _idea(self, step: LessonStep, *_: object) -> None:
        self._console.say(f"{step.words}\n", TextStyle.ANSWER)
        if safe := safe_words(step.words):
            self._console.say(f"{safe}\n", TextStyle.ANSWER)

    def _moves(self, _: LessonStep, exercise: Exercise) -> None:
        position = exercise.position
        self._console.say(" ".join(map(position.text_of, position.legal_moves())) + "\n", TextStyle.ANSWER)

    def _show(self, _: LessonStep, exercise: Exercise) -> None:
        self._console.say(f"The answer: {answer_words(exercise)}\n", TextStyle.ANSWER)

    def _help(self, *_: object) -> None:
        self._console.say(_HELP, TextStyle.ANSWER)

    def _quit(self, *_: object) -> None:
        raise Quit
