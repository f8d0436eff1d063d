"""The one reader of moves that people and programs write, and which answers the invalid-move policy is about.

Every reader ends in `parse_move`, the notation of records. A `Patience` says what is forgiven before that.

At a prompt, words are commands. A command, its short form or a slip of one letter in it is never handed to the rules,
so it never forfeits (ruling 4). An answer is a move, a number that still needs its operation, or no move: after
`Unreadable` text the person is always asked again; a `Forbidden` answer is asked for again or forfeits, as the rules
say.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from zerosum.base.errors import InvalidTextError
from zerosum.base.text import parse_number, plain_minus
from zerosum.rules.moves import ADD_ONLY, Move, Operation, parse_move
from zerosum.rules.position import Clause, Position

_NAMES: Final = {
    "add": Operation.ADD,
    "plus": Operation.ADD,
    "subtract": Operation.SUBTRACT,
    "minus": Operation.SUBTRACT,
}
OPERATION_WORDS: Final = {
    "+": Operation.ADD,
    "-": Operation.SUBTRACT,
    "\N{MINUS SIGN}": Operation.SUBTRACT,
    **{name[:end]: operation for name, operation in _NAMES.items() for end in range(1, len(name) + 1)},
}
"""What chooses an operation: a sign, or any beginning of a name (ruling 4)."""
FIRST_OPERATION_WORDS: Final = frozenset({"+", "-", "\N{MINUS SIGN}", "a", "add", "s", "subtract"})
"""What chose an operation in earlier versions, by which kept matches are read: there `sub` forfeited."""


@dataclass(frozen=True, slots=True)
class Patience:
    """What a reader forgives in the text of a move."""

    edges: str = ""
    """Characters that may stand around a move."""
    capitals: bool = False
    """Whether `SWAP` is a swap."""
    any_sign: bool = False
    """Whether a fullwidth plus sign is a plus sign."""

    def plain(self, text: str) -> str:
        """Return a text as the notation would write it, if it is a move."""
        text = plain_minus(text.replace("\N{FULLWIDTH PLUS SIGN}", "+")) if self.any_sign else text
        text = text.strip(self.edges) if self.edges else text
        return "swap" if self.capitals and text.lower() == "swap" else text


NOTATION: Final = Patience()
"""Of records, `--moves`, bots and the API."""
TYPED: Final = Patience(edges=" \t\r\n", capitals=True)
"""Of a prompt or a form that a person fills in."""
PROSE: Final = Patience(
    edges=".,;:!?*_`\"'$\\[]{}<>~\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}",
    capitals=True,
    any_sign=True,
)
"""Of a word in a language model's reply."""

COMMANDS: Final = ("hint", "hint then", "hint more", "undo", "moves", "rules", "resign", "quit", "help")
SHORT_FORMS: Final = {"q": "quit", "exit": "quit", "?": "help", "h": "help"}


@dataclass(frozen=True, slots=True)
class PromptCommand:
    """A command that was typed; not `exact` if it was misspelt."""

    word: str
    exact: bool = True


def read_prompt_command(text: str) -> PromptCommand | None:
    """Return the command that an answer is: in full, in short, or with one slip; None if it is none.

    >>> read_prompt_command("Q"), read_prompt_command("hlep")
    (PromptCommand(word='quit', exact=True), PromptCommand(word='help', exact=False))
    """
    typed = text.lower()
    if typed in COMMANDS or typed in SHORT_FORMS:
        return PromptCommand(SHORT_FORMS.get(typed, typed))
    for word in (*COMMANDS, "exit"):
        if _one_slip(typed, word):
            return PromptCommand(SHORT_FORMS.get(word, word), exact=False)
    return None


def means(text: str, word: str) -> bool:
    """Return whether an answer is this command, in full, in short, or with one slip."""
    command = read_prompt_command(text)
    return command is not None and command.word == word


def _one_slip(typed: str, word: str) -> bool:
    """Whether a word was typed with one letter wrong, missing or too many, or with two neighbours swapped."""
    if len(typed) == len(word):
        wrong = [at for at, (one, other) in enumerate(zip(typed, word, strict=True)) if one != other]
        at = wrong[0] if wrong else 0
        return len(wrong) == 1 or typed[:at] + typed[at : at + 2][::-1] + typed[at + 2 :] == word
    shorter, longer = sorted((typed, word), key=len)
    if len(longer) != len(shorter) + 1:
        return False
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


@dataclass(frozen=True, slots=True)
class Chosen:
    """An available number whose operation is still to be given."""

    number: int


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Text that is no selection at all."""

    message: str


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A selection that the rules forbid; `operation` is None if none was given."""

    number: int
    operation: Operation | None
    clause: Clause

    @property
    def move(self) -> Move:
        """The move that was meant; a number without an operation is added."""
        return Move(self.number, self.operation or Operation.ADD)


Answer = Move | Chosen | Unreadable | Forbidden


def read_whole_move(position: Position, text: str, patience: Patience = TYPED) -> Move | Unreadable | Forbidden:
    """Read a text that should write a whole legal move, sign and all."""
    try:
        move = parse_move(patience.plain(text), position.rules.operations)
    except InvalidTextError as error:
        return Unreadable(str(error))
    clause = position.objection(move)
    return move if clause is None else Forbidden(move.number, move.operation, clause)


def read_number(position: Position, text: str, whole: Move | None = None) -> Answer:
    """Read the answer at the number prompt; `whole` is the move it writes, if that is known already."""
    operations = position.rules.operations
    text = TYPED.plain(text)
    whole = whole or _whole_move(position, text)
    if whole is not None and position.objection(whole) is None:
        return whole
    if text == "swap":
        return Unreadable(f"You cannot swap now: {Clause.SWAP.value}.")
    try:
        number = parse_number(text)
    except InvalidTextError as error:
        return Unreadable(str(error))
    if number in position.pool and operations != ADD_ONLY:
        return Chosen(number)
    move = whole or Move(number)
    return Forbidden(move.number, move.operation if whole else None, position.objection(move) or Clause.NUMBER)


def read_operation(
    position: Position, number: int, text: str, words: Collection[str] = frozenset(OPERATION_WORDS)
) -> Answer:
    """Read the answer at the operation prompt, for a number that is available; `words` choose an operation."""
    word = text.strip().lower()
    operation = OPERATION_WORDS.get(word)
    if operation is None or word not in words:
        return Forbidden(number, None, Clause.OPERATION)
    move = Move(number, operation)
    clause = position.objection(move)
    return move if clause is None else Forbidden(number, operation, clause)


def _whole_move(position: Position, text: str) -> Move | None:
    """Return the move that a text writes; if a game adds or subtracts, it must begin with a sign."""
    try:
        return parse_move(text, position.rules.operations)
    except InvalidTextError:
        return None
