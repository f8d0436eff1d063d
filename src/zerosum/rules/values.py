"""How the values of a game are read, from a rules file or from code: each limit and each refusal, once.

A reader returns the value as `Rules` holds it, or raises an error that says what is expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from zerosum.base import limits
from zerosum.base.errors import RulesError
from zerosum.base.text import check_name, shorten
from zerosum.rules.moves import Operation, Operations

Reader = Callable[[object], object]

_ID = re.compile(rf"[a-z0-9-]{{1,{limits.ID_LENGTH}}}")
_WORD = re.compile(r"[a-z0-9:-]{1,40}")
_OPERATIONS = ((Operation.ADD,), (Operation.ADD, Operation.SUBTRACT))
_SEATS = 2


def is_word(value: object) -> bool:
    """Whether this may be the name of a kind of player, or of a series."""
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def identifier(value: object) -> str:
    """Read the id of a game."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise RulesError(f"must be 1 to {limits.ID_LENGTH} characters out of a-z, 0-9 and -, in quotes.")
    return value


def title(value: object) -> str:
    """Read the name of a game."""
    if not isinstance(value, str):
        raise RulesError("must be text, in quotes.")
    return check_name(value, "name", limits.TITLE_LENGTH)


def whole_number(value: object) -> int:
    """Read a number."""
    # bool is an int in Python; `true` is not a number in a rules file.
    if type(value) is not int or abs(value) > limits.VALUE:
        raise RulesError(f"must be a whole number from {-limits.VALUE} to {limits.VALUE}.")
    return value


def pool(value: object) -> tuple[int, ...]:
    """Read a pool, and sort it."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= limits.POOL_NUMBERS:
        raise RulesError(f"must be a list of 1 to {limits.POOL_NUMBERS} numbers.")
    numbers = tuple(sorted(_number_of(n, one) for n, one in enumerate(value, 1)))
    if 0 in numbers:
        raise RulesError("0 is not allowed in a pool.")
    return numbers


def starts(value: object) -> tuple[int, ...]:
    """Read one start, or one for each seat; code may also give one start as a tuple."""
    if not isinstance(value, (list, tuple)):
        return (whole_number(value),)
    if len(value) != _SEATS and not (isinstance(value, tuple) and len(value) == 1):
        raise RulesError("must be one number, or a pair of numbers where totals are own.")
    return tuple(_number_of(n, one) for n, one in enumerate(value, 1))


def _number_of(place: int, value: object) -> int:
    """Read a number of a list; an error says which."""
    try:
        return whole_number(value)
    except RulesError as error:
        raise RulesError(f"number {place} of the list, {_quoted(value)}, {error}") from None


def _quoted(value: object) -> str:
    try:
        return shorten(repr(value))
    except (ValueError, RecursionError):
        return "too large to show"


def operations(value: object) -> Operations:
    """Read the operations."""
    words = tuple(value) if isinstance(value, (list, tuple)) else ()
    if words not in _OPERATIONS:
        raise RulesError('must be ["add"] or ["add", "subtract"].')
    return tuple(map(Operation, words))


def flag(value: object) -> bool:
    """Read a yes or no."""
    if not isinstance(value, bool):
        raise RulesError("must be true or false.")
    return value
