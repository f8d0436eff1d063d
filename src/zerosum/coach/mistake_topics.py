"""Positions filed by idea: the first idea of a course that keeps the win in them.

The ideas of a course are its steps, and after them the rules of its card for which there is no lesson. In the seat that
a card is not for, only the rules that serve both seats count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from zerosum.base.errors import ZerosumError
from zerosum.base.numbers import shorten
from zerosum.base.text import did_you_mean, printable
from zerosum.coach.exercises import all_exercises, rules_needed
from zerosum.coach.lessons import Course
from zerosum.coach.puzzles import Puzzle, puzzle_of
from zerosum.rules.position import Position
from zerosum.solver import Solution
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
    taught = [Idea(step.rule, step.count, step.words) for step in course.steps]
    last = taught[-1].count if taught else 0
    others = [Idea(rule, last + n, rule.words(course.rules)) for n, rule in enumerate(course.untaught, 1)]
    return (*taught, *others)


def ideas_named(course: Course, name: str) -> tuple[Idea, ...]:
    """Return the ideas that `name` means, as cards write them or without when they apply."""
    ideas = ideas_of(course)
    game = printable(course.rules.name)
    if not ideas:
        raise UnknownIdeaError(f"{game} has no ideas to choose from. {course.why_not}")
    wanted = name.strip().lower()
    found = tuple(one for one in ideas if str(one) == wanted) or tuple(one for one in ideas if one.name == wanted)
    if not found:
        names = list(dict.fromkeys(one.name for one in ideas))
        guess = did_you_mean(wanted, names)
        known = f"Its ideas are {', '.join(names)}."
        raise UnknownIdeaError(f"{game} has no idea '{shorten(name)}'. {guess}{' ' if guess else ''}{known}")
    return found


def idea_at(course: Course, position: Position, solution: Solution, sight: Sight) -> Idea | None:
    """Return the first idea that keeps the win in a won position; None where none does."""
    needed = rules_needed(course.card, position, solution, sight)
    if needed is None or needed > len(course.card.rules_for(position.seat)):
        return None
    return next(one for one in ideas_of(course) if one.count >= needed)


def ideas_at(course: Course, puzzles: Iterable[Puzzle], solution: Solution) -> dict[str, Idea | None]:
    """Return the idea that decides each of some puzzles, by its position as text; None where none does."""
    sight = Sight(course.rules)
    return {str(one.position): idea_at(course, one.position, solution, sight) for one in puzzles}


def puzzles_on(course: Course, wanted: Iterable[Idea], solution: Solution, dice: Random) -> Iterator[Puzzle]:
    """Yield the puzzles that one of some ideas decides, in any order, for the seat that the course is for."""
    ideas = ideas_of(course)
    decided = {
        count: idea
        for before, idea in zip((0, *(one.count for one in ideas)), ideas, strict=False)
        for count in range(before + 1, idea.count + 1)
    }
    chosen = frozenset(wanted)
    found = all_exercises(course.card, solution, Sight(course.rules), dice)
    positions = [one.position for count in sorted(found) if decided[count] in chosen for one in found[count]]
    dice.shuffle(positions)
    for position in positions:
        puzzle = puzzle_of(position, solution)
        if puzzle is not None:
            yield puzzle
