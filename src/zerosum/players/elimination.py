"""The equations of a chain of rounds, solved by elimination.

Every unknown h is found as a form u + v * c, where c is what rounds beyond the last are worth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

Kernel = tuple[float, list[float]]
"""The chance that seat 1 wins a round, and the chance that it leads to each of its ends."""
Form = tuple[float, float]
"""u and v of u + v * c."""
_FOR_EVER: Final = 1e-12


class Round(NamedTuple):
    """The beginning of a round: the index of its kernel, and the round that each end begins; None beyond the last."""

    like: int
    ends: dict[int, int | None]


class Row:
    """One equation: h = u + v * c + the sum of chances times other unknowns."""

    __slots__ = ("others", "u", "v")

    def __init__(self, u: float) -> None:
        self.u = u
        self.v = 0.0
        self.others: defaultdict[int, float] = defaultdict(float)

    def without(self, unknown: int) -> None:
        """Solve the equation for its own unknown."""
        own = self.others.pop(unknown, 0.0)
        # Rounds that lead only to each other never end, and seat 1 does not win them.
        scale = 1 / (1 - own) if 1 - own > _FOR_EVER else 0.0
        self.u *= scale
        self.v *= scale
        for other in self.others:
            self.others[other] *= scale

    def put_in(self, unknown: int, row: Row) -> None:
        """Replace an unknown by its equation."""
        share = self.others.pop(unknown, 0.0)
        if share:
            self.u += share * row.u
            self.v += share * row.v
            for other, chance in row.others.items():
                self.others[other] += share * chance


def rows_of(rounds: Sequence[Round], kernels: Sequence[Kernel]) -> list[Row]:
    """Return the equations of all rounds."""
    rows = []
    for one in rounds:
        won, mass = kernels[one.like]
        row = Row(won)
        for end, at in one.ends.items():
            if mass[end]:
                if at is None:
                    row.v += mass[end]
                else:
                    row.others[at] += mass[end]
        rows.append(row)
    return rows


def solve_rows(rows: Sequence[Row]) -> list[Form]:
    """Return every unknown: eliminate from the last to the first, then substitute from the first to the last."""
    for at in range(len(rows) - 1, -1, -1):
        rows[at].without(at)
        for row in rows[:at]:
            row.put_in(at, rows[at])
    found: list[Form] = []
    for row in rows:
        u = row.u + sum(chance * found[at][0] for at, chance in row.others.items())
        v = row.v + sum(chance * found[at][1] for at, chance in row.others.items())
        found.append((u, v))
    return found
