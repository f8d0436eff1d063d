"""Positions that are the same for every player, because a mirror turns one into the other.

There are two mirrors, and `solver/graph_codes.py` says which of them a game has:

- *sides*: every number can be added and subtracted, so it does not matter on which side of the target a total is. What
  `+5` does on one side, `-5` does on the other. Each total has its own mirror.
- *negation*: numbers are only added, and the pool is its own negation. Negating the numbers left and both distances
  from the target changes nothing.

A game with a key that the solver does not know has no mirrors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver.graph_codes import Mirror, mirror_of, negated

Canon = Callable[[Position], Hashable]
"""Returns the same key for positions, with the same seat to move, that are the same for every player."""


def plain(position: Position) -> Hashable:
    """Return a key that no other position has."""
    return position.key


def canon_of(rules: Rules) -> Canon:
    """Return the function that gives the positions of a game their keys."""
    mirror, target = mirror_of(rules), rules.target
    if mirror is None:
        return plain

    def sides(position: Position) -> Hashable:
        return position.pool, *(abs(total - target) for total in position.totals)

    def negation(position: Position) -> Hashable:
        far = tuple(total - target for total in position.totals)
        return min((position.pool, far), (negated(position.pool), tuple(-distance for distance in far)))

    return sides if mirror is Mirror.SIDES else negation
