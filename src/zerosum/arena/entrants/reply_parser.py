r"""What a reply in prose says: the tolerant parser of moves.

The last line `MOVE: x` counts; without one, the last `\boxed{x}` or JSON object with a `move`; with `lenient`, the last
word that is a move. A clear answer counts as it is, legal or not: the parser looks for no legal move behind an illegal
one. Two different moves in the answer are no answer. A reply that was cut off before or in its answer is `TRUNCATED`.
Text between `<think>` and `</think>` is not part of a reply.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zerosum.base.errors import InvalidTextError
from zerosum.base.text import plain_minus
from zerosum.match.typed_moves import PROSE
from zerosum.rules.moves import ADD_ONLY, Move, Operations, format_move, parse_move

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
    if not _MOVE.fullmatch(plain):
        return ""
    try:
        return format_move(_parsed(plain, operations), operations)
    except InvalidTextError:
        return ""


def _parsed(text: str, operations: Operations) -> Move:
    """Return the move; in a game that only adds, two signs are no move."""
    if operations == ADD_ONLY and text[:2] in ("+-", "--", "++", "-+"):
        raise InvalidTextError(f"'{text}' is not a move here.")
    return parse_move(text, operations)
