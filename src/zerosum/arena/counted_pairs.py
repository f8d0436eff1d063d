"""The state of a run: pairs count in the order of their numbers, never in that of arrival.

So it does not matter what was played at the same time: the same pairs count, however fast each is. An entrant that
loses `CRASHES` matches in a row by a crash is withdrawn, and its later pairs are void. A sequential test that is
decided ends the run; pairs with later numbers that were already played do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from zerosum.arena import limits
from zerosum.arena.entrants.entrant import Fault
from zerosum.arena.plan import ArenaPlan, Slot, slot, total_pairs
from zerosum.arena.strength.sprt import LEAST_PAIRS, Sprt, sprt

CRASHED: Final = frozenset({Fault.CRASH.value, Fault.UNREADABLE.value})


@dataclass
class CountedPairs:
    """The pairs up to number `known`, added up."""

    plan: ArenaPlan
    known: int = 0
    """Every pair up to this number is over or void."""
    counted: list[int] = field(default_factory=list)
    """The numbers of the pairs that count, in order."""
    void: int = 0
    withdrawn: set[int] = field(default_factory=set)
    """The places of the entrants that were withdrawn."""
    cells: list[int] = field(default_factory=lambda: [0] * 5)
    """Of the first pairing: how many pairs gave A 0, ½, 1, 1½ and 2 points."""
    test: Sprt | None = None
    curve: list[float] = field(default_factory=list)
    """The log-likelihood ratio after each pair, from `LEAST_PAIRS` on."""
    _waiting: dict[int, tuple[float, list[tuple[int, bool]]]] = field(default_factory=dict)
    _streaks: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start the sequential test, if the plan has one."""
        if self.plan.sprt is not None:
            self.test = sprt(self.cells, *self.plan.sprt)

    @property
    def decided(self) -> bool:
        """Whether the sequential test is over."""
        return self.test is not None and self.test.decision is not None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.decided or self.known == total_pairs(self.plan)

    def is_void(self, where: Slot) -> bool:
        """Whether a pair that has not been played yet will not be."""
        return bool(self.withdrawn) and (where.a in self.withdrawn or where.b in self.withdrawn)

    def add(self, line: Mapping[str, Any]) -> None:
        """Take the line of a pair, which counts as soon as all pairs before it are known."""
        sides = [(match.get("by"), match.get("fault") in CRASHED) for match in line["matches"]]
        self._waiting[line["n"]] = line["points"], sides
        self.advance()

    def advance(self) -> None:
        """Count the pairs that follow the last one known, without a gap."""
        last = total_pairs(self.plan)
        while self.known < last and not self.decided:
            number = self.known + 1
            where = slot(self.plan, number)
            if self.is_void(where):
                self._waiting.pop(number, None)
                self.void += 1
            elif number in self._waiting:
                self._count(number, where)
            else:
                return
            self.known = number

    def _count(self, number: int, where: Slot) -> None:
        points, sides = self._waiting.pop(number)
        self.counted.append(number)
        for by, crashed in sides:
            for side, entrant in enumerate((where.a, where.b)):
                streak = self._streaks[entrant] = self._streaks.get(entrant, 0) + 1 if crashed and by == side else 0
                if streak >= limits.CRASHES:
                    self.withdrawn.add(entrant)
        if (where.a, where.b) == (0, 1):
            self.cells[round(2 * points)] += 1
            if self.plan.sprt is not None and sum(self.cells) >= LEAST_PAIRS:
                self.test = sprt(self.cells, *self.plan.sprt)
                self.curve.append(self.test.llr)
