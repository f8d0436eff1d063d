"""Ideas of a course: its steps, and after them the rules of its card that have no lesson.

The idea of a position is the first of them that keeps the win; in the seat that a card is not for, only the rules that
serve both seats count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from zerosum.base.errors import ZerosumError
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.coach.exercises import choice_at, choices_of, decided
from zerosum.coach.lessons import LAW, Course, step_title
from zerosum.coach.next_step import LessonIdea
from zerosum.coach.puzzles import Puzzle, puzzle_of
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Rule
from zerosum.strategy.lookahead import Sight


class UnknownIdeaError(ZerosumError):
    """A name that no idea of a course has."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Idea:
    """A rule of a card, and how many rules are known with it."""

    rule: Rule
    count: int
    words: str

    def __str__(self) -> str:
        return str(self.rule)

    def __json__(self) -> str:
        """Return the idea as documents name it."""
        return str(self)

    @property
    def name(self) -> str:
        """What the idea is called, without when it applies."""
        return self.rule.name


def ideas_of(course: Course) -> tuple[Idea, ...]:
    """Return the ideas of a course, the first first."""
    return tuple(Idea(rule, n, rule.words(course.rules)) for n, rule in enumerate(course.card.rules, 1))


def ideas_named(course: Course, name: str) -> tuple[Idea, ...]:
    """Return the ideas that `name` means, as cards write them or without when they apply."""
    ideas = ideas_of(course)
    game = printable(course.rules.name)
    if not ideas:
        raise UnknownIdeaError(f"{game} has no ideas to choose from. {course.why_not}")
    wanted = name.strip().lower()
    found = tuple(idea for idea in ideas if str(idea) == wanted) or tuple(idea for idea in ideas if idea.name == wanted)
    if not found:
        names = list(dict.fromkeys(idea.name for idea in ideas))
        guess = did_you_mean(wanted, names)
        known = f"Its ideas are {', '.join(names)}."
        raise UnknownIdeaError(f"{game} has no idea '{shorten(name)}'. {guess}{' ' if guess else ''}{known}")
    return found


def idea_at(course: Course, position: Position, solution: Solution, sight: Sight) -> Idea | None:
    """Return the first idea that keeps the win in a won position; None if none does."""
    if solution.value(position).verdict is not Verdict.WIN:
        return None
    ideas, choice = ideas_of(course), choice_at(position, solution)
    if choice is None:
        return next(iter(ideas), None)
    found = decided(course.card, choice, sight)
    if found is None or found.count > len(course.card.rules_for(position.seat)):
        return None
    return ideas[found.count - 1]


def costly_idea(course: Course, mistakes: Iterable[Position], solution: Solution) -> LessonIdea:
    """Return the step of a course that would have kept most of the wins that somebody let go in these positions.

    Of several, the one that was missed last. A win that no step of the card keeps is kept by the law, if the course
    teaches it. If no step would have helped, it is the next one.
    """
    sight = Sight(course.rules)
    found = [idea_at(course, position, solution, sight) for position in mistakes]
    wanted = [LAW if idea is None or str(idea) not in course.ideas else str(idea) for idea in found]
    names = [name for name in reversed(wanted) if name in course.ideas]
    if not names:
        return LessonIdea()
    step = course.steps[course.ideas.index(max(names, key=names.count))]
    return LessonIdea(step.idea, step_title(step.rule, course.rules))


def ideas_at(course: Course, puzzles: Iterable[Puzzle], solution: Solution) -> dict[str, Idea | None]:
    """Return the idea that decides each of some puzzles, by its position as text; None if none does."""
    sight = Sight(course.rules)
    return {str(puzzle.position): idea_at(course, puzzle.position, solution, sight) for puzzle in puzzles}


def puzzles_on(course: Course, wanted: Iterable[Idea], solution: Solution, dice: Random) -> Iterator[Puzzle]:
    """Yield the puzzles that one of some ideas decides, in any order, for the seat that the course is for."""
    chosen = {one.count for one in wanted}
    card, sight = course.card, Sight(course.rules)
    every = (decided(card, choice, sight) for choice in choices_of(card, solution, dice))
    positions = [
        one.choice.position
        for one in every
        if one is not None and one.count in chosen and card.seat in (None, one.choice.position.seat)
    ]
    dice.shuffle(positions)
    for position in positions:
        puzzle = puzzle_of(position, solution)
        if puzzle is not None:
            yield puzzle
