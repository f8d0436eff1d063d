"""What a language model, or a command that stands for one, is asked: the rules, what was played, and how to answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zerosum.arena.entrants.entrant import Turn
from zerosum.base.errors import RulesError
from zerosum.rules.describe import describe, wordless
from zerosum.rules.model import InvalidMove, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP, Move
from zerosum.rules.position import Position, start_position


class AnswerFormat(Enum):
    """How the answer is to be written."""

    LINE = "line"
    JSON = "json"
    TOOL = "tool"
    """By calling the function `move`; only an endpoint can offer one."""


@dataclass(frozen=True, slots=True)
class PromptStyle:
    """The switches of a prompt; a run notes them, since they change what is measured."""

    legal_moves: bool = False
    """Whether the legal moves are listed."""
    history: bool = True
    """Whether the prompt lists the moves so far."""
    thinking: bool = True
    """Whether the model may think before it answers."""
    format: AnswerFormat = AnswerFormat.LINE


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a prompt: how seats are named, which nouns stand for ours, and in which order the pool is listed."""

    seats: tuple[str, str] = ("seat 1", "seat 2")
    nouns: tuple[tuple[str, str], ...] = ()
    """A noun of `NOUNS` and the one that takes its place, both in the singular."""
    listing: tuple[int, ...] = ()
    """The pool in the order in which it is listed; nothing for ascending order."""

    def said(self, text: str) -> str:
        """Return a text with the nouns of this wording.

        >>> Wording(nouns=(("pool", "quay"), ("number", "crate"))).said("Numbers in the pool")
        'Crates in the quay'
        """
        table = dict(self.nouns)

        def noun(found: re.Match[str]) -> str:
            word = table.get(found[1].lower(), found[1].lower())
            return f"{word.capitalize() if found[1][0].isupper() else word}{found[2]}"

        return _NOUN.sub(noun, text) if table else text

    def listed(self, numbers: Sequence[int]) -> list[int]:
        """Return numbers of the pool in the order of the listing."""
        places = {number: place for place, number in reversed([*enumerate(self.listing)])}
        return sorted(numbers, key=lambda number: places.get(number, number))


NOUNS: Final = ("pool", "number", "total", "target", "player")
"""The nouns of a prompt that a wording may replace."""
_NOUN: Final = re.compile(rf"\b({'|'.join(NOUNS)})(s?)\b", re.IGNORECASE)
PLAIN: Final = Wording()
DEFAULT_STYLE: Final = PromptStyle()
_ENDS: Final = {
    AnswerFormat.LINE: "End with a line `MOVE: x`, where x is your move.",
    AnswerFormat.JSON: 'End with a JSON object `{"move": "x"}`, where x is your move.',
    AnswerFormat.TOOL: "End by calling the function `move` with your move.",
}
_ONLY: Final = {
    AnswerFormat.LINE: "Answer with one line `MOVE: x`, where x is your move, and nothing else.",
    AnswerFormat.JSON: 'Answer with a JSON object `{"move": "x"}`, where x is your move, and nothing else.',
    AnswerFormat.TOOL: "Answer by calling the function `move` with your move, and write nothing else.",
}


VERSION: Final = 2
"""The version of the words of a prompt. Sets of items keep the one that they were drawn with."""
_MARKED: Final = "A reply without a legal move counts as wrong."


def prompt(
    turn: Turn,
    style: PromptStyle = DEFAULT_STYLE,
    wording: Wording = PLAIN,
    *,
    forfeits: bool | None = None,
    marked: bool = False,
    version: int = VERSION,
) -> str:
    """Return the question of a turn; `forfeits` is whether an illegal move loses, None if the rules decide.

    What an illegal move costs replaces the last sentence of the rules in words; in an exam the reply is `marked`.
    """
    position, rules = turn.position, turn.position.rules
    if forfeits is None:
        forfeits = rules.invalid_move is InvalidMove.FORFEIT
    parts = [_head(position, wording), _rules(rules, wording)]
    if style.history:
        parts.append(_history(turn, wording))
    parts.append(_state(position, wording))
    if style.legal_moves:
        parts.append(f"Legal moves: {', '.join(map(position.text_of, _legal(position, wording)))}.")
    cost = (
        _MARKED
        if marked
        else "You lose at once if your move is not legal."
        if forfeits
        else "A move that is not legal costs you a try."
    )
    ends = _ENDS if style.thinking else _ONLY
    parts.append(f"{_notation(position, version)}\n{cost}\nIt is your turn. {ends[style.format]}")
    return "\n\n".join(parts) + "\n"


def refusal(text: str, why: str) -> str:
    """Return the message that follows an answer without a legal move."""
    return f"{text or 'Your answer'} is not a legal move: {why}. Choose another one, and end in the same way.\n"


def _head(position: Position, wording: Wording) -> str:
    me = wording.seats[position.seat - 1]
    where = f"in {me}" if wording.seats == PLAIN.seats else f"as {me}; {wording.seats[0]} moves first"
    return f"You are playing {position.rules.name}, {wording.said('a game for two players')}, {where}."


def check_words(rules: Rules) -> None:
    """Raise RulesError if a question cannot tell all rules of a game."""
    if untold := wordless(rules):
        raise RulesError(f"Nobody can be asked to play {rules.name}: a question has no words for {untold[0]}.")


def _rules(rules: Rules, wording: Wording) -> str:
    check_words(rules)
    lines = describe(rules, typed=False)[:-1]
    ascending, listed = (", ".join(map(str, pool)) for pool in (rules.pool, wording.listed(rules.pool)))
    lines[0] = lines[0].replace(ascending, listed)
    return "Rules:\n" + "\n".join(f"- {wording.said(line)}" for line in lines)


def _history(turn: Turn, wording: Wording) -> str:
    later = turn.start != start_position(turn.start.rules)
    if not turn.moves:
        return "The match begins here, in the middle of the game." if later else "No move has been made yet."
    seat_moves = []
    position = turn.start
    for move in turn.moves:
        seat_moves.append(f"{wording.seats[position.seat - 1]} {_spoken(move, position)}")
        position = position.play_unchecked(move)
    began = "The match began in the middle of the game. Moves since then" if later else "Moves so far"
    return f"{began}: {'; '.join(seat_moves)}."


def _spoken(move: Move, position: Position) -> str:
    return "swapped seats" if move == SWAP else f"played {position.text_of(move)}"


def _state(position: Position, wording: Wording) -> str:
    numbers = f"{wording.said('Numbers')} left: {', '.join(map(str, wording.listed(position.pool)))}."
    if position.rules.totals is Totals.SHARED:
        return f"{numbers}\n{wording.said('Total')}: {position.totals[0]}."
    mine, theirs = position.total(position.seat), position.total(position.seat.other)
    yours, others = wording.said("Your total"), wording.said("The other player's total")
    return f"{numbers}\n{yours}: {mine}. {others}: {theirs}."


def _legal(position: Position, wording: Wording) -> list[Move]:
    """Return the legal moves in the order of the listing, adding before subtracting, swap last."""
    moves = position.legal_moves()
    by_number = {number: [move for move in moves if move != SWAP and move.number == number] for number in position.pool}
    listed = [move for number in wording.listed([*by_number]) for move in by_number[number]]
    return [*listed, *(move for move in moves if move == SWAP)]


def _notation(position: Position, version: int) -> str:
    swap = " Write swap to change seats." if position.swap_open else ""
    signs = _first_signs if version == 1 else _signs
    return f"{signs(position.rules)}{swap}"


def _signs(rules: Rules) -> str:
    """Return how a move is written; of signs that no move has, nothing is said."""
    adds = rules.operations == ADD_ONLY
    some = {
        "+5 adds 5": max(rules.pool) >= 0,
        "-5 subtracts 5": not adds and max(rules.pool) >= 0,
        "-3 adds -3": adds and min(rules.pool) < 0,
        "+-3 adds -3": not adds and min(rules.pool) < 0,
        "--3 subtracts -3": not adds and min(rules.pool) < 0,
    }
    how = "as the number with its sign" if adds else "with the sign of the operation"
    return f"Write a move {how}: {', '.join(words for words, apply in some.items() if apply)}."


def _first_signs(rules: Rules) -> str:
    """Return how version 1 says it, whether or not there are negative numbers."""
    if rules.operations == ADD_ONLY:
        return "Write a move as the number with its sign: +5 adds 5, -3 adds -3."
    return "Write a move with the sign of the operation: +5 adds 5, -5 subtracts 5, +-3 adds -3."
