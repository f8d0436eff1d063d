"""What every picture of a match shows."""

from __future__ import annotations

from typing import Final

from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.rules.moves import ADD_ONLY

_LEAST: Final = 10
"""The least that is shown on either side of the target."""


def takers(match: Match) -> dict[int, list[Person]]:
    """Return who took which numbers since the pool was last full; of equal numbers, in the order they were taken."""
    found: dict[int, list[Person]] = {}
    for ply in range(len(match.moves) - 1, -1, -1):
        if match.moves[ply].number:
            found.setdefault(match.moves[ply].number, []).insert(0, match.mover(ply))
        if match.positions[ply].pool == match.setup.rules.pool:
            break
    return found if match.position.pool != match.setup.rules.pool else {}


def span(match: Match) -> tuple[int, int]:
    """Return the part of the number line to show: start to target if totals only rise, else both sides of it."""
    rules = match.setup.rules
    totals = [total for position in match.positions for total in position.totals]
    only_up = rules.operations == ADD_ONLY and min(rules.pool) > 0 and max(rules.start) < rules.target
    if only_up:
        return min(rules.start), max(rules.target, *totals)
    far = max(_LEAST, *(abs(total - rules.target) for total in totals))
    return rules.target - far, rules.target + far
