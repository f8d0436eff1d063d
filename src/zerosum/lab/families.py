"""Families of games: one or two parameters, and the game that each value of them makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from zerosum.base import limits as rules_limits
from zerosum.base.errors import RulesError, ZerosumError
from zerosum.lab import limits
from zerosum.lab.expression_parser import parse, parse_range
from zerosum.lab.expressions import Condition, Expression, ExpressionError, Range, check_names, numbers, value
from zerosum.rules.files import laid_over
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import FORMAT, RulesDict, rules_from_dict

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
