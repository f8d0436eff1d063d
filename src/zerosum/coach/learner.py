"""How far a learner has come in a course. The page and the terminal share it.

Three exercises right at the first try open the next step; if half of the moves may be right, five in a row. Then the
idea is asked in numbers that the learner has not seen: two right in a row, and the step is learnt, for good. Two wrong
in a row go back: from new numbers to the old ones, from these to the step before. Only the first answer to an exercise
counts; after a wrong one it is asked until the answer is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

from zerosum.base.english import agree, count
from zerosum.coach.lessons import ENOUGH, IN_A_ROW, Course, Exercise
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.rules.skins import SAME, Skin
from zerosum.strategy.card import Rule
from zerosum.strategy.phrases import listed

if TYPE_CHECKING:
    from zerosum.solver import Solution

TOO_MANY: Final = 2
"""Exercises wrong in a row that lead back."""
CHECKS: Final = 2
"""Exercises in new numbers, right in a row, by which a step is learnt."""


@dataclass(frozen=True, slots=True)
class Learner:
    """How far a learner has come: the step, what was right and wrong in it, and what was asked and learnt so far."""

    step: int = 0
    right: int = 0
    wrong: int = 0
    """How many were wrong in a row."""
    checking: bool = False
    """Whether the exercises of the step come in new numbers."""
    worn: int = 0
    """How many exercises came in new numbers, in all steps."""
    learnt: frozenset[int] = frozenset()
    """The steps that are learnt."""
    asked: tuple[int, ...] = ()
    """How many exercises each step has asked."""

    @classmethod
    def begin(cls, ideas: Sequence[str], learnt: Collection[str] = ()) -> Learner:
        """Return a learner of a course with these ideas, who has learnt some of them already."""
        known = frozenset(n for n, idea in enumerate(ideas) if idea in learnt)
        return _onward(cls(step=-1, learnt=known, asked=(0,) * len(ideas)))

    @classmethod
    def read(cls, numbers: Sequence[int]) -> Learner:
        """Return the learner that some numbers write, whatever they are."""
        step, right, wrong, checking, worn, learnt, *asked = numbers
        known = frozenset(n for n in range(len(asked)) if learnt >> n & 1)
        right, wrong = min(right, IN_A_ROW - 1), min(wrong, TOO_MANY - 1)
        return cls(min(step, len(asked)), right, wrong, bool(checking), worn, known, tuple(asked))

    @property
    def numbers(self) -> list[int]:
        """The learner as numbers, for a cookie."""
        learnt = sum(1 << n for n in self.learnt)
        return [self.step, self.right, self.wrong, int(self.checking), self.worn, learnt, *self.asked]

    def in_new_numbers(self, course: Course) -> bool:
        """Whether the exercise that is due comes in new numbers: to check a step, or when all of it were asked."""
        return self.checking or self.asked[self.step] >= len(course.steps[self.step].exercises)

    def needs(self, course: Course) -> int:
        """Return how many right answers this part of a step needs."""
        return CHECKS if self.checking else course.steps[self.step].enough

    def after(self, course: Course, *, right: bool) -> Learner:
        """Return the state after the first answer to an exercise, or after a step without exercises was read."""
        step = course.steps[self.step]
        if not step.exercises:
            return _onward(replace(self, learnt=self.learnt | {self.step}))
        asked = [*self.asked]
        asked[self.step] += 1
        here = replace(self, asked=tuple(asked), worn=self.worn + self.in_new_numbers(course))
        if right:
            return _right(course, here)
        if self.wrong + 1 >= TOO_MANY:
            # Out of new numbers into the old ones of the same step, or to the step before.
            back = self.step if self.checking else max(0, self.step - 1)
            return replace(here, step=back, right=0, wrong=0, checking=False)
        in_a_row = self.checking or step.enough > ENOUGH
        return replace(here, wrong=self.wrong + 1, right=0 if in_a_row else self.right)

    @property
    def done(self) -> bool:
        """Whether every step was learnt."""
        return self.step >= len(self.asked)


def _right(course: Course, learner: Learner) -> Learner:
    more = replace(learner, right=learner.right + 1, wrong=0)
    if more.right < more.needs(course):
        return more
    if more.checking or more.step in more.learnt:
        return _onward(replace(more, learnt=more.learnt | {more.step}))
    return replace(more, checking=True, right=0)


def _onward(learner: Learner) -> Learner:
    """Return the learner at the next step that is not learnt."""
    steps = len(learner.asked)
    later = (n for n in range(learner.step + 1, steps) if n not in learner.learnt)
    return replace(learner, step=next(later, steps), right=0, wrong=0, checking=False)


def follow(course: Course, answers: Iterable[tuple[str, bool]], learnt: Collection[str] = ()) -> Learner:
    """Return the state after first answers: the idea of each, and whether it was right; `learnt`: ideas known before.

    Answers to an idea other than the one that was due do not count: the course has changed since.
    """
    learner = Learner.begin(course.ideas, learnt)
    for idea, right in answers:
        if not learner.done and course.steps[learner.step].idea == idea:
            learner = learner.after(course, right=right)
    return learner


def learnt_before(answers: Iterable[tuple[str, bool]]) -> set[str]:
    """Return the ideas that somebody learnt in an earlier version: three right, and no two wrong in a row between."""
    rights: Counter[str] = Counter()
    wrongs: Counter[str] = Counter()
    learnt = set()
    for idea, right in answers:
        rights[idea] += right
        wrongs[idea] = 0 if right else wrongs[idea] + 1
        if wrongs[idea] == TOO_MANY:
            rights[idea] = wrongs[idea] = 0
        if rights[idea] == ENOUGH:
            learnt.add(idea)
    return learnt


class AskedExercise(NamedTuple):
    """An exercise as it is asked: in which numbers, and what stands behind it in the game itself."""

    numbers: int
    reskin: Reskin
    origin: Exercise

    @property
    def shown(self) -> Exercise:
        """The exercise in the numbers in which it is asked."""
        return self.reskin.exercise(self.origin)


def next_exercise(course: Course, learner: Learner) -> AskedExercise:
    """Return the exercise that is due in a step that has exercises."""
    exercises = course.steps[learner.step].exercises
    numbers = learner.worn + 1 if course.reskins and learner.in_new_numbers(course) else 0
    return AskedExercise(numbers, reskin(course, numbers), exercises[learner.asked[learner.step] % len(exercises)])


def reason(asked: AskedExercise, move: Move, solution: Solution) -> str:
    """Return why a move of an exercise, in the numbers in which it was asked, is right or wrong, by this board.

    In a game with a law a mistake that does not lose at once breaks the law: that says more than a line of play.
    """
    from zerosum.coach.causes import why, words  # noqa: PLC0415 - no first question waits for the solver
    from zerosum.solver import Verdict  # noqa: PLC0415 - as above
    from zerosum.strategy.claims import ByLaw, EndsMatch, Leaves  # noqa: PLC0415 - as above

    found = why(asked.origin.position, asked.reskin.move_behind(move), solution)
    at_once = isinstance(found.claim, EndsMatch | Leaves)
    if solution.law is not None and found.verdict is Verdict.LOSS and not at_once:
        found = found._replace(claim=ByLaw(solution.law), answer=None)
    return " ".join(words(asked.reskin.worn(found)))


def answer_words(exercise: Exercise) -> str:
    """Return the answer: the moves that win, and how many do not."""
    wrong = count(exercise.wrong, "other move")
    return f"{listed(exercise.position, exercise.solutions)}; the {wrong} {agree(exercise.wrong, 'lose')}."


# Lessons in other numbers, so that a learner shows the idea and not a position they know. A skin with a positive factor
# changes nothing but how a game looks: what holds in the game holds in its skin, move for move. No two numbers give the
# same skin.

_FACTORS: Final = (2, 3, 4, 5)
_SHIFT: Final = 7
Worn = TypeVar("Worn")


class Reskin(NamedTuple):
    """A game in other numbers."""

    skin: Skin
    rules: Rules

    def exercise(self, one: Exercise) -> Exercise:
        """Return an exercise in these numbers."""
        return Exercise(self.skin.position(one.position, self.rules), tuple(map(self.skin.move, one.solutions)))

    def origin(self, position: Position, rules: Rules) -> Position:
        """Return the position of a game that stands behind one in these numbers."""
        back = self.skin
        return replace(
            position,
            rules=rules,
            pool=tuple(number // back.k for number in position.pool),
            totals=tuple((total - back.shift) // back.k for total in position.totals),
            previous=None if position.previous is None else self.move_behind(position.previous),
        )

    def move_behind(self, move: Move) -> Move:
        """Return the move of the game that stands behind one in these numbers."""
        return replace(move, number=move.number // self.skin.k)

    def rule(self, rule: Rule) -> Rule:
        """Return a rule in these numbers."""
        names, argument = rule.word.names, rule.argument
        if argument is not None:
            argument = self.skin.total(argument) if names == "total" else self.skin.k * argument
        return replace(rule, argument=argument)

    def words(self, rule: Rule) -> str:
        """Return a rule in these numbers as a sentence."""
        return self.rule(rule).words(self.rules)

    @property
    def told(self) -> str:
        """What has changed, as a sentence; nothing if nothing has."""
        if self.skin is SAME:
            return ""
        return f"New numbers: each is {self.skin.k} times as large, and the target is {self.rules.target}."

    def worn(self, value: Worn) -> Worn:
        """Return a reason, or a part of one, in these numbers."""
        return cast("Worn", self._worn(value))

    def _worn(self, value: object) -> object:
        from zerosum.solver import Law  # noqa: PLC0415 - no first question waits for the solver
        from zerosum.strategy.claims import Forced  # noqa: PLC0415 - as above

        if isinstance(value, Move):
            return self.skin.move(value)
        if isinstance(value, Position):
            return self.skin.position(value, self.rules)
        if isinstance(value, Law):
            return replace(value, target=self.skin.total(value.target))
        if isinstance(value, Forced):
            value = value._replace(number=self.skin.k * value.number)
        if isinstance(value, tuple):
            parts: list[Any] = [self._worn(one) for one in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value


def reskin(course: Course, number: int) -> Reskin:
    """Return the game of a course in the numbers that a number stands for; 0 is the game as it is."""
    skin = _skin(number if course.reskins else 0)
    return Reskin(skin, _worn_rules(course.rules, skin))


def rules_in(rules: Rules, number: int) -> Rules:
    """Return a game in the numbers that a number stands for."""
    return _worn_rules(rules, _skin(number))


def _skin(number: int) -> Skin:
    return Skin(_FACTORS[number % len(_FACTORS)], _SHIFT * number) if number else SAME


def _worn_rules(rules: Rules, skin: Skin) -> Rules:
    return rules if skin is SAME else skin.rules(rules, rules.id, rules.name)
