"""Positions that are the same for every player, because a mirror turns one into the other.

Two mirrors, both found from the rules:

- Where every number can be added and subtracted, it does not matter on which side of the target a total stands:
  what `+5` does on one side, `-5` does on the other. Each total has a mirror of its own.
- Where numbers are only added, negating the numbers left and both distances from the target changes nothing; that
  helps where the pool is its own negation, so that both positions arise.

Passing the target, and what a ban or a swap remembers, look different in a mirror; there each position stands for
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from zerosum.rules.model import Overshoot, Rules
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position

Canon = Callable[[Position], Hashable]
"""Returns the same key for positions, with the same seat to move, that are the same for every player."""


def plain(position: Position) -> Hashable:
    """Return a key under which each position stands for itself."""
    return position.key


def canon_of(rules: Rules) -> Canon:
    """Return the function that gives the positions of a game their keys."""
    if rules.remembers:
        return plain
    if rules.overshoot is Overshoot.PLAY_ON:
        if rules.operations != ADD_ONLY:
            return _sides(rules.target, shared=len(rules.start) == 1)
        if rules.pool == _negated(rules.pool):
            return _negation(rules.target)
    return lambda position: (position.pool, position.totals)


def _negated(pool: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-number for number in reversed(pool))


def _sides(target: int, *, shared: bool) -> Canon:
    if shared:
        return lambda position: (position.pool, abs(position.totals[0] - target))

    def canon(position: Position) -> Hashable:
        first, second = position.totals
        return position.pool, abs(first - target), abs(second - target)

    return canon


def _negation(target: int) -> Canon:
    def canon(position: Position) -> Hashable:
        far = tuple(total - target for total in position.totals)
        if far[0] > 0:
            return position.pool, far
        mirrored = (_negated(position.pool), tuple(-distance for distance in far))
        return mirrored if far[0] < 0 else min((position.pool, far), mirrored)

    return canon
