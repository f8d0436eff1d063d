"""Spaces of games: what varies, read from a file and checked before any game is made.

A space file names the game from which every other key is taken (`like`), and

- `[parameters]`: names of whole numbers, such as the `n` of a pool `1..n`; the range of one may use those above it;
- `[set]`: keys with one value for each setting of the parameters;
- `[vary]`: keys with several values. A name here that is no key of the rules is a parameter too.

A point is one value for each parameter and each key; it need not make valid rules. A family (`families.py`) is a space
with one or two parameters in which no key varies.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod
from typing import Any, Final

from zerosum.base.errors import BadNameError, RulesError, ZerosumError
from zerosum.base.files import read_text
from zerosum.base.limits import POOL_NUMBERS, RULES_FILE_BYTES
from zerosum.base.text import check_name, did_you_mean, printable, shorten
from zerosum.lab import limits
from zerosum.lab.expressions import (
    WORDS,
    Expression,
    ExpressionError,
    PoolRange,
    Range,
    check_names,
    numbers,
    parse,
    parse_pool,
    parse_range,
    pool_numbers,
    value,
)
from zerosum.rules.game_files import BUILT_IN_IDS, RULEBOOK_IDS, parse_table, table_like
from zerosum.rules.model import KEYS as RULES_KEYS
from zerosum.rules.model import READERS, Exhausted, Rules, kept_unwritten, rules_from_dict
from zerosum.rules.moves import Operations

VARIED: Final = tuple(key for key in READERS if key not in {"id", "name", "invalid_move"})
"""The fields of rules that a space may vary: the others change nothing about play."""

Value = int | str | bool | tuple[int, ...] | Operations
Point = dict[str, Value]


class SpaceError(ZerosumError):
    """A space that cannot be read, or has no game; the message names the key."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Values one by one."""

    values: tuple[Value, ...]

    def count(self, _names: Mapping[str, int]) -> int:
        """Return how many values there are."""
        return len(self.values)

    def all(self, _names: Mapping[str, int]) -> Sequence[Value]:
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
class Fixed:
    """One value: a pool, a target or a start may depend on parameters, every other value is as it was written."""

    key: str
    given: object

    def count(self, _names: Mapping[str, int]) -> int:
        """Return how many values there are."""
        return 1

    def all(self, names: Mapping[str, int]) -> Sequence[Any]:
        """Return the value, which `Rules` has yet to read."""
        parts = self.given if isinstance(self.given, list) else [self.given]
        try:
            if self.key == "pool":
                return (self._pool(parts, names),)
            if self.key in _NUMBERS:
                found = tuple(value(parse(one), names) if isinstance(one, str) else one for one in parts)
                return (found if isinstance(self.given, list) else found[0],)
        except ExpressionError as error:
            raise ExpressionError(f"{self.key}: {error}") from None
        return (self.given,)

    @staticmethod
    def _pool(parts: list[Any], names: Mapping[str, int]) -> tuple[Any, ...]:
        """Return the numbers of a pool."""
        pool: list[Any] = []
        for part in parts:
            # One number too many is enough for the rules to refuse the pool.
            more = pool_numbers(parse_pool(part), names) if isinstance(part, str) else iter((part,))
            pool += islice(more, POOL_NUMBERS + 1 - len(pool))
        return tuple(pool)

    def expressions(self) -> list[PoolRange | Expression]:
        """Return the arithmetic of the value."""
        texts = [one for one in (self.given if isinstance(self.given, list) else [self.given]) if isinstance(one, str)]
        if self.key == "pool":
            return [parse_pool(text) for text in texts]
        return [parse(text) for text in texts] if self.key in _NUMBERS else []


@dataclass(frozen=True, slots=True)
class Free:
    """All pools of some sizes out of some numbers, each at most `repeats` times."""

    numbers: tuple[int, ...]
    sizes: tuple[int, ...]
    repeats: int

    def count(self, _names: Mapping[str, int]) -> int:
        """Return how many values there are."""
        ways = [1] + [0] * self.sizes[-1]
        for _ in self.numbers:
            ways = [sum(ways[max(0, size - self.repeats) : size + 1]) for size in range(len(ways))]
        return sum(ways[size] for size in self.sizes)

    def all(self, _names: Mapping[str, int]) -> Sequence[Value]:
        """Return the values; to be asked only if `count` says that they are few."""
        pools: dict[int, list[tuple[int, ...]]] = {0: [()]}
        for number in self.numbers:
            after: dict[int, list[tuple[int, ...]]] = {}
            for size, found in pools.items():
                for times in range(min(self.repeats, self.sizes[-1] - size) + 1):
                    after.setdefault(size + times, []).extend((*pool, *[number] * times) for pool in found)
            pools = after
        return [pool for size in self.sizes for pool in sorted(pools.get(size, ()))]


Axis = Choices | Ranged | Fixed | Free


@dataclass(frozen=True, slots=True)
class Space:
    """What varies, and the game from which all else is taken."""

    name: str
    like: str
    base: Rules
    parameters: tuple[tuple[str, Ranged | Choices], ...]
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
        try:
            values = axis.all(names)
        except ExpressionError as error:
            raise SpaceError(f"[parameters] {name}: {error}") from None
        for one in values:
            yield from self._settings({**names, name: int(str(one))}, at + 1)

    def size(self) -> int:
        """Return how many points there are."""
        total = 0
        for n, names in enumerate(self.settings()):
            if n >= limits.SPACE_SETTINGS:
                raise SpaceError(f"[parameters]: they have more than {limits.SPACE_SETTINGS:,} values together.")
            total += prod(axis.count(names) for _, axis in self.axes)
        return total

    def points(self) -> Iterator[Point]:
        """Yield every point."""
        keys = [key for key, _ in self.axes]
        for names in self.settings():
            for values in product(*(axis.all(names) for _, axis in self.axes)):
                yield {**names, **dict(zip(keys, values, strict=True))}

    def rules_at(self, point: Point) -> Rules | None:
        """Return the game at a point, None if the values contradict each other."""
        parameters = dict(self.parameters)
        return varied(self.base, {key: value for key, value in point.items() if key not in parameters})


def changed(base: Rules, given: Mapping[str, Any]) -> Rules:
    """Return a game with other values; what the file of `base` left out, and is as it was, stays unwritten.

    As in a rules file, a tie rule goes if nothing asks for it, and one start serves for both totals.
    """
    values = {"start": base.start, **given}
    if "tie" not in values and values.get("exhausted", base.exhausted) != Exhausted.CLOSEST:
        values["tie"] = None
    start = values["start"]
    if isinstance(start, tuple) and all(one == start[0] for one in start):
        values["start"] = start[:1]
    return kept_unwritten(base, replace(base, **values))  # Rules reads every value itself


def varied(base: Rules, given: Mapping[str, object]) -> Rules | None:
    """Return a game with other values, None if they contradict each other; a tie rule may be given in vain."""
    values = dict(given)
    if values.get("exhausted", base.exhausted) != Exhausted.CLOSEST:
        values.pop("tie", None)
    try:
        return changed(base, values)
    except RulesError:
        return None


FORMAT: Final = 1
KEYS: Final = ("format", "name", "like", "parameters", "set", "vary", "columns")
"""The keys of a space file; only an atlas looks at `columns`."""
_NOT_SET: Final = ("format", "id", "name", "like", "examples")
"""Keys of rules that no space sets: every game has its own."""
_FREE: Final = ("numbers", "size", "repeats")
_PARAMETER: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{limits.PARAMETER_LENGTH - 1}}}")
RESERVED: Final = ("winner", "plies", "winning", "openings", "skipped", *WORDS)
"""Names that mean something else in an expression of an atlas."""
_PAIR: Final = 2
_NUMBERS: Final = frozenset({"target", "start"})
"""The keys whose text is arithmetic; so is that of a pool."""


def read_space(path: str) -> Space:
    """Return the space in the file at `path`; any error names the file."""
    if path in BUILT_IN_IDS and not os.path.exists(path):
        raise SpaceError(f"{path} is a game; a space is a file that says what varies. Write one that is like {path}.")
    text = read_text(path, RULES_FILE_BYTES)
    try:
        table = parse_table(text)
        table.setdefault("name", os.path.splitext(os.path.basename(path))[0])
        space = space_of(table, path, text)
        size = space.size()
    except (SpaceError, RulesError, ExpressionError, BadNameError) as error:
        raise SpaceError(f"{printable(path)}: {error}") from None
    if size == 0:
        raise SpaceError(f"{printable(path)}: a range is empty, so there is no game in this space.")
    return space


def space_of(table: Mapping[str, Any], path: str, text: str) -> Space:
    """Return the space of a table."""
    check_keys(table, KEYS, ("name",))
    if type(table.get("format")) is not int or table["format"] != FORMAT:
        raise SpaceError(f"format: write `format = {FORMAT}` at the top.")
    like, base = _base(table.get("like"), path)
    named, chosen, vary = (subtable(table, key) for key in ("parameters", "set", "vary"))
    if not chosen and not 1 <= len(vary) <= limits.SPACE_KEYS:
        raise SpaceError(f'vary: must be a table of 1 to {limits.SPACE_KEYS} keys, such as target = "1..45".')
    others = {name: given for name, given in vary.items() if _field(name) not in VARIED}
    parameters: list[tuple[str, str, Ranged | Choices]] = [
        ("parameters", name, _named(name, given)) for name, given in named.items()
    ]
    parameters += [("vary", name, _parameter(name, given)) for name, given in others.items()]
    axes: list[tuple[str, str, Axis]] = [("set", _field(key), _fixed(key, given)) for key, given in chosen.items()]
    axes += [("vary", _field(key), _axis(key, given)) for key, given in vary.items() if key not in others]
    _check_names([*parameters, *axes], {*named, *others})
    return Space(
        name_of(table["name"]),
        like,
        base,
        tuple((name, axis) for _, name, axis in parameters),
        tuple((key, axis) for _, key, axis in axes),
        text,
    )


def _field(key: str) -> str:
    """Return the field of `Rules` for a key."""
    return key.replace("-", "_")


def check_keys(table: Mapping[str, Any], known: Collection[str], needed: Collection[str] = ()) -> None:
    """Raise unless a table has all the keys that it needs, and no others."""
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known, f"The keys are {', '.join(known)}.")
            raise SpaceError(f"{shorten(key)}: unknown key. {hint}")
    for key in needed:
        if key not in table:
            raise SpaceError(f"{key}: missing.")


def subtable(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a table inside a table, an empty one if it is left out."""
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise SpaceError(f"{key}: must be a table; write [{key}] above its keys.")
    return found


def name_of(given: object, most: int | None = None) -> str:
    """Return a name, of at most this many characters."""
    return check_name(text_of(given, "name"), "name", *([] if most is None else [most]))


def text_of(given: object, where: str) -> str:
    """Return a value that must be text."""
    if not isinstance(given, str):
        raise SpaceError(f"{where}: must be text, in quotes.")
    return given


def _base(like: object, path: str) -> tuple[str, Rules]:
    if not isinstance(like, str):
        raise SpaceError(
            f'like: write the game from which all other keys are taken, such as like = "{RULEBOOK_IDS[-1]}".'
        )
    return like, rules_from_dict(table_like(like, path))


def _named(name: str, given: object) -> Ranged:
    """Return what a parameter can be."""
    where = f"[parameters] {shorten(name)}"
    if not _PARAMETER.fullmatch(name) or name in RESERVED:
        raise SpaceError(
            f"{where}: not a name; use a letter, then letters or digits, {limits.PARAMETER_LENGTH} at most, "
            f"and none of {', '.join(RESERVED)}."
        )
    return Ranged(_range(where, str(given) if type(given) is int else text_of(given, where)))


def _fixed(key: str, given: object) -> Fixed:
    """Return the one value of a key."""
    if key in _NOT_SET:
        raise SpaceError(f"[set] {key}: belongs to the family, and cannot be set.")
    if key not in RULES_KEYS:
        raise SpaceError(f"[set] {shorten(key)}: unknown key. {did_you_mean(key, RULES_KEYS)}".rstrip())
    return Fixed(_field(key), given)


def _parameter(key: str, value: object) -> Ranged | Choices:
    where = f"[vary] {shorten(key)}"
    if key in READERS or key in {"format", "invalid-move", "examples"}:
        raise SpaceError(f"{where}: has nothing to do with how good a game is.")
    if not _PARAMETER.fullmatch(key):
        raise SpaceError(f"{where}: neither a key that varies ({', '.join(VARIED)}) nor the name of a parameter.")
    axis = _numbers(where, value)
    if axis is None:
        hint = did_you_mean(key, VARIED, "Only a parameter, such as n, may have another name than a key of the rules.")
        raise SpaceError(f'{where}: must be a range such as "5..12", or a list of whole numbers. {hint}')
    return axis


def _check_names(axes: Sequence[tuple[str, str, Axis]], parameters: Collection[str]) -> None:
    """Raise unless every name is that of a parameter above it, and every parameter under [vary] is used."""
    known: list[str] = []
    used: set[str] = set()
    for section, key, axis in axes:
        try:
            given = axis.expressions() if isinstance(axis, Fixed) else [axis.given] if isinstance(axis, Ranged) else []
            for one in given:
                check_names(one, known)
                used |= names_of(one)
        except ExpressionError as error:
            raise SpaceError(f"[{section}] {key}: {error}") from None
        known += [key] if key in parameters else []
    for section, key, _ in axes:
        if section == "vary" and key in parameters and key not in used:
            hint = did_you_mean(key, VARIED, "Use it in a range, or leave it out.")
            raise SpaceError(f"[vary] {key}: neither a key of the rules nor used by another key. {hint}")


def _axis(key: str, value: object) -> Axis:
    where, field = f"[vary] {key}", _field(key)
    if field == "pool":
        return _pools(where, value)
    if field in _NUMBERS and isinstance(value, str):
        return Ranged(_range(where, value))
    if not isinstance(value, list) or not 1 <= len(value) <= limits.SPACE_VALUES:
        example = '"1..45"' if field in _NUMBERS else f"a list such as {_EXAMPLES.get(field, '[true, false]')}"
        raise SpaceError(f"{where}: must be {example}, of at most {limits.SPACE_VALUES:,} values.")
    return Choices(tuple(dict.fromkeys(_read(where, field, n, one) for n, one in enumerate(value, 1))))


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


def _numbers(where: str, value: object) -> Ranged | Choices | None:
    if isinstance(value, str):
        return Ranged(_range(where, value))
    if not isinstance(value, list) or not value or any(type(one) is not int for one in value):
        return None
    return Choices(tuple(dict.fromkeys(_read(where, "target", n, one) for n, one in enumerate(value, 1))))


def _range(where: str, text: str) -> Range:
    try:
        found = parse_range(text)
        if not names_of(found):
            numbers(found, {})
    except ExpressionError as error:
        raise SpaceError(f"{where}: {error}") from None
    return found


def names_of(given: Range | PoolRange | Expression) -> set[str]:
    """Return the parameters that an expression or a range needs."""
    steps = (step.what for expression in given.expressions for step in expression.steps)
    return {what for what in steps if isinstance(what, str) and what.isidentifier()}


def _pools(where: str, value: object) -> Axis:
    if isinstance(value, str):
        found = Fixed("pool", value)
        try:
            if not any(map(names_of, found.expressions())):
                found.all({})
        except ExpressionError as error:
            raise SpaceError(f"{where}: {error}") from None
        return found
    if isinstance(value, dict) and set(value) == {"free"}:
        return _free(f"{where}.free", value["free"])
    if not isinstance(value, list) or not 1 <= len(value) <= limits.SPACE_VALUES:
        raise SpaceError(f'{where}: must be a list of pools, a range such as "1..n", or {{ free = ... }}.')
    return Choices(tuple(dict.fromkeys(_read(where, "pool", n, one) for n, one in enumerate(value, 1))))


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
