"""Builds the course of a solved game.

A step is a rule that has exercises, and with which a learner who follows the steps so far scores more against some
level and less against none, from the seat that the course is for. A rule without either is left out, not faked. The
scores are exact; if a variant is so large that they would take long, the exercises alone decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.coach.exercises import find_exercises
from zerosum.coach.lessons import STEPS, Course, bundled_course, bundled_scores, for_seat, make_course
from zerosum.players.levels import Score
from zerosum.players.registry import Solved
from zerosum.rules.model import Rules, Seat
from zerosum.solver import Solution, SolverError
from zerosum.strategy.card import Card, CardError
from zerosum.strategy.card_figures import against
from zerosum.strategy.card_files import bundled_card
from zerosum.strategy.card_player import card_of
from zerosum.strategy.lookahead import Sight

FEWEST: Final = 3
"""Exercises that a step needs."""
_QUICK: Final = 10_000
"""Scores of a variant with more positions than this, or without end of them, are not computed for a course."""
_LEAST: Final = 1e-9
"""Smaller differences come from rounding."""


def course_of(rules: Rules, solved: Solved, progress: Progress = silent) -> Course:
    """Return the course of a game: the one that comes with it, or one that is built for a variant once it is solved."""
    return bundled_course(rules) or build_course(solved(rules), progress)


def build_course(solution: Solution, progress: Progress = silent) -> Course:
    """Build the course of a solved game, by the card that comes with it or by the one found for a variant."""
    progress("its card")
    rules = solution.rules
    try:
        card, sight = card_of(rules, lambda _: solution)
    except CardError as error:
        return Course(rules, Card(None, ()), (), {}, str(error))
    progress("exercises")
    found = {count: made for count, made in find_exercises(card, solution, sight).items() if len(made) >= FEWEST}
    scores = _scores(card, solution, sight, sorted(found), progress)
    counts = _rising(card.seat, sorted(found), scores)
    while len(counts) > STEPS:
        counts.remove(min(counts, key=lambda count: len(found[count])))
    return make_course(rules, card, {count: tuple(found[count]) for count in counts}, scores)


def learnt(card: Card, count: int) -> Card:
    """Return the card of a learner who knows its first rules; all of them together know which seat they serve."""
    return card if count == len(card.rules) else card.prefix(count)


def rises(before: Sequence[Score], after: Sequence[Score], seat: Seat | None) -> bool:
    """Whether scores rise against somebody and fall against nobody."""
    gains = [for_seat(new, seat) - for_seat(old, seat) for old, new in zip(before, after, strict=True)]
    return min(gains) >= -_LEAST and max(gains) > _LEAST


def _rising(seat: Seat | None, counts: Sequence[int], scores: Mapping[int, tuple[Score, ...]]) -> list[int]:
    """Return the prefixes that score more than the last one returned; all of them if scores are not known."""
    if not scores:
        return list(counts)
    kept = [0]
    for count in counts:
        if rises(scores[kept[-1]], scores[count], seat):
            kept.append(count)
    return kept[1:]


def _scores(
    card: Card, solution: Solution, sight: Sight, counts: Sequence[int], progress: Progress
) -> dict[int, tuple[Score, ...]]:
    """Return the scores of a learner before the first step and after each; nothing if they take long to compute."""
    known = bundled_card(solution.rules)
    if known is not None:
        return bundled_scores(known)
    size = solution.positions
    if size is None or size > _QUICK:
        return {}
    try:
        return {count: against(learnt(card, count), sight, progress) for count in (0, *counts)}
    except SolverError:
        return {}
