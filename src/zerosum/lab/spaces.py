"""Reading a space file: every value is checked before any game is made.

A space of variants, as data: for each key of the rules that varies, the values it may take.

A point is one value for each key; it need not make valid rules. Keys that no rules file has are parameters, such as
the `n` of a pool `1..n`: they come first, and the ranges of other keys may depend on them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Final

from zerosum.base.errors import RulesError, ZerosumError
from zerosum.base.files import read_text
from zerosum.base.limits import POOL_NUMBERS, RULES_FILE_BYTES
from zerosum.base.numbers import shorten
from zerosum.base.text import check_name, did_you_mean, printable
from zerosum.lab import limits
from zerosum.lab.expressions import ExpressionError, Range, check_names, numbers, parse_range
from zerosum.rules.files import GAME_IDS, RULEBOOK_IDS, parse_table, table_like
from zerosum.rules.model import READERS, Exhausted, Rules
from zerosum.rules.moves import Operations
from zerosum.rules.rules_dict import rules_from_dict

VARIED: Final = tuple(key for key in READERS if key not in {"id", "name", "invalid_move"})
"""The fields of rules that a space may vary: the others change nothing about play."""

Value = int | str | bool | tuple[int, ...] | Operations
Point = dict[str, Value]


class SpaceError(ZerosumError):
    """A space that cannot be read, or has no game; the message names the key."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Values one by one."""

    values: tuple[Value, ...]

    def count(self, names: Mapping[str, int]) -> int:  # noqa: ARG002 - all axes are asked alike
        """Return how many values there are."""
        return len(self.values)

    def all(self, names: Mapping[str, int]) -> Sequence[Value]:  # noqa: ARG002 - likewise
        """Return the values."""
        return self.values


@dataclass(frozen=True, slots=True)
class Ranged:
    """All whole numbers of a range, which may depend on parameters."""

    given: Range

    def count(self, names: Mapping[str, int]) -> int:
        """Return how many values there are."""
        return len(self.all(names))

    def all(self, names: Mapping[str, int]) -> range:
        """Return the values."""
        return numbers(self.given, names)


@dataclass(frozen=True, slots=True)
class Stretch:
    """One pool: all numbers of a range but 0."""

    given: Range

    def count(self, names: Mapping[str, int]) -> int:  # noqa: ARG002 - likewise
        """Return how many values there are."""
        return 1

    def all(self, names: Mapping[str, int]) -> Sequence[Value]:
        """Return the values."""
        return (tuple(one for one in numbers(self.given, names) if one),)


@dataclass(frozen=True, slots=True)
class Free:
    """All pools of some sizes out of some numbers, each at most `repeats` times."""

    numbers: tuple[int, ...]
    sizes: tuple[int, ...]
    repeats: int

    def count(self, names: Mapping[str, int]) -> int:  # noqa: ARG002 - likewise
        """Return how many values there are."""
        ways = [1] + [0] * self.sizes[-1]
        for _ in self.numbers:
            ways = [sum(ways[max(0, size - self.repeats) : size + 1]) for size in range(len(ways))]
        return sum(ways[size] for size in self.sizes)

    def all(self, names: Mapping[str, int]) -> Sequence[Value]:  # noqa: ARG002 - likewise
        """Return the values; only where `count` says that they are few."""
        pools: dict[int, list[tuple[int, ...]]] = {0: [()]}
        for number in self.numbers:
            after: dict[int, list[tuple[int, ...]]] = {}
            for size, found in pools.items():
                for times in range(min(self.repeats, self.sizes[-1] - size) + 1):
                    after.setdefault(size + times, []).extend((*pool, *[number] * times) for pool in found)
            pools = after
        return [pool for size in self.sizes for pool in sorted(pools.get(size, ()))]


Axis = Listed | Ranged | Stretch | Free


@dataclass(frozen=True, slots=True)
class Space:
    """What varies, and the game from which all else is taken."""

    name: str
    like: str
    base: Rules
    parameters: tuple[tuple[str, Ranged | Listed], ...]
    axes: tuple[tuple[str, Axis], ...]
    text: str
    """The file, so that a run knows its space again."""

    def settings(self) -> Iterator[dict[str, int]]:
        """Yield the values of the parameters; those of a parameter may depend on the ones before it."""
        return self._settings({}, 0)

    def _settings(self, names: dict[str, int], at: int) -> Iterator[dict[str, int]]:
        if at == len(self.parameters):
            yield names
            return
        name, axis = self.parameters[at]
        for value in axis.all(names):
            yield from self._settings({**names, name: int(str(value))}, at + 1)

    def size(self) -> int:
        """Return how many points there are."""
        total = 0
        for n, names in enumerate(self.settings()):
            if n >= limits.SPACE_SETTINGS:
                raise SpaceError(f"vary: the parameters have more than {limits.SPACE_SETTINGS:,} values together.")
            total += prod(axis.count(names) for _, axis in self.axes)
        return total

    def points(self) -> Iterator[Point]:
        """Yield every point."""
        keys = [key for key, _ in self.axes]
        for names in self.settings():
            for values in product(*(axis.all(names) for _, axis in self.axes)):
                yield {**names, **dict(zip(keys, values, strict=True))}

    def rules_at(self, point: Point) -> Rules | None:
        """Return the game at a point, None where the values contradict each other."""
        parameters = dict(self.parameters)
        given = {key: value for key, value in point.items() if key not in parameters}
        return varied(self.base, given)


def varied(base: Rules, given: Mapping[str, object]) -> Rules | None:
    """Return a game with other values, None where they contradict each other.

    As in a rules file, a tie rule goes where nothing asks for it, and one start serves for both totals.
    """
    values = dict(given)
    if values.get("exhausted", base.exhausted) != Exhausted.CLOSEST:
        values["tie"] = None
    start = values.get("start", base.start)
    if isinstance(start, tuple) and len(set(start)) == 1:
        values["start"] = start[:1]
    try:
        return replace(base, **values)  # type: ignore[arg-type]  # Rules reads every value itself
    except RulesError:
        return None


FORMAT: Final = 1
_KEYS: Final = ("format", "name", "like", "vary")
_FREE: Final = ("numbers", "size", "repeats")
_PARAMETER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}")
_PAIR: Final = 2
_NUMBERS: Final = frozenset({"target", "start"})
"""The keys whose values can be a range."""


def read_space(path: str) -> Space:
    """Return the space in the file at `path`; any error names the file."""
    if path in GAME_IDS and not os.path.exists(path):
        raise SpaceError(f"{path} is a game; a space is a file that says what varies. Write one that is like {path}.")
    text = read_text(path, RULES_FILE_BYTES)
    try:
        space = _space(parse_table(text), path, text)
        size = space.size()
    except (SpaceError, RulesError, ExpressionError) as error:
        raise SpaceError(f"{printable(path)}: {error}") from None
    if size == 0:
        raise SpaceError(f"{printable(path)}: vary: a range is empty, so there is no game in this space.")
    return space


def _space(table: Mapping[str, object], path: str, text: str) -> Space:
    for key in table:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS, f"The keys are {', '.join(_KEYS)}; what varies stands under [vary].")
            raise SpaceError(f"{shorten(key)}: unknown key. {hint}")
    if type(table.get("format")) is not int or table["format"] != FORMAT:
        raise SpaceError(f"format: write `format = {FORMAT}` at the top.")
    like, base = _base(table.get("like"), path)
    name = table.get("name", os.path.splitext(os.path.basename(path))[0])
    if not isinstance(name, str):
        raise SpaceError("name: must be text, in quotes.")
    vary = table.get("vary")
    if not isinstance(vary, dict) or not 1 <= len(vary) <= limits.SPACE_KEYS:
        raise SpaceError(f'vary: must be a table of 1 to {limits.SPACE_KEYS} keys, such as target = "1..45".')
    fields = {key: key.replace("-", "_") for key in vary}
    parameters = tuple((key, _parameter(key, vary[key])) for key in vary if fields[key] not in VARIED)
    axes = tuple((fields[key], _axis(key, vary[key])) for key in vary if fields[key] in VARIED)
    _check_names(parameters, axes)
    return Space(check_name(name, "name"), like, base, parameters, axes, text)


def _base(like: object, path: str) -> tuple[str, Rules]:
    if not isinstance(like, str):
        raise SpaceError(
            f'like: write the game from which all other keys are taken, such as like = "{RULEBOOK_IDS[-1]}".'
        )
    return like, rules_from_dict(table_like(like, path))


def _parameter(key: str, value: object) -> Ranged | Listed:
    where = f"vary: {shorten(key)}"
    if key in READERS or key in {"format", "invalid-move", "examples"}:
        raise SpaceError(f"{where}: has nothing to do with how good a game is.")
    if not _PARAMETER.fullmatch(key):
        raise SpaceError(f"{where}: neither a key that varies ({', '.join(VARIED)}) nor the name of a parameter.")
    axis = _numbers(where, value)
    if axis is None:
        hint = did_you_mean(key, VARIED, "Only a parameter, such as n, may have another name than a key of the rules.")
        raise SpaceError(f'{where}: must be a range such as "5..12", or a list of whole numbers. {hint}')
    return axis


def _check_names(parameters: tuple[tuple[str, Axis], ...], axes: tuple[tuple[str, Axis], ...]) -> None:
    """Raise unless every name is that of a parameter above it, and every parameter is used."""
    known: list[str] = []
    used: set[str] = set()
    for key, axis in (*parameters, *axes):
        if isinstance(axis, (Ranged, Stretch)):
            try:
                check_names(axis.given, known)
            except ExpressionError as error:
                raise SpaceError(f"vary: {key}: {error}") from None
            used |= names_of(axis.given)
        known += [key] if (key, axis) in parameters else []
    for name in known:
        if name not in used:
            hint = did_you_mean(name, VARIED, "Use it in a range, or leave it out.")
            raise SpaceError(f"vary: {name}: neither a key of the rules nor used by another key. {hint}")


def _axis(key: str, value: object) -> Axis:
    where, field = f"vary: {key}", key.replace("-", "_")
    if field == "pool":
        return _pools(where, value)
    if field in _NUMBERS and isinstance(value, str):
        return Ranged(_range(where, value))
    if not isinstance(value, list) or not 1 <= len(value) <= limits.SPACE_VALUES:
        example = '"1..45"' if field in _NUMBERS else f"a list such as {_EXAMPLES.get(field, '[true, false]')}"
        raise SpaceError(f"{where}: must be {example}, of at most {limits.SPACE_VALUES:,} values.")
    return Listed(tuple(dict.fromkeys(_read(where, field, n, one) for n, one in enumerate(value, 1))))


_EXAMPLES: Final = {
    "operations": '[["add"], ["add", "subtract"]]',
    "totals": '["shared", "own"]',
    "reaching": '["wins", "loses"]',
    "overshoot": '["play-on", "loses"]',
    "exhausted": '["last-mover", "closest"]',
    "tie": '["second-mover", "first-mover"]',
    "ban": '["none", "mirror"]',
}


def _read(where: str, field: str, place: int, value: object) -> Value:
    try:
        found = READERS[field](value)
    except RulesError as error:
        raise SpaceError(f"{where}: value {place} {error}") from None
    return found  # type: ignore[return-value]  # what a reader returns for a key that varies


def _numbers(where: str, value: object) -> Ranged | Listed | None:
    if isinstance(value, str):
        return Ranged(_range(where, value))
    if not isinstance(value, list) or not value or any(type(one) is not int for one in value):
        return None
    return Listed(tuple(dict.fromkeys(_read(where, "target", n, one) for n, one in enumerate(value, 1))))


def _range(where: str, text: str) -> Range:
    try:
        found = parse_range(text)
        if not names_of(found):
            numbers(found, {})
    except ExpressionError as error:
        raise SpaceError(f"{where}: {error}") from None
    return found


def names_of(given: Range) -> set[str]:
    """Return the parameters that a range needs."""
    steps = (step.what for expression in given.expressions for step in expression.steps)
    return {what for what in steps if isinstance(what, str) and what.isidentifier()}


def _pools(where: str, value: object) -> Axis:
    if isinstance(value, str):
        return Stretch(_range(where, value))
    if isinstance(value, dict) and set(value) == {"free"}:
        return _free(f"{where}.free", value["free"])
    if not isinstance(value, list) or not 1 <= len(value) <= limits.SPACE_VALUES:
        raise SpaceError(f'{where}: must be a list of pools, a range such as "1..n", or {{ free = ... }}.')
    return Listed(tuple(dict.fromkeys(_read(where, "pool", n, one) for n, one in enumerate(value, 1))))


def _free(where: str, value: object) -> Free:
    if not isinstance(value, dict) or not {"numbers", "size"} <= set(value) <= set(_FREE):
        raise SpaceError(f'{where}: must be {{ numbers = "-5..12", size = [8, 11], repeats = 2 }}.')
    given = _numbers(f"{where}: numbers", value["numbers"])
    if given is None or (isinstance(given, Ranged) and names_of(given.given)):
        raise SpaceError(f'{where}: numbers: must be a range such as "-5..12", or a list of whole numbers.')
    drawn = tuple(sorted(int(str(one)) for one in given.all({}) if one))
    if not 1 <= len(drawn) <= limits.FREE_NUMBERS:
        raise SpaceError(f"{where}: numbers: must be 1 to {limits.FREE_NUMBERS} numbers that are not 0.")
    low, high = _sizes(where, value["size"])
    repeats = value.get("repeats", 1)
    if type(repeats) is not int or not 1 <= repeats <= POOL_NUMBERS:
        raise SpaceError(f"{where}: repeats: must be a whole number from 1 to {POOL_NUMBERS}.")
    if low > repeats * len(drawn):
        raise SpaceError(f"{where}: size: there are only {repeats * len(drawn)} numbers to draw.")
    return Free(drawn, tuple(range(low, min(high, repeats * len(drawn)) + 1)), repeats)


def _sizes(where: str, value: object) -> tuple[int, int]:
    low, high = value if isinstance(value, list) and len(value) == _PAIR else (value, value)
    if type(low) is not int or type(high) is not int or not 1 <= low <= high <= POOL_NUMBERS:
        raise SpaceError(f"{where}: size: must be a number or a pair, from 1 to {POOL_NUMBERS}.")
    return low, high
