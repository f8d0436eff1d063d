"""A line of play told step by step, for pages that teach: who moves, what it does, how things stand then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from zerosum.coach.phrases import deed, third
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move, Operation
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position, start_position

SEATS: Final = {Seat.FIRST: "the first player", Seat.SECOND: "the second player"}


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a line: its number, who makes it, its text, and the position after it."""

    n: int
    seat: Seat
    move: str
    before: Position
    after: Position
    words: str


def steps(rules: Rules, moves: Iterable[Move]) -> list[Step]:
    """Return the steps of a line from the start.

    >>> from zerosum.rules.files import load_game
    >>> from zerosum.rules.moves import Move
    >>> for step in steps(load_game("sum-to-zero"), [Move(-9), Move(9)]):
    ...     print(step.words)
    The first player plays -9.
    The second player plays +9, makes 0, and wins.
    """
    told: list[Step] = []
    position = start_position(rules)
    for n, move in enumerate(moves, 1):
        after = position.play(move)
        words = _words(position, move, after)
        told.append(Step(n, position.seat, position.text_of(move), position, after, words))
        position = after
    return told


def _words(position: Position, move: Move, after: Position) -> str:
    who = capital(SEATS[position.seat])
    if move.operation is Operation.SWAP:
        return f"{who} says swap: the two change seats."
    plays = f"{who} plays {position.text_of(move)}"
    if after.outcome is not None:
        result = "wins" if after.outcome.winner is position.seat else "loses"
        return f"{plays}, {deed(position, move, third)}, and {result}."
    refilled = len(after.pool) > len(position.pool)
    return f"{plays}. It is a tie: sudden death, all numbers are back." if refilled else f"{plays}."


def capital(text: str) -> str:
    """Return a text that begins as sentences do."""
    return text[:1].upper() + text[1:]


def ended(outcome: Outcome, rules: Rules) -> str:
    """Return how a match ended, told of the two seats."""
    winner, loser, target = SEATS[outcome.winner], SEATS[outcome.winner.other], rules.target
    how = {
        Reason.REACHED_TARGET: f"{target} was made",
        Reason.OVERSHOT: f"{loser} passed {target}",
        Reason.LAST_MOVER: f"{winner} took the last number",
        Reason.CLOSER: f"{winner} is closer to {target}",
        Reason.TIE_RULE: f"both are equally far from {target}, and a tie goes to {winner}",
    }[outcome.reason]
    return f"{capital(winner)} has won: {how}."


def totals(position: Position) -> str:
    """Return the total, or both as seat 1/seat 2."""
    return "/".join(map(str, position.totals))
