"""A law in English, applied to one position by its two facts: in full once a match, and then short."""

from __future__ import annotations

from typing import Final

from zerosum.base.english import count, seat_name
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position
from zerosum.solver import Fact, Law, Verdict
from zerosum.strategy.phrases import Subject, Subjects

_COUNTED: Final = {Fact.ODD: "an odd count", Fact.EVEN: "an even count"}


def law_words(law: Law, position: Position, who: Subjects) -> list[str]:
    """Return why a law decides a position: that its loser cannot make the target now, and the law's fact.

    `you` is the winner and `they` the loser, whichever of them is to move.
    """
    lost = law.verdict(position) is Verdict.LOSS
    facts = [_cannot_make(law, position, who.they)] if lost and law.makes else []
    return [*facts, _fact(law, position, who.you, lost=lost)]


def law_short(law: Law, position: Position, who: Subjects) -> list[str]:
    """Return the same in a few words, for somebody who has been told in full."""
    lost = law.verdict(position) is Verdict.LOSS
    left = count(len(position.pool), "number")
    if law.fact in _COUNTED:
        return [f"Out of reach again, with {left} left." if lost else f"{left} left again, {_parity(position)}."]
    return ["Out of reach again."] if lost else [f"{who.you.does('are')} still the {_nth(law, position)} player."]


def _parity(position: Position) -> str:
    return _COUNTED[Fact.ODD if len(position.pool) % 2 else Fact.EVEN]


def _cannot_make(law: Law, position: Position, loser: Subject) -> str:
    """Return that the side to move cannot make the target now, and why not."""
    need = law.target - position.total(position.seat)
    numbers = (need,) if position.rules.operations == ADD_ONLY else (abs(need), -abs(need))
    cannot = f"{loser.name} cannot make {law.target} now"
    if any(number in position.pool for number in numbers):
        return f"{cannot}."
    gone = next((number for number in numbers if number in position.rules.pool), None)
    if gone is not None:
        return f"{cannot} ({gone} is gone)."
    return f"{cannot} ({loser.does('need')} {need})." if need else f"{cannot} (every number leads away from it)."


def _fact(law: Law, position: Position, winner: Subject, *, lost: bool) -> str:
    if law.fact in _COUNTED:
        left = count(len(position.pool), "number")
        are = "is" if len(position.pool) == 1 else "are"
        if _last_is_winner(position, lost=lost):
            return f"{left} {are} left, {_parity(position)}, so {winner.does('move')} last."
        return f"{left} {are} left, {_parity(position)}, and here that loses."
    if law.fact is Fact.NONE:
        return "Whoever cannot make it loses." if law.makes else "In this game the player to move always loses."
    nth = _nth(law, position) if not lost else _other(seat_name(position.seat))
    if always_ties(position.rules) and nth == "first":
        return _tie(position, winner, lost=lost)
    return f"{winner.does('are')} the {nth} player, who wins by the law of this game."


def _last_is_winner(position: Position, *, lost: bool) -> bool:
    """Whether the winner takes the last number of the pool, if it comes to that."""
    mover_takes_last = len(position.pool) % 2 == 1
    return mover_takes_last is not lost and position.rules.tie is None


def _nth(law: Law, position: Position) -> str:
    return law.fact.value if law.fact in (Fact.FIRST, Fact.SECOND) else seat_name(position.seat)


def _other(nth: str) -> str:
    return "second" if nth == "first" else "first"


def always_ties(rules: Rules) -> bool:
    """Whether the totals cancel whenever the numbers run out, and the first player then begins the new round."""
    cancels = rules.operations == ADD_ONLY and sum(rules.pool) == 0 and sum(rules.start) == 2 * rules.target
    return rules.tie is Tie.SUDDEN_DEATH and cancels and len(rules.pool) % 2 == 0


def _tie(position: Position, winner: Subject, *, lost: bool) -> str:
    """Return that the round ends in a tie and the winner begins the next; far from the target, what to do first."""
    rules = position.rules
    far, reach = abs(position.totals[0] - rules.target), max(map(abs, rules.pool))
    tie = f"the round is a tie and {winner.does('begin')} the next"
    if far <= reach:
        return f"If nobody makes {rules.target}, {tie}."
    if lost and winner.name == "you":
        return f"Without a {rules.target} {tie}: get back within {reach} of {rules.target} first."
    return f"Without a {rules.target} {tie}, after getting back within {reach} of {rules.target}."
