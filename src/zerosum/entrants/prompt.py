"""What a language model, or a command that stands for one, is asked: the rules, what was played, and how to answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from zerosum.entrants.entrant import Turn
from zerosum.rules.describe import describe
from zerosum.rules.model import InvalidMove, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP, Move
from zerosum.rules.position import Position


class Format(Enum):
    """How the answer is to be written."""

    LINE = "line"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Style:
    """The switches of a prompt; a run notes them, since they change what is measured."""

    legal_moves: bool = False
    """Whether the legal moves are listed."""
    history: bool = True
    """Whether the moves of both players are told."""
    thinking: bool = True
    """Whether the model may think before it answers."""
    format: Format = Format.LINE


STYLE: Final = Style()
_ENDS: Final = {
    Format.LINE: "End with a line `MOVE: x`, where x is your move.",
    Format.JSON: 'End with a JSON object `{"move": "x"}`, where x is your move.',
}
_ONLY: Final = {
    Format.LINE: "Answer with one line `MOVE: x`, where x is your move, and nothing else.",
    Format.JSON: 'Answer with a JSON object `{"move": "x"}`, where x is your move, and nothing else.',
}


def prompt(turn: Turn, style: Style = STYLE, *, forfeits: bool | None = None) -> str:
    """Return what is asked in a turn; `forfeits` is whether an illegal move loses, where not as the rules say.

    What an illegal move costs is the last thing that rules say in words, and is said here instead.
    """
    position, rules = turn.position, turn.position.rules
    if forfeits is None:
        forfeits = rules.invalid_move is InvalidMove.FORFEIT
    parts = [
        f"You are playing {rules.name}, a game for two players, in seat {position.seat.value}.",
        "Rules:\n" + "\n".join(f"- {line}" for line in describe(rules, typed=False)[:-1]),
    ]
    if style.history:
        parts.append(_history(turn))
    parts.append(_state(position))
    if style.legal_moves:
        parts.append(f"Legal moves: {', '.join(map(position.text_of, position.legal_moves()))}.")
    cost = "You lose at once if your move is not legal." if forfeits else "A move that is not legal costs you a try."
    ends = _ENDS if style.thinking else _ONLY
    parts.append(f"{_notation(position)}\n{cost}\nIt is your turn. {ends[style.format]}")
    return "\n\n".join(parts) + "\n"


def refusal(text: str, why: str) -> str:
    """Return what is said after an answer that was no legal move."""
    return f"{text or 'Your answer'} is not a legal move: {why}. Choose another one, and end in the same way.\n"


def _history(turn: Turn) -> str:
    if not turn.moves:
        return "No move has been made yet." if turn.start.pool == turn.start.rules.pool else f"Began at: {turn.start}"
    seat_moves = []
    position = turn.start
    for move in turn.moves:
        seat_moves.append(f"seat {position.seat.value} {_spoken(move, position)}")
        position = position.play_unchecked(move)
    return f"Moves so far: {'; '.join(seat_moves)}."


def _spoken(move: Move, position: Position) -> str:
    return "swapped seats" if move == SWAP else f"played {position.text_of(move)}"


def _state(position: Position) -> str:
    numbers = f"Numbers left: {', '.join(map(str, position.pool))}."
    if position.rules.totals is Totals.SHARED:
        return f"{numbers}\nTotal: {position.totals[0]}."
    mine, theirs = position.total(position.seat), position.total(position.seat.other)
    return f"{numbers}\nYour total: {mine}. The other player's total: {theirs}."


def _notation(position: Position) -> str:
    swap = " Write swap to change seats." if position.swap_open else ""
    return f"{_signs(position.rules)}{swap}"


def _signs(rules: Rules) -> str:
    if rules.operations == ADD_ONLY:
        return "Write a move as the number with its sign: +5 adds 5, -3 adds -3."
    return "Write a move with the sign of the operation: +5 adds 5, -5 subtracts 5, +-3 adds -3."
