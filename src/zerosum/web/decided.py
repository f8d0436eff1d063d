"""What decided a match, in one sentence that names a cause: for the moment at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zerosum.coach.review_words import name_of
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.model import Reaching, Totals
from zerosum.rules.moves import SWAP
from zerosum.rules.outcome import Outcome, Reason


def decided(match: Match, you: Person | None = None) -> str:
    """Return what decided a match; nothing where how it ended says it all, or where it goes on.

    `you` is whoever reads it, if they played.
    """
    told = _TOLD.get(match.outcome.reason) if match.outcome else None
    return told(match, match.outcome, you) if told and match.outcome else ""


def _name(match: Match, person: Person, you: Person | None) -> str:
    return "You" if person is you else name_of(match, person)


def _reached(match: Match, outcome: Outcome, you: Person | None) -> str:
    """Say what was there to be taken, and who had left it so."""
    ply = len(match.moves) - 1
    rules, number, before = match.setup.rules, match.moves[ply].number, match.positions[ply]
    if rules.reaching is Reaching.LOSES:
        return f"Every number that was left made {rules.target}." if _forced(match, outcome) else ""
    own = rules.totals is Totals.OWN
    if own or not ply or match.moves[ply - 1] == SWAP:
        had = f"{_name(match, match.mover(ply), you)} had" if own else "The total was"
        return f"{had} {before.total(before.seat)}, and {number} was still there."
    left = f"{_name(match, match.mover(ply - 1), you)} left the total at {before.total(before.seat)}"
    return f"{left}, and {number} was still there."


def _overshot(match: Match, outcome: Outcome, you: Person | None) -> str:
    before, target = match.positions[-2], match.setup.rules.target
    if _forced(match, outcome):
        return f"At {before.total(before.seat)}, every number left went past {target}."
    loser = _name(match, match.mover(len(match.moves) - 1), you)
    return f"{loser} went from {before.total(before.seat)} to {match.position.total(before.seat)}."


def _forced(match: Match, outcome: Outcome) -> bool:
    """Whether every other last move would have ended the match in the same way."""
    before = match.positions[-2]
    return all(before.play_unchecked(move).outcome == outcome for move in before.legal_moves())


def _closer(match: Match, outcome: Outcome, you: Person | None) -> str:
    winner, target = match.person(outcome.winner), match.setup.rules.target
    near, far = (abs(match.position.total(match.seat(one)) - target) for one in (winner, winner.other))
    first = f"{_name(match, winner, you)} {_is(winner, you)} {near} away from {target}"
    other = "you" if winner.other is you else name_of(match, winner.other)
    return f"{first}, {other} {_is(winner.other, you)} {far} away."


def _is(person: Person, you: Person | None) -> str:
    return "are" if person is you else "is"


def _tie(match: Match, outcome: Outcome, you: Person | None) -> str:  # noqa: ARG001 - one signature for all
    away = abs(match.position.total(outcome.winner) - match.setup.rules.target)
    place = "first" if match.setup.first is match.person(outcome.winner) else "second"
    return f"Both are {away} away from {match.setup.rules.target}; then whoever moved {place} wins."


_TOLD: Final[dict[Reason, Callable[[Match, Outcome, Person | None], str]]] = {
    Reason.REACHED_TARGET: _reached,
    Reason.OVERSHOT: _overshot,
    Reason.CLOSER: _closer,
    Reason.TIE_RULE: _tie,
}
