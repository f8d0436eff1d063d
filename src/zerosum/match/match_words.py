"""A match in words and in pictures, whatever shows it: names, totals, how it ended, who took what."""

from __future__ import annotations

from typing import Final

from zerosum.base.text import printable
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.outcome import Outcome, Reason

_LEAST: Final = 10
"""The least that is shown on either side of the target."""


def name_of(match: Match, person: Person) -> str:
    """Return somebody's name, safe to show."""
    return printable(match.setup.name(person))


def title(match: Match, names: tuple[str, str] | None = None) -> str:
    """Return what a review is of; `names` are what the two persons are called, if not by their own names."""
    first = match.setup.first
    one, two = (names or _names(match))[:: 1 if first is Person.ONE else -1]
    return f"{printable(match.setup.rules.name)}: {one} against {'you' if two == 'You' else two}"


def _names(match: Match) -> tuple[str, str]:
    return name_of(match, Person.ONE), name_of(match, Person.TWO)


def totals_after(match: Match, ply: int) -> tuple[tuple[Person | None, int], ...]:
    """Return the totals after `ply` moves, each with whose it is: Player 1 before Player 2, a shared one nobody's."""
    totals = match.positions[ply].totals
    if len(totals) == 1:
        return ((None, totals[0]),)
    return tuple((person, _own(match, ply, person)) for person in Person)


def _own(match: Match, ply: int, person: Person) -> int:
    seat = match.positions[ply].seat
    return match.positions[ply].total(seat if match.person(seat, ply) is person else seat.other)


def result(match: Match, you: Person | None = None, names: tuple[str, str] | None = None, *, clock: bool = True) -> str:
    """Return how a match ended, or that it has not; `you` is the reader, if the reader played.

    `names` are what the two persons are called, if not by their own names. Without a clock nobody runs out of time: who
    lost the match that way had left it.
    """
    outcome, names = match.outcome, names or _names(match)
    if outcome is None:
        to_move = "you are" if match.to_move is you else f"{names[match.to_move - 1]} is"
        return f"The match is unfinished; {to_move} to move."
    winner = match.person(outcome.winner)
    who = "You" if winner is you else names[winner - 1]
    loser = "you" if winner.other is you else names[winner.other - 1]
    if outcome.reason is Reason.TIME and not clock:
        return f"{who} won: {loser} left."
    return f"{who} won{_how(match, outcome, loser)}."


def _how(match: Match, outcome: Outcome, loser: str) -> str:
    target, winner = match.setup.rules.target, match.person(outcome.winner)
    won_by_move = bool(match.moves) and match.mover(len(match.moves) - 1) is winner
    return {
        Reason.REACHED_TARGET: f" by making {target}" if won_by_move else f": {loser} made {target}",
        Reason.OVERSHOT: f": {loser} passed {target}",
        Reason.LAST_MOVER: " by taking the last number",
        Reason.CLOSER: f", closer to {target}",
        Reason.TIE_RULE: " by the rule for ties",
        Reason.FORFEIT: f": {loser} forfeited",
        Reason.RESIGNED: f": {loser} resigned",
        Reason.TIME: f": {loser} ran out of time",
        Reason.PLY_LIMIT: f": the match was stopped after {len(match.moves)} moves",
    }[outcome.reason]


def takers(match: Match) -> dict[int, list[Person]]:
    """Return who took which numbers since the pool was last full; of equal numbers, in the order they were taken."""
    found: dict[int, list[Person]] = {}
    for ply in range(len(match.moves) - 1, -1, -1):
        if match.moves[ply].number:
            found.setdefault(match.moves[ply].number, []).insert(0, match.mover(ply))
        if match.positions[ply].pool == match.setup.rules.pool:
            break
    return found if match.position.pool != match.setup.rules.pool else {}


def span(match: Match) -> tuple[int, int]:
    """Return the part of the number line to show: start to target if totals only rise, else both sides of it."""
    rules = match.setup.rules
    totals = [total for position in match.positions for total in position.totals]
    only_up = rules.operations == ADD_ONLY and min(rules.pool) > 0 and max(rules.start) < rules.target
    if only_up:
        return min(rules.start), max(rules.target, *totals)
    far = max(_LEAST, *(abs(total - rules.target) for total in totals))
    return rules.target - far, rules.target + far
