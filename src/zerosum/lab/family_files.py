"""Family files: TOML with the parameters of a family, what they set, and what is tabulated."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from zerosum.base import limits as rules_limits
from zerosum.base.errors import BadNameError, RulesError, ZerosumError
from zerosum.base.numbers import shorten
from zerosum.base.text import check_name, did_you_mean, printable
from zerosum.lab import limits
from zerosum.lab.expression_parser import parse, parse_condition, parse_range
from zerosum.lab.expressions import Condition, Expression, ExpressionError, Range, check_names
from zerosum.lab.families import COLUMNS, Family, FamilyError, Sequence
from zerosum.rules.files import read_table, table_like
from zerosum.rules.rules_dict import FORMAT, KEYS, RulesDict

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
