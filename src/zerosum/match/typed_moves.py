"""How an answer at a prompt is read, and which answers the invalid-move policy is about.

Words are commands. A command, its short form or a slip of one letter in it is never handed to the rules, so it never
forfeits (ruling 4).

An answer is a move, a number that still needs its operation, or no move: after `Unreadable` text the person is always
asked again; a `Forbidden` answer is asked for again or forfeits, as the rules say.
"""

from dataclasses import dataclass
from typing import Final

from zerosum.base.errors import InvalidTextError
from zerosum.base.numbers import parse_number
from zerosum.rules.moves import ADD_ONLY, Move, Operation, parse_move
from zerosum.rules.position import Clause, Position

OPERATION_WORDS: Final = {
    "a": Operation.ADD,
    "add": Operation.ADD,
    "+": Operation.ADD,
    "s": Operation.SUBTRACT,
    "subtract": Operation.SUBTRACT,
    "-": Operation.SUBTRACT,
    "\N{MINUS SIGN}": Operation.SUBTRACT,
}

COMMANDS: Final = ("hint", "hint more", "undo", "moves", "rules", "resign", "quit", "help")
SHORT_FORMS: Final = {"q": "quit", "exit": "quit", "?": "help", "h": "help"}


@dataclass(frozen=True, slots=True)
class Command:
    """A command that was typed; not `exact` where it was misspelt."""

    word: str
    exact: bool = True


def read_command(text: str) -> Command | None:
    """Return the command that an answer is: in full, in short, or with one slip; None if it is none.

    >>> read_command("Q"), read_command("hlep")
    (Command(word='quit', exact=True), Command(word='help', exact=False))
    """
    typed = text.lower()
    if typed in COMMANDS or typed in SHORT_FORMS:
        return Command(SHORT_FORMS.get(typed, typed))
    for word in (*COMMANDS, "exit"):
        if _one_slip(typed, word):
            return Command(SHORT_FORMS.get(word, word), exact=False)
    return None


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
    """A selection that the rules forbid; `operation` is None where none was given."""

    number: int
    operation: Operation | None
    clause: Clause


Answer = Move | Chosen | Unreadable | Forbidden


def read_number(position: Position, text: str, whole: Move | None = None) -> Answer:
    """Read the answer at the number prompt; `whole` is the move it writes, where that is known already."""
    operations = position.rules.operations
    text = "swap" if text.lower() == "swap" else text
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


def read_operation(position: Position, number: int, text: str) -> Answer:
    """Read the answer at the operation prompt, for a number that is available."""
    operation = OPERATION_WORDS.get(text.lower())
    if operation is None:
        return Forbidden(number, None, Clause.OPERATION)
    move = Move(number, operation)
    clause = position.objection(move)
    return move if clause is None else Forbidden(number, operation, clause)


def _whole_move(position: Position, text: str) -> Move | None:
    """Return the move a text writes; where a game adds or subtracts, it must begin with a sign."""
    try:
        return parse_move(text, position.rules.operations)
    except InvalidTextError:
        return None
