"""What a room asks about its matches: how well each of the two chose, and how far a move swung the result."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypedDict

from zerosum.base.english import count, figure
from zerosum.coach.contrast import contrast
from zerosum.coach.course_builder import course_of
from zerosum.coach.ideas import idea_at
from zerosum.coach.lessons import Course
from zerosum.coach.review import Review, Reviewed, review
from zerosum.coach.review_words import why
from zerosum.jobs.game_jobs import solved
from zerosum.jobs.job_table import job
from zerosum.match.match import read_match
from zerosum.match.setup import Person
from zerosum.rules.model import Rules, RulesDict, rules_from_dict
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import bundled_card
from zerosum.strategy.lookahead import Sight

_WORTH: Final = {Verdict.WIN: 2, Verdict.DRAW: 1, Verdict.LOSS: 0}
_KEPT: Final = {Verdict.WIN: "the win", Verdict.DRAW: "the draw"}


class MistakeDocument(TypedDict):
    """A move that let a better result go; `swing` is 2 from a win to a loss, 1 from or to a draw."""

    n: int
    move: str
    better: list[str]
    idea: str
    words: list[str]
    swing: int


class PupilReviewDocument(TypedDict):
    """How well one of two players chose: real choices, those kept, the hardest move that was found, and mistakes."""

    choices: int
    kept: int
    best: str
    best_words: str
    mistakes: list[MistakeDocument]


@lru_cache(maxsize=9)
def _course(rules: Rules) -> tuple[Course, Sight] | None:
    """Return the course of a game that has a card; that of a variant would have to be searched first."""
    return None if bundled_card(rules) is None else (course_of(rules, solved), Sight(rules))


@job(cost=0, remembered=False)
def match_report(record: str) -> list[PupilReviewDocument]:
    """Return what the exact review of a match says of person 1 and of person 2."""
    match = read_match(record)
    solution = solved(match.setup.rules)
    reviewed = review(match, solution)
    return [_of(reviewed, person, solution) for person in Person]


def _of(reviewed: Review, person: Person, solution: Solution) -> PupilReviewDocument:
    mine = [one for one in reviewed.moves if one.person is person]
    choices, kept = reviewed.choices(person)
    best, words = _best(mine, solution)
    mistakes = [_mistake(reviewed, one, solution) for one in mine if one.blunder]
    return {"choices": choices, "kept": kept, "best": best, "best_words": words, "mistakes": mistakes}


def _best(mine: list[Reviewed], solution: Solution) -> tuple[str, str]:
    """Return the real choice that was hardest to get right, and what made it so."""
    hardest, found = (1.0, 0), ("", "")
    for one in mine:
        if not one.real or one.blunder:
            continue
        options = solution.options(one.position)
        good = sum(option.value.verdict is one.before.verdict for option in options)
        if (good / len(options), -one.n) < hardest:
            hardest = (good / len(options), -one.n)
            move = one.position.text_of(one.move)
            kept = "kept" if good == 1 else "keep"
            only = f"only {good} of {count(len(options), 'move')} {kept} {_KEPT[one.before.verdict]}"
            found = (move, f"{figure(move)} at move {one.n}: {only}.")
    return found


def _mistake(reviewed: Review, one: Reviewed, solution: Solution) -> MistakeDocument:
    text = one.position.text_of
    return {
        "n": one.n,
        "move": text(one.move),
        "better": [text(move) for move in one.better],
        "idea": _idea(one, solution),
        "words": why(reviewed, one),
        "swing": _WORTH[one.before.verdict] - _WORTH[one.after.verdict],
    }


def _idea(one: Reviewed, solution: Solution) -> str:
    """Return the name of the idea that would have kept the result: as the course calls it, or as the coach does."""
    course = _course(one.position.rules)
    if course is not None:
        found = idea_at(course[0], one.position, solution, course[1])
        return found.name if found else ""
    return contrast(one.position, one.move, solution, one.better).idea or ""


@job(cost=0)
def swing(rules: RulesDict, position: str, move: str) -> int:
    """Return how far a move let the result fall: 2 from a win to a loss, 1 from or to a draw, 0 if it kept it."""
    at = parse_position(position, rules_from_dict(rules))
    solution = solved(at.rules)
    options = solution.options(at)
    made = parse_move(move, at.rules.operations)
    after = next(option.value for option in options if option.move == made)
    return _WORTH[options[0].value.verdict] - _WORTH[after.verdict]
