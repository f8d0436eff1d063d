"""Every position of a game, ply by ply, and where each of its moves leads, built for speed.

`Position` is asked for everything where a rule remembers the move before. Elsewhere a position is the numbers used and
the totals, seen by whoever moves, and the one thing to ask is who has won: of `judge`, once for each total.
Where every number can be added and subtracted, and passing the target ends nothing, the two sides of the target are
mirrors: one node stands for all mirrors of a position, and knows how many of them can arise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple

from zerosum.players.odds import MOST_POSITIONS
from zerosum.rules.model import Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP
from zerosum.rules.outcome import Outcome, Reason, judge
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError

REASONS: Final = tuple(Reason)
ENDS: Final = 2 * len(REASONS)
"""How many ends there are: each reason, won or lost by whoever moved. End number n is the index -n of a list."""


class Node(NamedTuple):
    """A position: where its moves lead, the number that each takes, and how many positions this node stands for.

    A move leads to a node of the next layer, from 0 on, or to an end, below 0. A swap takes no number: it is the
    number 0, and the last of the moves.
    """

    after: tuple[int, ...]
    numbers: tuple[int, ...]
    positions: int


class Reached(NamedTuple):
    """The layers of nodes from the start on, and where the pool is refilled, as positions after the last layer."""

    layers: list[list[Node]]
    refilled: list[Position]


def end_of(outcome: Outcome, mover: Seat) -> int:
    """Return the number of an end, below 0."""
    return -1 - 2 * REASONS.index(outcome.reason) - (outcome.winner is not mover)


def reach(rules: Rules) -> Reached:
    """Return every position from the start to the end of the match, or until the pool is refilled."""
    return _by_playing(rules) if rules.remembers else _by_totals(rules)


def check_size(rules: Rules, count: int) -> None:
    """Refuse a game that has too many positions."""
    if count > MOST_POSITIONS:
        raise SolverError(f"{rules.name} has more than {MOST_POSITIONS:,} positions, the limit of exact metrics.")


def _by_playing(rules: Rules) -> Reached:
    """Ask positions for everything; after a swap the same position may come a ply later, and counts once."""
    layers: list[list[Node]] = []
    positions = [start_position(rules)]
    seen = {positions[0].key}
    counts = [1]
    while positions:
        following: list[Position] = []
        found: dict[object, int] = {}
        new: list[int] = []
        layer = []
        for position, count in zip(positions, counts, strict=True):
            after = []
            moves = position.legal_moves()
            for move in moves:
                reached = position.play_unchecked(move)
                if reached.outcome is not None:
                    after.append(end_of(reached.outcome, position.seat))
                    continue
                if move != SWAP and len(reached.pool) == len(rules.pool):
                    raise SolverError("Exact metrics of sudden death need rules in which nothing is banned or swapped.")
                key = reached.key
                if key not in found:
                    found[key] = len(following)
                    following.append(reached)
                    new.append(key not in seen)
                    seen.add(key)
                after.append(found[key])
            layer.append(Node(tuple(after), tuple(move.number for move in moves), count))
        check_size(rules, len(seen))
        layers.append(layer)
        positions, counts = following, new
    return Reached(layers, [])


class _Judged(dict[tuple[int, int | None], int]):
    """Which end a move of one seat has that makes these totals, own and other's; 0 where play goes on.

    While numbers are left the other total does not matter, and is None.
    """

    def __init__(self, rules: Rules, seat: Seat) -> None:
        super().__init__()
        self._rules, self._seat = rules, seat

    def __missing__(self, key: tuple[int, int | None]) -> int:
        mine, other = key
        rules, seat = self._rules, self._seat
        pool = rules.pool if other is None else ()
        totals = (mine,) if rules.totals is Totals.SHARED else (mine, other or 0) if seat == 1 else (other or 0, mine)
        outcome = judge(rules, pool, totals, seat)
        found = self[key] = 0 if outcome is None else end_of(outcome, seat)
        return found


Choice = tuple[int, int]
"""The row that a move leads to, and what it adds to a total."""


class _Rows:
    """The moves of every set of used numbers; a set is a row, one digit for each different number."""

    def __init__(self, rules: Rules) -> None:
        copies = Counter(rules.pool)
        self._strides = {n: prod(k + 1 for k in list(copies.values())[:at]) for at, n in enumerate(copies)}
        self._copies = copies
        self._both = rules.operations != ADD_ONLY
        self._found: dict[int, tuple[list[Choice], tuple[int, ...]]] = {}

    def moves(self, row: int) -> tuple[list[Choice], tuple[int, ...]]:
        """Return the moves of a row and the number that each takes, in the order of `legal_moves`."""
        if row not in self._found:
            moves: list[Choice] = []
            numbers: list[int] = []
            for number, stride in self._strides.items():
                if row // stride % (self._copies[number] + 1) < self._copies[number]:
                    signs = (1, -1) if self._both else (1,)
                    moves += [(row + stride, sign * number) for sign in signs]
                    numbers += [number] * len(signs)
            self._found[row] = moves, tuple(numbers)
        return self._found[row]


def _by_totals(rules: Rules) -> Reached:
    """Walk through rows and totals; the totals of a position are those of whoever moves, then the other's."""
    plies, shared = len(rules.pool), rules.totals is Totals.SHARED
    # The ends of a round are looked up by the solver, which knows only what can arise.
    mirrored = rules.overshoot is Overshoot.PLAY_ON and rules.operations != ADD_ONLY and rules.tie != Tie.SUDDEN_DEATH
    turned = _turned(rules.target, shared=shared) if mirrored else None
    rows = _Rows(rules)
    judged = [_Judged(rules, seat) for seat in Seat]
    states = [(0, rules.start[0], 0 if shared else rules.start[1])]
    masks = [1]
    layers: list[list[Node]] = []
    for ply in range(plies):
        ends = judged[ply % 2]
        last = ply == plies - 1
        found: dict[tuple[int, int, int], int] = {}
        above: list[int] = []
        layer = []
        for (row, mine, other), mask in zip(states, masks, strict=True):
            after = []
            choices, numbers = rows.moves(row)
            for into, amount in choices:
                total = mine + amount
                end = ends[total, other if last else None]
                if end:
                    after.append(end)
                    continue
                state = (into, total, 0) if shared else (into, other, total)
                turns = mask
                if turned is not None:
                    state, turns = turned(state, mask)
                at = found.get(state)
                if at is None:
                    at = found[state] = len(above)
                    above.append(turns)
                else:
                    above[at] |= turns
                after.append(at)
            layer.append(
                Node(
                    tuple(after),
                    numbers,
                    1 if turned is None else arising(mask, (mine != rules.target) + 2 * (other != rules.target)),
                )
            )
        layers.append(layer)
        states, masks = list(found), above
        check_size(rules, sum(map(len, layers)) + len(states))
        if not states:
            break
    return Reached(layers, [refilled_at(rules, mine, other) for _, mine, other in states])


State = tuple[int, int, int]


def _turned(target: int, *, shared: bool) -> Callable[[State, int], tuple[State, int]]:
    """Return what turns a position so that no total is above the target, and with it what stands for its mirrors.

    Of four bits, bit n says whether the mirror can arise that flips the mover's total (1 in n), the other's (2 in n).
    """

    def turn(state: State, mask: int) -> tuple[State, int]:
        row, mine, other = state
        if shared:
            return (state, mask) if mine <= target else ((row, 2 * target - mine, other), FLIPPED[mask])
        # It is the other's turn now; the total that has changed is the other's of the new position.
        if other <= target:
            return state, CHANGED[mask]
        return (row, mine, 2 * target - other), CHANGED_FLIPPED[mask]

    return turn


def _moved_bits(where: Sequence[int]) -> list[int]:
    return [sum(1 << where[at] for at in range(4) if mask >> at & 1) for mask in range(16)]


FLIPPED: Final = _moved_bits((1, 0, 3, 2))
CHANGED: Final = _moved_bits((0, 2, 1, 3))
CHANGED_FLIPPED: Final = _moved_bits((2, 0, 3, 1))


def arising(mask: int, same: int) -> int:
    """Return how many different positions the bits of a mask stand for; a total on the target is its own mirror.

    Of `same`, bit 0 says that the mover's total is not on the target, bit 1 the same of the other's.
    """
    return len({at & same for at in range(4) if mask >> at & 1})


def refilled_at(rules: Rules, mine: int, other: int) -> Position:
    """Return the beginning of the second round, with these totals of whoever moves and of the other."""
    seat = Seat.FIRST if len(rules.pool) % 2 == 0 else Seat.SECOND
    totals = (mine, other) if seat is Seat.FIRST else (other, mine)
    return Position(rules, rules.pool, totals, seat)
