"""Family files: TOML with the parameters of a family, what they set, and what is tabulated.

Families of games: one or two parameters, and the game that each value of them makes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from zerosum.base import limits as rules_limits
from zerosum.base.errors import BadNameError, RulesError, ZerosumError
from zerosum.base.numbers import shorten
from zerosum.base.text import check_name, did_you_mean, printable
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
    value,
)
from zerosum.rules.files import laid_over, read_table, table_like
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import FORMAT, KEYS, RulesDict, rules_from_dict

COLUMNS: Final = ("winner", "plies", "winning", "openings")
"""What is found out about each game; in conditions and sequences a draw has winner 0 and plies 0."""
_NUMBERS: Final = ("target", "start")
"""Keys of rules whose text is arithmetic; so is the text of a pool."""


class FamilyError(ZerosumError):
    """A family that makes no games; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Sequence:
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
    name: str
    parameters: Mapping[str, Range]
    base: RulesDict
    """The table of the game that all of them are like."""
    changes: Mapping[str, Any]
    """What each of them changes: keys of a rules file."""
    columns: tuple[str, ...]
    sequences: tuple[Sequence, ...]
    source: str
    """The file that it was read from."""

    def with_range(self, name: str, text: str) -> Family:
        """Return the family with another range of a parameter, for example `1..8`."""
        if name not in self.parameters:
            raise FamilyError(f"{self.name} has no parameter {name}; it has {' and '.join(self.parameters)}.")
        given = parse_range(text)
        check_names(given, ())
        if not numbers(given, {}, limits.FAMILY_GAMES):
            raise FamilyError("The range ends before it begins.")
        return replace(self, parameters={**self.parameters, name: given})


@dataclass(frozen=True, slots=True)
class Member:
    """A game of a family, and the values of the parameters that make it."""

    values: Mapping[str, int]
    rules: Rules


def members(family: Family) -> list[Member]:
    """Return all games of a family, in the order of its parameters; too many are refused before one is made."""
    try:
        return _members(family)
    except FamilyError as error:
        raise FamilyError(f"{family.source}: {error}") from None


def _members(family: Family) -> list[Member]:
    found: list[dict[str, int]] = []
    for values in _all_values(family):
        if len(found) >= limits.FAMILY_GAMES:
            raise FamilyError(f"[parameters]: more than {limits.FAMILY_GAMES:,} games; give a smaller range.")
        found.append(values)
    if not found:
        raise FamilyError("[parameters]: no game at all; a range ends before it begins.")
    return [Member(values, _rules(family, values)) for values in found]


def where(values: Mapping[str, int]) -> str:
    """Return the values of parameters in words: `n = 9, T = 31`."""
    return ", ".join(f"{name} = {number}" for name, number in values.items())


def _all_values(family: Family) -> Iterator[dict[str, int]]:
    """Yield the values of the parameters; the range of the second may depend on the first."""
    (first, outer), *others = family.parameters.items()
    for number in _numbers(first, outer, {}):
        if not others:
            yield {first: number}
        for second, inner in others:
            yield from ({first: number, second: one} for one in _numbers(second, inner, {first: number}))


def _numbers(name: str, given: Range, values: Mapping[str, int]) -> range:
    try:
        return numbers(given, values, limits.FAMILY_GAMES)
    except ExpressionError as error:
        raise FamilyError(f"[parameters] {name}: {error}") from None


def _rules(family: Family, values: Mapping[str, int]) -> Rules:
    """Return one game of a family."""
    name = "-".join([family.id, *(f"{name.lower()}{number}" for name, number in values.items())])
    try:
        table: RulesDict = {
            "format": FORMAT,
            "id": name.replace("_", "-")[: rules_limits.ID_LENGTH],
            "name": f"{family.name}, {where(values)}",
            **{key: _worked_out(key, given, values) for key, given in family.changes.items()},
        }
        return rules_from_dict(laid_over(family.base, table))
    except ExpressionError as error:
        raise FamilyError(f"[set] {error}") from None
    except RulesError as error:
        raise FamilyError(f"[set] {error} This is so where {where(values)}.") from None


def _worked_out(key: str, given: Any, values: Mapping[str, int]) -> Any:  # noqa: ANN401 - whatever a rules file holds
    try:
        if key == "pool":
            return _pool(given if isinstance(given, list) else [given], values)
        if key in _NUMBERS:
            return [_number(one, values) for one in given] if isinstance(given, list) else _number(given, values)
    except ExpressionError as error:
        raise ExpressionError(f"{key}: {error}") from None
    return given


def _pool(parts: list[Any], values: Mapping[str, int]) -> list[Any]:
    """Return the numbers of a pool; a range leaves out 0, which no pool has."""
    pool: list[Any] = []
    for part in parts:
        if isinstance(part, str):
            # One number too many is enough for the rules to refuse the pool.
            pool += islice(filter(None, numbers(parse_range(part), values)), rules_limits.POOL_NUMBERS + 1)
        else:
            pool.append(part)
        if len(pool) > rules_limits.POOL_NUMBERS:
            break
    return pool


def _number(given: Any, values: Mapping[str, int]) -> Any:  # noqa: ANN401 - whatever a rules file holds
    return value(parse(given), values) if isinstance(given, str) else given


FAMILIES: Final = ("sum", "sum-misere", "duel", "sum-to-zero", "sequence", "zero-sum-game")
"""The families that are built in."""
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "families")
_KEYS: Final = ("format", "name", "like", "parameters", "set", "columns")
_NOT_SET: Final = ("format", "id", "name", "like", "examples")
"""Keys of rules that a family does not set: they are its own."""
_SEQUENCE_KEYS: Final = ("name", "count", "value", "where", "by")
_PARAMETER: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{limits.PARAMETER_LENGTH - 1}}}")
_RESERVED: Final = (*COLUMNS, "and", "skipped")
_MOST: Final = 2
"""Parameters of a family."""


class UnknownFamilyError(ZerosumError):
    """Neither a built-in family nor a family file."""

    exit_code = 2


def load_family(family: str) -> Family:
    """Return a built-in family, or the one in the file at a path; any error names the file.

    >>> load_family("sum").name
    'Sum-T on 1..n'
    """
    path = os.path.join(_FOLDER, f"{family}.toml") if family in FAMILIES else _as_path(family)
    try:
        return _read(read_table(path), path)
    except (FamilyError, RulesError, ExpressionError, BadNameError) as error:
        raise FamilyError(f"{printable(path)}: {error}") from None


def _as_path(family: str) -> str:
    """Return `family` if it is the path of a file; else raise the error for an unknown family."""
    if os.sep in family or family.endswith(".toml") or ("\0" not in family and os.path.isfile(family)):
        return family
    hint = did_you_mean(family.lower(), FAMILIES, f"The families are {', '.join(FAMILIES)}; a family file will do too.")
    raise UnknownFamilyError(f"There is no family '{shorten(family)}'. {hint}")


def _read(table: RulesDict, path: str) -> Family:
    _check_keys(table, _KEYS, _KEYS)
    if type(table["format"]) is not int or table["format"] != FORMAT:
        raise FamilyError(f"format: must be {FORMAT}.")
    columns = _table(table, "columns")
    _check_keys(columns, ("tabulate", "sequences"), ())
    parameters = _parameters(_table(table, "parameters"))
    stem = os.path.basename(path).removesuffix(".toml").lower()
    return Family(
        id=re.sub(r"[^a-z0-9-]+", "-", stem)[: rules_limits.ID_LENGTH] or "family",
        name=_name(table["name"], "name"),
        parameters=parameters,
        base=table_like(table["like"], path),
        changes=_changes(_table(table, "set")),
        columns=_columns(columns.get("tabulate", list(COLUMNS))),
        sequences=_sequences(columns.get("sequences", []), parameters),
        source=printable(path),
    )


def _check_keys(table: Mapping[str, Any], known: Collection[str], needed: Collection[str]) -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known, f"The keys are {', '.join(known)}.")
            raise FamilyError(f"{shorten(key)}: unknown key. {hint}")
    for key in needed:
        if key not in table:
            raise FamilyError(f"{key}: missing.")


def _table(table: RulesDict, key: str) -> RulesDict:
    found = table[key]
    if not isinstance(found, dict):
        raise FamilyError(f"{key}: must be a table; write [{key}] above its keys.")
    return found


def _name(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise FamilyError(f"{key}: must be text, in quotes.")
    return check_name(value, "name", limits.FAMILY_NAME)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ExpressionError("must be text, in quotes.")
    return value


def _parameters(table: RulesDict) -> dict[str, Range]:
    if not 1 <= len(table) <= _MOST:
        raise FamilyError(f"[parameters]: {len(table)} of them; a family has one or {_MOST}.")
    found: dict[str, Range] = {}
    for name, given in table.items():
        if not _PARAMETER.fullmatch(name) or name in _RESERVED:
            raise FamilyError(
                f"[parameters] {shorten(name)}: not a name; use a letter, then letters or digits, "
                f"{limits.PARAMETER_LENGTH} at most, and none of {', '.join(_RESERVED)}."
            )
        try:
            # The range of a parameter may depend on the parameters before it.
            found[name] = parse_range(str(given) if type(given) is int else _text(given))
            check_names(found[name], [one for one in found if one != name])
        except ExpressionError as error:
            raise FamilyError(f"[parameters] {name}: {error}") from None
    return found


def _changes(table: RulesDict) -> RulesDict:
    for key in table:
        if key in _NOT_SET:
            raise FamilyError(f"[set] {key}: belongs to the family, and cannot be set.")
        if key not in KEYS:
            raise FamilyError(f"[set] {shorten(key)}: unknown key. {did_you_mean(key, KEYS)}".rstrip())
    return table


def _columns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or any(one not in COLUMNS for one in value):
        raise FamilyError(f"[columns] tabulate: must be a list of {', '.join(COLUMNS)}, in quotes.")
    return tuple(column for column in COLUMNS if column in value)


def _sequences(value: object, parameters: Mapping[str, Range]) -> tuple[Sequence, ...]:
    if not isinstance(value, list) or len(value) > limits.FAMILY_SEQUENCES:
        raise FamilyError(f"[columns] sequences: must be a list of at most {limits.FAMILY_SEQUENCES} tables.")
    found = []
    for place, one in enumerate(value, 1):
        try:
            found.append(_sequence(one, parameters))
        except (FamilyError, BadNameError, ExpressionError) as error:
            raise FamilyError(f"[columns] sequences: number {place}: {error}") from None
    return tuple(found)


def _sequence(table: object, parameters: Mapping[str, Range]) -> Sequence:
    if not isinstance(table, dict):
        raise FamilyError("must be a table: { name = ..., count = ..., where = ..., by = ... }.")
    _check_keys(table, _SEQUENCE_KEYS, ("name", "by"))
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
            parsed[key] = read[key](_text(table[key]))
            check_names(parsed[key], names)
        except ExpressionError as error:
            raise FamilyError(f"{key}: {error}") from None
    return Sequence(
        name=_name(table["name"], "name"),
        by=table["by"],
        count=table.get("count"),
        value=parsed.get("value"),
        where=parsed.get("where"),
    )
