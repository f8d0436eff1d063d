r"""What a language model is asked (the rules, what was played, how to answer), and the tolerant reading of its reply.

The last line `MOVE: x` counts; without one, the last `\boxed{x}` or JSON object with a `move`; with `lenient`, the last
word that is a move. A clear answer counts as it is, legal or not: the parser looks for no legal move behind an illegal
one. Two different moves in the answer are no answer. A reply that was cut off before or in its answer is `TRUNCATED`.
Text between `<think>` and `</think>` is not part of a reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zerosum.arena.entrants.entrant import Turn
from zerosum.base.errors import InvalidTextError, RulesError
from zerosum.base.text import plain_minus
from zerosum.match.typed_moves import PROSE
from zerosum.rules.describe import describe, wordless
from zerosum.rules.model import InvalidMove, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP, Move, Operations, format_move, parse_move
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
    history: bool = True
    thinking: bool = True
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
    swap = " Write swap to change seats." if position.swap_open else ""
    signs = (_first_signs if version == 1 else _signs)(rules)
    parts.append(f"{signs}{swap}\n{cost}\nIt is your turn. {ends[style.format]}")
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


_MOST: Final = 200_000
"""Characters of a reply that are read: the last ones."""
_LINE: Final = re.compile(r"(?im)^[\s>*_#`~\"'-]*(?:final\s+|my\s+)?move\s*[*_`]*\s*[:=\N{FULLWIDTH COLON}]\s*(.*)$")
_BOXED: Final = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_TEXT: Final = re.compile(r"\\text\w*\s*\{([^{}]*)\}")
_OBJECT: Final = re.compile(r"\{[^{}]*\}")
_THOUGHT: Final = re.compile(r"(?is)<(think|thinking|reasoning)>.*?(?:</\1>|\Z)")
_THOUGHT_END: Final = re.compile(r"(?is)\A.*</(?:think|thinking|reasoning)>")
_ASIDE: Final = re.compile(r"\([^()]*\)")
_WORDS: Final = re.compile(r"(?i)\b(add|plus|subtract|minus)\s+([+-]?[0-9]+)\b")
_SIGN: Final = {"add": "+", "plus": "+", "subtract": "-", "minus": "-"}
_MOVE: Final = re.compile(r"swap|[+-]{0,2}[0-9]{1,9}")


class ReplyKind(Enum):
    """What a reply is."""

    MOVE = "move"
    """It names one move, legal or not."""
    UNREADABLE = "unreadable"
    """It names none, or several."""
    TRUNCATED = "truncated"
    """It ended before it named one."""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A reply as it was read; `move` is its text as records write it."""

    kind: ReplyKind
    move: str = ""
    double: bool = False
    """Whether it is unreadable because its answer names different moves."""


def read_reply(text: str, operations: Operations, *, lenient: bool = False, truncated: bool = False) -> ParsedReply:
    r"""Return what a reply says in a game with these operations.

    >>> read_reply("I take 5.\n**MOVE: +5**", ADD_ONLY).move, read_reply("MOVE: +5 or +6", ADD_ONLY).kind.value
    ('+5', 'unreadable')
    """
    text = _THOUGHT_END.sub("", _THOUGHT.sub("\n", text[-_MOST:]))
    answer = _answer(text, truncated=truncated)
    if answer is None and lenient and not truncated:
        moves = [move for word in text.split() if (move := _move(word, operations))]
        answer = moves[-1] if moves else None
    found = {} if answer is None else dict.fromkeys(_moves(answer, operations))
    if len(found) == 1:
        return ParsedReply(ReplyKind.MOVE, next(iter(found)))
    return ParsedReply(
        ReplyKind.TRUNCATED if truncated and answer is None else ReplyKind.UNREADABLE, double=len(found) > 1
    )


def _answer(text: str, *, truncated: bool) -> str | None:
    """Return the part of a reply that is its answer: that of the last line, else the last box or object.

    A last line at which a reply was cut off is none: `MOVE: +1` may have been going to be `MOVE: +12`.
    """
    lines = [*_LINE.finditer(text)]
    if lines:
        cut = truncated and lines[-1].end() == len(text)
        return None if cut else str(lines[-1][1])
    found = [(one.start(), one[1]) for one in _BOXED.finditer(text)]
    for one in _OBJECT.finditer(text):
        move = _in_object(one[0])
        if move is not None:
            found.append((one.start(), move))
    return max(found)[1] if found else None


def _in_object(text: str) -> str | None:
    """Return the move of a JSON object, None if it is none or has no move."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    move = found.get("move", found.get("MOVE")) if isinstance(found, dict) else None
    return str(move) if isinstance(move, str | int) and not isinstance(move, bool) else None


def _moves(answer: str, operations: Operations) -> list[str]:
    """Return the moves that an answer names; beside a signed one, bare numbers are only talk."""
    plain = _TEXT.sub(r"\1", _BOXED.sub(r" \1 ", answer))
    plain = _ASIDE.sub(" ", _WORDS.sub(lambda found: f" {_SIGN[found[1].lower()]}{found[2]} ", plain_minus(plain)))
    words = re.split(r"[\s,;/|]+", plain)
    signed = [word for word in words if word.strip(PROSE.edges)[:1] in ("+", "-", "s", "S")]
    found = [move for word in signed if (move := _move(word, operations))]
    return found or [move for word in words if (move := _move(word, operations))]


def _move(word: str, operations: Operations) -> str:
    """Return a word as a move, as records write it; nothing if it is none."""
    plain = PROSE.plain(word)
    # In a game that only adds, two signs are no move.
    if not _MOVE.fullmatch(plain) or (operations == ADD_ONLY and plain[:2] in ("+-", "--", "++", "-+")):
        return ""
    try:
        return format_move(parse_move(plain, operations), operations)
    except InvalidTextError:
        return ""
