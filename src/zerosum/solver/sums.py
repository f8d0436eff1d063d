"""What sums the numbers of a pool can make, by arithmetic: a target that they cannot make is out of reach.

The arithmetic is true of the keys that it knows. With any other key nothing is claimed.
"""

from __future__ import annotations

from math import gcd
from typing import Final

from zerosum.rules.model import Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver.supports import MOVE_CODES, unknown_key

_SUMS: Final = 50_000
"""How many different sums of numbers are looked at."""


def never_makes(rules: Rules, seat: Seat) -> bool:
    """Return whether no numbers that this seat can take make its target; False too if that takes long to find out."""
    if unknown_key(MOVE_CODES, rules) is not None:
        return False
    gap = rules.target - rules.start[seat - 1 if rules.totals is Totals.OWN else 0]
    if rules.tie is Tie.SUDDEN_DEATH:
        # The numbers come back, so that any whole multiple of what divides them all might be made.
        one_way = rules.operations == ADD_ONLY and all(number * gap <= 0 for number in rules.pool)
        return gap % gcd(*rules.pool) != 0 or (one_way and gap != 0)
    most = len(rules.pool)
    if rules.totals is Totals.OWN:
        most = most - most // 2 if seat is Seat.FIRST or rules.swap else most // 2
    made = _counts(rules)
    return bool(made) and not made.get(gap, 0) & ((1 << (most + 1)) - 2)


def _counts(rules: Rules) -> dict[int, int]:
    """Return by which counts of numbers each sum can be made, as bits; nothing if there are too many sums."""
    made = {0: 1}
    for number in rules.pool:
        longer: dict[int, int] = dict(made)
        for total, counts in made.items():
            for amount in (number,) if rules.operations == ADD_ONLY else (number, -number):
                longer[total + amount] = longer.get(total + amount, 0) | counts << 1
        if len(longer) > _SUMS:
            return {}
        made = longer
    return made
