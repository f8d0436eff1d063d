"""Why a move is good or bad: the cause, what would have been better, and behind *more* the lines."""

from __future__ import annotations

from collections.abc import Collection

from zerosum.coach.cause_words import words
from zerosum.coach.causes import Why, why
from zerosum.coach.claim_words import sentences
from zerosum.coach.claims import AllLose, Held
from zerosum.coach.explain import explain, instead
from zerosum.coach.phrases import LISTED, YOU_AND_THEY, Speakers, listed
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict


def reason(position: Position, move: Move, solution: Solution) -> list[str]:
    """Return why a move is good or bad: its cause, and what would have been better."""
    return told(why(position, move, solution), solution)


def told(found: Why, solution: Solution, who: Speakers = YOU_AND_THEY, said: Collection[str] = ()) -> list[str]:
    """Return a cause as sentences, and after it what would have been better; `said` was told in full before."""
    return [*words(found, who, said), *_instead(found, solution)]


def _instead(found: Why, solution: Solution) -> list[str]:
    options = solution.options(found.position)
    for claim in instead(options, next(option for option in options if option.move == found.move)):
        if isinstance(claim, Held):
            good = listed(found.position, claim.moves, LISTED)
            return [f"{good} would have won." if claim.verdict is Verdict.WIN else f"{good} would not have lost."]
        if isinstance(claim, AllLose):
            return ["There is no other move." if claim.moves == 1 else "Every move loses here."]
    return []


def lines(position: Position, move: Move, solution: Solution) -> list[str]:
    """Return the lines behind a reason: how each reply is answered, or how a losing move is refuted to the end."""
    return sentences(explain(position, move, solution), position)
