"""Ideas: which one decides a position, and which one a move uses or misses.

The ideas of a course are its steps, and after them the rules of its card that have no lesson. The idea of a position is
the first of them that keeps the win; in the seat that a card is not for, only the rules that serve both seats count.
The idea behind a move is named after the rule of the game's card that decides there, or after the cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from zerosum.base.errors import ZerosumError
from zerosum.base.numbers import shorten
from zerosum.base.text import did_you_mean, printable
from zerosum.coach.causes import NAMES, Why, why
from zerosum.coach.exercises import all_exercises, exercise_at, rules_needed
from zerosum.coach.features import features_of
from zerosum.coach.lessons import Course
from zerosum.coach.puzzles import Puzzle, puzzle_of
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Rule, short
from zerosum.strategy.card_files import bundled_card
from zerosum.strategy.lookahead import Sight

IDEAS: Final = {
    "ends": "win at once",
    "leaves": "guard",
    "stuck": "shut the door",
    "settled": "settle it",
    "law": "the law",
    "no-safe-reply": "squeeze",
    "guarding": "safe moves",
    "forced": "force",
    "next-no-safe-reply": "squeeze in two",
}
"""What the idea behind a cause is called; a recipe and a card are lists of rules, and no idea that has a name."""
_ORDER: Final = list(NAMES.values())


def idea_held(found: Why, better: Sequence[Move], solution: Solution) -> str | None:
    """Return the name of the idea that would have kept what a move let go; None if no short one would.

    A move that loses at once, or leaves a win at once, lacks the guard, whatever else the better moves do; unless a win
    at once was missed.
    """
    best = min((why(found.position, move, solution) for move in better), key=lambda one: _ORDER.index(one.name))
    if best.verdict is not Verdict.WIN:
        return None
    if best.name != "ends" and found.name in ("ends", "leaves"):
        return IDEAS["leaves"]
    decides = _by_card(found.position, solution)
    return IDEAS.get(best.name) if decides is None else _name(decides[0], found.position)


def idea_used(position: Position, move: Move, solution: Solution) -> str | None:
    """Return the name of the idea by which a move keeps a win; None if it has no short one."""
    found = why(position, move, solution)
    if found.verdict is not Verdict.WIN:
        return None
    decides = _by_card(position, solution)
    return IDEAS.get(found.name) if decides is None or move not in decides[1] else _name(decides[0], position)


def _by_card(position: Position, solution: Solution) -> tuple[Rule, tuple[Move, ...]] | None:
    """Return the rule with which the card that comes with a game leaves only winning moves, and these moves."""
    found = bundled_card(solution.rules)
    if found is None:
        return None
    decides = exercise_at(found.card, position, solution, features_of(solution).sight)
    if decides is None or decides[0] > len(found.card.rules_for(position.seat)):
        return None
    count, exercise = decides
    return found.card.rules[count - 1], exercise.picked


def _name(rule: Rule, position: Position) -> str:
    """Return the name of a rule that decides in a position, and so applies there."""
    return short(replace(rule, most_left=None), position.rules)


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
    """Return the first idea that keeps the win in a won position; None if none does."""
    needed = rules_needed(course.card, position, solution, sight)
    if needed is None or needed > len(course.card.rules_for(position.seat)):
        return None
    return next(one for one in ideas_of(course) if one.count >= needed)


def ideas_at(course: Course, puzzles: Iterable[Puzzle], solution: Solution) -> dict[str, Idea | None]:
    """Return the idea that decides each of some puzzles, by its position as text; None if none does."""
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
