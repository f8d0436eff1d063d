"""Sudden death, solved for every round, whatever the totals have grown to.

The pool is refilled while both are equally far from the target, so a *round* begins with both at a distance r from
it, and r can grow without end. No cap on r or on the number of rounds is assumed; the answer is exact by this argument.

*A round far out is like any other far out.* Let w be the most one seat can move in a round. If r > w, nobody can land
on or pass the target in that round, on either side; what happens depends only on the amounts played, and the next
round begins at a distance between r - w and r + w, in the same direction. So if the values of rounds have the form

    value(r + p) = value(r), or the same q plies later          for all r from some r0 on,                  (1)

then what is best in the round at r is best in the round at r + p. Matches that one side can end far out, by
coming closer, take some number of plies wherever that is; the others, which must first come back to the target, take q
plies more for every p. No choice between the two kinds changes further out if all of the second kind are longer
than all of the first: let m be the most plies of the first kind plus those of one round, and ask that the others
have more than m.

*Guess, then prove.* A search that leaves rounds beyond a bound undecided shows p, q and r0 for smaller r. Then a second
search, on a board with cells up to the bound b >= 2w + p + max(r0, w), is given the values that (1) says for the rounds
beyond b. It makes every value up to b follow from those of its moves: a won position has a move to one lost in
one ply less, a lost one has only moves to won ones, the longest one ply less. If it gives back (1) for all r from
r0 to b, then all positions of all rounds satisfy the same, those beyond b because each is the copy, k periods further
out and k*q plies later, of one in the last window of p rounds whose moves all stay between r0 and b. Plies are
whole numbers that fall by one with every move, so these conditions admit one solution only: this one. What neither
search decides is a draw: its player has a move that keeps it undecided, and no move that wins.

A game for which this cannot be shown is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from zerosum.base.english import count_text
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules, Seat
from zerosum.rules.position import Position
from zerosum.solver.board import BitBoard, BoardEnds, RoundStart, first_bound, reach, steps_of
from zerosum.solver.retrograde import START, BanClasses, Known, Sets, SolvedSets, reachable, retrograde
from zerosum.solver.value import DRAW, SolverError, TooLargeError, Value, Verdict

Directions = tuple[int, int]
_DOUBLINGS = 5
"""How often the board is doubled to look for a pattern."""
Values = tuple[Value, ...]
"""The values of the rounds at one distance: one for each seat that may begin and each class."""


class RoundTail(NamedTuple):
    """From the distance `since` on, these values repeat, each time `later` plies later unless at most `still`."""

    since: int
    values: tuple[Values, ...]
    later: int
    still: int

    @property
    def period(self) -> int:
        """After how much more distance values repeat."""
        return len(self.values)

    def needs(self, width: int) -> int:
        """Return how far a board must reach to prove the tail; `width` is how far one seat can move in a round."""
        return 2 * width + self.period + max(self.since, width)

    def at(self, distance: int) -> Values:
        """Return the values at a distance, at least `since`."""
        times, at = divmod(distance - self.since, self.period)
        return tuple(self.after(times, value) for value in self.values[at])

    def after(self, periods: int, value: Value) -> Value:
        """Return what a value is some periods further out."""
        if value.plies is None or value.plies <= self.still:
            return value
        return Value(value.verdict, value.plies + periods * self.later)


@dataclass(frozen=True, slots=True)
class Endless:
    """The solution of a sudden-death game: the values of rounds that begin near the target, tails for the others."""

    board: BitBoard
    classes: BanClasses
    near: SolvedSets
    tails: dict[Directions, RoundTail]
    width: int

    @property
    def count(self) -> int | None:
        """How many positions can arise; None if totals grow without end."""
        return None if self.tails else sum(bits.bit_count() for bits in self.near.positions)

    def value(self, position: Position) -> Value | None:
        """Return the value of a position, None if it cannot arise."""
        if not self.board.fits(position):
            return None
        x, y = (total - self.board.rules.target for total in position.totals)
        tail = self.tails.get((1 if x > 0 else -1, 1 if y > 0 else -1))
        too_far = abs(x) - (self.board.bound - self.width)
        if tail is None or too_far <= 0:
            return self._near(position, position.totals)
        # Whole periods nearer to the target there is a position that stands for this one.
        periods = -(-too_far // tail.period)
        back = periods * tail.period
        nearer = tuple(total - (back if way > 0 else -back) for total, way in zip(position.totals, (x, y), strict=True))
        value = self._near(position, nearer)
        return None if value is None else tail.after(periods, value)

    def _near(self, position: Position, totals: tuple[int, ...]) -> Value | None:
        bit = self.board.bit_at(self.board.row(position), totals, position.seat)
        return None if bit is None else self.near.value(self.classes.of(position), bit)


def solve_endless(rules: Rules, largest: int, progress: Progress = silent) -> Endless:
    """Solve a game with sudden death on boards of at most `largest` bits."""
    width = reach(rules, (len(rules.pool) + 1) // 2)
    bound = first_bound(rules)
    for _ in range(_DOUBLINGS):
        trial = _Trial(rules, bound, width, largest, progress)
        if not trial.escapes():
            return trial.solution({})
        tails = trial.guess()
        if tails is not None:
            needed = max([bound, *(tail.needs(width) for tail in tails.values())])
            proof = trial if needed == bound else _Trial(rules, needed, width, largest, progress)
            solution = proof.solution(tails)
            if proof.confirms(solution):
                return solution
        bound *= 2
    raise SolverError(
        f"{rules.name} cannot be solved exactly: its rounds show no pattern within {bound // 2:,} of the target. "
        "Use a smaller pool or smaller numbers."
    )


class _Trial:
    """One board, and what can be asked of it."""

    def __init__(self, rules: Rules, bound: int, width: int, largest: int, progress: Progress) -> None:
        self._progress = progress
        self.board = BitBoard(rules, bound)
        if self.board.size > largest:
            raise TooLargeError(
                f"{rules.name} cannot be solved exactly: its rounds show no pattern within {bound // 2:,} of the "
                f"target. Looking further needs {count_text(self.board.size)} positions; {count_text(largest)} fit "
                "into the memory allowed."
            )
        self.width = width
        self.classes = BanClasses(self.board, steps_of(self.board, BoardEnds(self.board).all()))
        self.rounds = list(self.board.rounds())
        self.beyond = sum(1 << one.bit for one in self.rounds if one.distance > bound)

    def escapes(self) -> bool:
        """Whether play can lead beyond the bound at all."""
        seeds = [0] * self.classes.count
        seeds[START] = 1 << self.board.start_bit()
        self.arising = reachable(self.classes, seeds, self.beyond)
        return any(bits & self.beyond for bits in self.arising)

    def _inside(self) -> Sets:
        """Return all positions of all rounds within the bound."""
        starts = sum(1 << one.bit for one in self.rounds if one.distance <= self.board.bound)
        seeds = [starts] * self.classes.count
        seeds[START] |= 1 << self.board.start_bit()
        return [bits & ~self.beyond for bits in reachable(self.classes, seeds, self.beyond)]

    def guess(self) -> dict[Directions, RoundTail] | None:
        """Return what the tails seem to be, None if nothing repeats."""
        undecided_beyond = retrograde(self.classes, self._inside(), self.beyond, progress=self._progress)
        tails = {}
        for directions, values in self._values(undecided_beyond).items():
            tail = _find_tail(values, self.board.rules)
            if tail is None:
                return None
            tails[directions] = tail
        return tails

    def solution(self, tails: dict[Directions, RoundTail]) -> Endless:
        """Return the solution that follows if these are the tails; without any, play stays within the bound."""
        positions = self._inside() if tails else self.arising
        near = retrograde(self.classes, positions, self.beyond, self._known(tails), self._progress)
        return Endless(self.board, self.classes, near, tails, self.width)

    def confirms(self, solution: Endless) -> bool:
        """Whether a solution gives back the tails it was given, on a board that is wide enough."""
        bound, values = self.board.bound, self._values(solution.near)
        return all(
            bound >= tail.needs(self.width)
            and all(values[directions][distance] == tail.at(distance) for distance in range(tail.since, bound + 1))
            for directions, tail in solution.tails.items()
        )

    def _known(self, tails: dict[Directions, RoundTail]) -> Known:
        """Return the values that the tails say for the rounds beyond the bound."""
        known: dict[int, tuple[Sets, Sets]] = {}
        for one in self.rounds:
            if one.distance > self.board.bound and one.directions in tails:
                for at, value in self._of_round(one, tails[one.directions].at(one.distance)):
                    if value.plies is not None:
                        empty = ([0] * self.classes.count, [0] * self.classes.count)
                        sets = known.setdefault(value.plies, empty)[value.verdict is Verdict.LOSS]
                        sets[at] |= 1 << one.bit
        return known

    def _of_round(self, one: RoundStart, values: Values) -> Iterable[tuple[int, Value]]:
        """Return, of all values at a distance, those of one round, by class."""
        mine = values[: self.classes.count] if one.seat is Seat.FIRST else values[self.classes.count :]
        return enumerate(mine)

    def _values(self, solved: SolvedSets) -> dict[Directions, list[Values]]:
        """Return the values of all rounds within the bound, by direction and distance."""
        values: dict[Directions, list[Values]] = {}
        for one in self.rounds:
            if 0 < one.distance <= self.board.bound:
                by_distance = values.setdefault(one.directions, [()] * (self.board.bound + 1))
                here = (solved.value(at, one.bit) for at in range(self.classes.count))
                by_distance[one.distance] += tuple(value or DRAW for value in here)
        return values


def _find_tail(values: list[Values], rules: Rules) -> RoundTail | None:
    """Return the shortest period that the values seem to have, seen at least three times."""
    decided = [distance for distance, here in enumerate(values) if any(value != DRAW for value in here)]
    for end in (max(decided, default=0), len(values) - 1):
        for period in range(gcd(*rules.pool), end // 3 + 1, gcd(*rules.pool)):
            tail = _tail_of(values[: end + 1], period, len(rules.pool))
            if tail is not None:
                return tail
    return None


def _tail_of(values: list[Values], period: int, turns: int) -> RoundTail | None:
    """Return the tail of this period, if the values have one; a round has `turns` turns."""
    later, still = 0, 0
    for here, there in zip(values[-2 * period : -period], values[-period:], strict=True):
        for one, two in zip(here, there, strict=False):
            if one.plies is not None and two.plies is not None and one.plies != two.plies:
                later = two.plies - one.plies
            elif one.plies is not None:
                still = max(still, one.plies)
    shape = RoundTail(1, (), later, still + turns if later else 0)
    since = len(values) - 1 - period
    while since >= 1 and values[since + period] == tuple(shape.after(1, value) for value in values[since]):
        since -= 1
    since += 1
    if later < 0 or len(values) - since < 3 * period:
        return None
    return shape._replace(since=since, values=tuple(values[since : since + period]))
