"""Families of games: a space with one or two parameters, and what an atlas tabulates about its games.

`spaces.py` reads the file; here is what a family may have besides: `[columns]`, with the figures and the sequences.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from zerosum.base import limits as rules_limits
from zerosum.base.errors import BadNameError, RulesError, ZerosumError
from zerosum.base.files import is_toml_path
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.lab import limits
from zerosum.lab.expressions import (
    Condition,
    Expression,
    ExpressionError,
    Range,
    check_names,
    numbers,
    parse,
    parse_condition,
    parse_range,
)
from zerosum.lab.spaces import Ranged, Space, SpaceError, changed, check_keys, name_of, space_of, subtable, text_of
from zerosum.rules.game_files import read_table
from zerosum.rules.model import Rules

COLUMNS: Final = ("winner", "plies", "winning", "openings")
"""What is found out about each game; in conditions and sequences a draw has winner 0 and plies 0."""
FAMILIES: Final = ("sum", "sum-misere", "duel", "sum-to-zero", "sequence", "zero-sum-game")
"""The families that are built in."""
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "families")
_NEEDED: Final = ("format", "name", "like", "parameters", "set")
_KEYS: Final = (*_NEEDED, "columns")
_SEQUENCE_KEYS: Final = ("name", "count", "value", "where", "by")
_MOST: Final = 2
"""Parameters of a family."""


class FamilyError(SpaceError):
    """A family that makes no games; the message names the file and the key."""


class UnknownFamilyError(ZerosumError):
    """Neither a built-in family nor a family file."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class FamilySequence:
    """A whole number for each value of the parameter `by`.

    Either how many values of the parameter `count` meet the condition, or `value` in the one game that meets it.
    """

    name: str
    by: str
    count: str | None
    value: Expression | None
    where: Condition | None


@dataclass(frozen=True, slots=True)
class Family:
    """Games with one or two parameters."""

    id: str
    space: Space
    columns: tuple[str, ...]
    sequences: tuple[FamilySequence, ...]
    source: str
    """The file that it was read from."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.space.name

    @property
    def parameters(self) -> dict[str, Range]:
        """The range of each parameter."""
        return {name: axis.given for name, axis in self.space.parameters if isinstance(axis, Ranged)}

    def with_range(self, name: str, text: str) -> Family:
        """Return the family with another range of a parameter, for example `1..8`."""
        ranges = self.parameters
        if name not in ranges:
            raise FamilyError(f"{self.name} has no parameter {name}; it has {' and '.join(ranges)}.")
        given = parse_range(text)
        check_names(given, ())
        if not numbers(given, {}, limits.FAMILY_GAMES):
            raise FamilyError("The range ends before it begins.")
        parameters = tuple((one, Ranged(given if one == name else old)) for one, old in ranges.items())
        return replace(self, space=replace(self.space, parameters=parameters))


@dataclass(frozen=True, slots=True)
class Member:
    """A game of a family, and the values of the parameters that make it."""

    values: Mapping[str, int]
    rules: Rules


def members(family: Family) -> list[Member]:
    """Return all games of a family, in the order of its parameters; too many are refused before one is made."""
    try:
        found = list(islice(family.space.settings(), limits.FAMILY_GAMES + 1))
        if len(found) > limits.FAMILY_GAMES:
            raise FamilyError(f"[parameters]: more than {limits.FAMILY_GAMES:,} games; give a smaller range.")
        if not found:
            raise FamilyError("[parameters]: no game at all; a range ends before it begins.")
        return [Member(values, _rules(family, values)) for values in found]
    except SpaceError as error:
        raise FamilyError(f"{family.source}: {error}") from None


def where(values: Mapping[str, int]) -> str:
    """Return the values of parameters in words: `n = 9, T = 31`."""
    return ", ".join(f"{name} = {number}" for name, number in values.items())


def _rules(family: Family, values: Mapping[str, int]) -> Rules:
    """Return one game of a family."""
    name = "-".join([family.id, *(f"{name.lower()}{number}" for name, number in values.items())])
    try:
        given = {key: axis.all(values)[0] for key, axis in family.space.axes}
        given |= {"id": name.replace("_", "-")[: rules_limits.ID_LENGTH], "name": f"{family.name}, {where(values)}"}
        return changed(family.space.base, given)
    except ExpressionError as error:
        raise FamilyError(f"[set] {error}") from None
    except RulesError as error:
        raise FamilyError(f"[set] {error} This is so where {where(values)}.") from None


def load_family(family: str) -> Family:
    """Return a built-in family, or the one in the file at a path; any error names the file.

    >>> load_family("sum").name
    'Sum-T on 1..n'
    """
    path = os.path.join(_FOLDER, f"{family}.toml") if family in FAMILIES else _as_path(family)
    try:
        return _read(read_table(path), path)
    except (SpaceError, RulesError, ExpressionError, BadNameError) as error:
        raise FamilyError(f"{printable(path)}: {error}") from None


def _as_path(family: str) -> str:
    """Return `family` if it is the path of a file; else raise the error for an unknown family."""
    if is_toml_path(family):
        return family
    hint = did_you_mean(family.lower(), FAMILIES, f"The families are {', '.join(FAMILIES)}; a family file will do too.")
    raise UnknownFamilyError(f"There is no family '{shorten(family)}'. {hint}")


def _read(table: dict[str, Any], path: str) -> Family:
    check_keys(table, _KEYS, _NEEDED)
    named, columns = subtable(table, "parameters"), subtable(table, "columns")
    if not 1 <= len(named) <= _MOST:
        raise FamilyError(f"[parameters]: {len(named)} of them; a family has one or {_MOST}.")
    check_keys(columns, ("tabulate", "sequences"))
    space = space_of({**table, "name": name_of(table["name"], limits.FAMILY_NAME)}, path, "")
    stem = os.path.basename(path).removesuffix(".toml").lower()
    return Family(
        id=re.sub(r"[^a-z0-9-]+", "-", stem)[: rules_limits.ID_LENGTH] or "family",
        space=space,
        columns=_columns(columns.get("tabulate", list(COLUMNS))),
        sequences=_sequences(columns.get("sequences", []), named),
        source=printable(path),
    )


def _columns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or any(one not in COLUMNS for one in value):
        raise FamilyError(f"[columns] tabulate: must be a list of {', '.join(COLUMNS)}, in quotes.")
    return tuple(column for column in COLUMNS if column in value)


def _sequences(value: object, parameters: Mapping[str, object]) -> tuple[FamilySequence, ...]:
    if not isinstance(value, list) or len(value) > limits.FAMILY_SEQUENCES:
        raise FamilyError(f"[columns] sequences: must be a list of at most {limits.FAMILY_SEQUENCES} tables.")
    found = []
    for place, one in enumerate(value, 1):
        try:
            found.append(_sequence(one, parameters))
        except (SpaceError, BadNameError, ExpressionError) as error:
            raise FamilyError(f"[columns] sequences: number {place}: {error}") from None
    return tuple(found)


def _sequence(table: object, parameters: Mapping[str, object]) -> FamilySequence:
    if not isinstance(table, dict):
        raise FamilyError("must be a table: { name = ..., count = ..., where = ..., by = ... }.")
    check_keys(table, _SEQUENCE_KEYS, ("name", "by"))
    if ("count" in table) == ("value" in table):
        raise FamilyError("needs either count or value.")
    for key in ("by", "count"):
        if key in table and table[key] not in list(parameters):
            raise FamilyError(f"{key}: must be a parameter: {' or '.join(parameters)}.")
    if table["by"] == table.get("count"):
        raise FamilyError("count: must not be the parameter of by.")
    names = [*parameters, *COLUMNS]
    read: dict[str, Callable[[str], Expression | Condition]] = {"value": parse, "where": parse_condition}
    parsed: dict[str, Any] = {}
    for key in read.keys() & table.keys():
        try:
            parsed[key] = read[key](text_of(table[key], key))
            check_names(parsed[key], names)
        except ExpressionError as error:
            raise FamilyError(f"{key}: {error}") from None
    return FamilySequence(
        name=name_of(table["name"], limits.FAMILY_NAME),
        by=table["by"],
        count=table.get("count"),
        value=parsed.get("value"),
        where=parsed.get("where"),
    )
