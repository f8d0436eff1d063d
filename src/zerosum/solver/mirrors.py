"""Mirrors: what turns a position, or a game, into one that is the same for every player.

There are two mirrors:

- *sides*: every number can be added and subtracted, so it does not matter on which side of the target a total is. What
  `+5` does on one side, `-5` does on the other. Each total has its own mirror, unless a ban ties the moves of one to
  those of the other.
- *negation*: numbers are only added. Negating all numbers and all distances from the target changes nothing.

The mirrors of a game are games, so negation then changes its pool. The mirrors of its positions lie in the same game,
so negation needs a pool that is its own. A game with a key that is not named here has no mirrors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from enum import Enum
from itertools import product
from typing import Final

from zerosum.rules.model import Ban, Overshoot, Rules, Shape, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position
from zerosum.solver.supports import ADD_OR_SUBTRACT, MOVE_CODES, unknown_key

Numbers = tuple[int, ...]
Canon = Callable[[Position], Hashable]
"""Returns the same key for positions, with the same seat to move, that are the same for every player."""

_UNMOVED: Final[Shape] = {**MOVE_CODES, "overshoot": (Overshoot.PLAY_ON,), "ban": (Ban.NONE,), "swap": (False,)}
SIDES_MIRROR: Final[Shape] = {**_UNMOVED, "operations": (ADD_OR_SUBTRACT,)}
"""The rules under which it does not matter on which side of the target a total is."""
NEGATION_MIRROR: Final[Shape] = {**_UNMOVED, "operations": (ADD_ONLY,)}
"""The rules under which all numbers and all distances from the target can be negated, if the pool allows it."""


class Mirror(Enum):
    """What turns a position into one that is the same for every player."""

    SIDES = "each total on the other side of the target"
    NEGATION = "all numbers, and all distances from the target, negated"


def mirror_of(rules: Rules) -> Mirror | None:
    """Return the mirror of the positions of a game; None if it has none, or has a key that is not known here."""
    if unknown_key(SIDES_MIRROR, rules) is None:
        return Mirror.SIDES
    if unknown_key(NEGATION_MIRROR, rules) is None and is_its_own_negation(rules.pool):
        return Mirror.NEGATION
    return None


def is_its_own_negation(pool: Numbers) -> bool:
    """Return whether negating every number of a pool gives the same pool."""
    return pool == _negated(pool)


def _negated(pool: Numbers) -> Numbers:
    return tuple(sorted(-number for number in pool))


def _away(position: Position) -> Numbers:
    return tuple(total - position.rules.target for total in position.totals)


def plain(position: Position) -> Hashable:
    """Return a key that no other position has."""
    return position.key


def canon_of(rules: Rules) -> Canon:
    """Return the function that gives the positions of a game their keys."""
    mirror = mirror_of(rules)
    if mirror is None:
        return plain
    if mirror is Mirror.SIDES:
        return lambda position: (position.pool, *map(abs, _away(position)))
    return lambda position: min((position.pool, _away(position)), _turned(position.pool, _away(position)))


def _turned(pool: Numbers, away: Numbers) -> tuple[Numbers, Numbers]:
    """Return numbers and distances from the target negated."""
    return _negated(pool), tuple(-distance for distance in away)


def mirrored(position: Position) -> list[Position]:
    """Return the other positions that are the same for every player."""
    rules, away = position.rules, _away(position)
    mirror = mirror_of(rules)
    found = []
    if mirror is Mirror.SIDES:
        found = [(position.pool, sides) for sides in product(*(dict.fromkeys((one, -one)) for one in away))]
    elif mirror is Mirror.NEGATION:
        found = [_turned(position.pool, away)]
    return [
        replace(position, pool=pool, totals=tuple(rules.target + distance for distance in far))
        for pool, far in found
        if (pool, far) != (position.pool, away)
    ]


def first_mirror(rules: Rules) -> tuple[dict[int, int], Numbers]:
    """Return the first of a game and its mirrors: what each number becomes, and where it starts, seen from the target.

    A game with a key that is not known here stays as it is.
    """
    same = {number: number for number in rules.pool}
    if unknown_key(MOVE_CODES, rules) is not None:
        return same, rules.start
    away = tuple(start - rules.target for start in rules.start)
    if rules.operations == ADD_ONLY:
        pool, away = min((rules.pool, away), _turned(rules.pool, away))
        return same if pool == rules.pool else {number: -number for number in same}, away
    if any(-number in rules.pool for number in rules.pool):
        # 3 and -3 are two numbers, but two threes would be one move.
        return same, away
    if rules.ban is Ban.MIRROR and rules.totals is Totals.OWN:
        away = min(away, tuple(-distance for distance in away))
    else:
        away = tuple(-abs(distance) for distance in away)
    return {number: abs(number) for number in same}, away
