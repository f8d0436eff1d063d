"""The positions of a game in the order in which a certificate lists them, found by playing.

In sudden death a certificate lists rounds up to a bound one by one, and a pattern covers those beyond it. The argument
is the solver's (see `zerosum.solver.endless`); its conditions are written here a second time, so that the check does
not depend on the solver.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import gcd

from zerosum.rules.model import Ban, Rules, Seat
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position, PositionKey, start_position

Ways = tuple[int, int]
WAYS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True, slots=True)
class CertifiedTail:
    """Beyond the distance `since` values repeat every `period`, `later` plies later if more than `still`."""

    since: int
    period: int
    later: int
    still: int

    def after(self, code: int, periods: int = 1) -> int:
        """Return the code so many periods further out; `later` is not negative, so what grows keeps growing."""
        return code + 2 * self.later * periods if code >> 1 > self.still else code


@dataclass(frozen=True, slots=True)
class RoundPattern:
    """The bound up to which rounds are listed, and what follows in each direction; no tails, no bound."""

    bound: int = 0
    tails: dict[Ways, CertifiedTail] = field(default_factory=dict)


def widest(rules: Rules) -> int:
    """Return the most that one seat's total can move in a round."""
    turns = (len(rules.pool) + 1) // 2
    amounts = rules.pool if rules.operations == ADD_ONLY else tuple(map(abs, rules.pool))
    most = sum(sorted((amount for amount in amounts if amount > 0), reverse=True)[:turns])
    least = sum(sorted(amount for amount in amounts if amount < 0)[:turns])
    return max(most, -least)


def distance_of(position: Position) -> tuple[int, Ways]:
    """Return how far from the target a round begins, and in which directions."""
    x, y = (total - position.rules.target for total in position.totals)
    return abs(x), (1 if x > 0 else -1, 1 if y > 0 else -1)


def begins_round(position: Position) -> bool:
    """Whether a position begins a round: a full pool, both equally far."""
    x, y = (total - position.rules.target for total in position.totals)
    return position.pool == position.rules.pool and abs(x) == abs(y)


def round_starts(rules: Rules, bound: int) -> Iterator[Position]:
    """Yield every round that can begin at most `bound` from the target, for any seat and any move before it.

    Totals differ from the start by multiples of the pool's common divisor, so only such distances are looked at.
    """
    common = gcd(*rules.pool)
    rests = sorted({sign * (rules.start[0] - rules.target) % common for sign in (1, -1)})
    fixed = rules.operations == ADD_ONLY and sum(rules.pool) == 0
    seats = tuple(Seat) if len(rules.pool) % 2 else (Seat.FIRST,)
    for distance in (multiple + rest for multiple in range(0, bound + 1, common) for rest in rests):
        if distance > bound:
            return
        for ways in WAYS if distance else WAYS[:1]:
            totals = (rules.target + ways[0] * distance, rules.target + ways[1] * distance)
            if any((total - start) % common for total, start in zip(totals, rules.start, strict=True)):
                continue
            if fixed and sum(totals) != sum(rules.start):
                continue
            for seat, move in product(seats, _moves_before(rules)):
                yield Position(rules, rules.pool, totals, seat, move)


def _moves_before(rules: Rules) -> list[Move | None]:
    """Return what a round may remember of the move before it: nothing, any amount, or just that there was one."""
    if not rules.remembers:
        return [None]
    moves = start_position(rules).legal_moves()
    return [moves[0]] if rules.ban is Ban.NONE else [*{move.amount: move for move in moves}.values()]


@dataclass(frozen=True, slots=True)
class Following:
    """A position that a move leads to, and its place in the list; None if it is over or beyond the bound."""

    position: Position
    at: int | None


def walk(rules: Rules, pattern: RoundPattern) -> Iterator[tuple[Position, list[Following]]]:
    """Yield every unfinished position with those its moves lead to; if there is a pattern, round starts first."""
    places: dict[PositionKey, int] = {}
    waiting: deque[Position] = deque()

    def place(position: Position) -> int:
        new = len(places)
        at = places.setdefault(position.key, new)
        if at == new:
            waiting.append(position)
        return at

    for seed in (*(round_starts(rules, pattern.bound) if pattern.tails else ()), start_position(rules)):
        place(seed)
    while waiting:
        position = waiting.popleft()
        following = []
        for move in position.legal_moves():
            after = position.play_unchecked(move)
            over = after.outcome is not None or is_beyond(after, pattern)
            following.append(Following(after, None if over else place(after)))
        yield position, following


def is_beyond(position: Position, pattern: RoundPattern) -> bool:
    """Whether a position begins a round beyond the bound; a round in which seats may be swapped is like no other."""
    if not pattern.tails or position.swap_open:
        return False
    return begins_round(position) and distance_of(position)[0] > pattern.bound
