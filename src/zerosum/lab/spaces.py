"""A space of variants, as data: for each key of the rules that varies, the values it may take.

A point is one value for each key; it need not make valid rules. Keys that no rules file has are parameters, such as
the `n` of a pool `1..n`: they come first, and the ranges of other keys may depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Final

from zerosum.base.errors import RulesError, ZerosumError
from zerosum.lab import limits
from zerosum.lab.expressions import Range, numbers
from zerosum.rules.model import READERS, Exhausted, Rules
from zerosum.rules.moves import Operations

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
