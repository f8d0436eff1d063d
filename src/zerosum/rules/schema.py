"""The keys of a rules file: how each is read, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from zerosum.rules import limits
from zerosum.rules.errors import BadNameError, RulesError
from zerosum.rules.guess import did_you_mean
from zerosum.rules.model import Ban, Exhausted, InvalidMove, Overshoot, Reaching, Rules, Tie, Totals
from zerosum.rules.moves import Operation, Operations
from zerosum.rules.numbers import shorten
from zerosum.rules.text import check_name

FORMAT: Final = 1
RulesDict = dict[str, Any]

_ID = re.compile(rf"[a-z0-9-]{{1,{limits.ID_LENGTH}}}")
_OPERATIONS = (["add"], ["add", "subtract"])


def rules_from_dict(table: RulesDict) -> Rules:
    """Return the rules that a table of keys and values writes."""
    for key in table:
        if key not in READERS:
            hint = did_you_mean(key, READERS, f"The keys are {', '.join(READERS)} and like.")
            raise RulesError(f"{shorten(key)}: unknown key. {hint}")
    for key in ("format", "id", "name", "pool", "target"):
        if key not in table:
            raise RulesError(f"{key}: missing.")
    values: dict[str, Any] = {}
    for key, value in table.items():
        try:
            values[key.replace("-", "_")] = READERS[key](value)
        except (RulesError, BadNameError) as error:
            raise RulesError(f"{key}: {error}") from None
    del values["format"]
    return Rules(**values)


def rules_to_dict(rules: Rules) -> RulesDict:
    """Return the full table that `rules_from_dict` reads back, keys in the order they are documented."""
    table: RulesDict = {"format": FORMAT}
    for key in READERS:
        value = getattr(rules, key.replace("-", "_"), None)
        if value is not None:
            table[key] = _plain(value)
    if len(set(rules.start)) == 1:
        table["start"] = rules.start[0]
    return table


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, StrEnum) else value


def _format(value: object) -> int:
    if type(value) is int and FORMAT < value <= limits.VALUE:
        raise RulesError(f"{value} is newer than this zerosum reads, which is {FORMAT}.")
    if type(value) is not int or value != FORMAT:
        raise RulesError(f"must be {FORMAT}.")
    return value


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise RulesError(f"must be 1 to {limits.ID_LENGTH} characters out of a-z, 0-9 and -, in quotes.")
    return value


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise RulesError("must be text, in quotes.")
    return check_name(value, "name", limits.TITLE_LENGTH)


def _integer(value: object) -> int:
    # bool is an int in Python; `true` is not a number in a rules file.
    if type(value) is not int or abs(value) > limits.VALUE:
        raise RulesError(f"must be a whole number from {-limits.VALUE} to {limits.VALUE}.")
    return value


def _pool(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= limits.POOL_NUMBERS:
        raise RulesError(f"must be a list of 1 to {limits.POOL_NUMBERS} numbers.")
    pool = tuple(_integer(number) for number in value)
    if 0 in pool:
        raise RulesError("0 is not allowed in a pool.")
    return pool


def _start(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        return (_integer(value),)
    if len(value) != len(("seat 1", "seat 2")):
        raise RulesError("must be one number, or a pair of numbers where totals are own.")
    return tuple(_integer(number) for number in value)


def _operations(value: object) -> Operations:
    if value not in _OPERATIONS or not isinstance(value, list):
        raise RulesError('must be ["add"] or ["add", "subtract"].')
    return tuple(Operation(word) for word in value)


def _swap(value: object) -> bool:
    if not isinstance(value, bool):
        raise RulesError("must be true or false.")
    return value


def _one_of(words: type[StrEnum]) -> Callable[[object], StrEnum]:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in list(words):
            raise RulesError(f"must be one of {', '.join(words)}, in quotes.")
        return words(value)

    return read


READERS: Final[dict[str, Callable[[object], object]]] = {
    "format": _format,
    "id": _id,
    "name": _name,
    "pool": _pool,
    "operations": _operations,
    "totals": _one_of(Totals),
    "start": _start,
    "target": _integer,
    "reaching": _one_of(Reaching),
    "overshoot": _one_of(Overshoot),
    "exhausted": _one_of(Exhausted),
    "tie": _one_of(Tie),
    "invalid-move": _one_of(InvalidMove),
    "ban": _one_of(Ban),
    "swap": _swap,
}
