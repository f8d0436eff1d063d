"""The rules as arithmetic on arrays: many positions, and a move of each, at once.

A position is a row of columns (`States`). The numbers used are bits, a bit for each copy, and of equal numbers the
lowest is used first. No rule of winning is written again: `judge` is asked once for every case that it can tell apart,
whoever moves, on which side of the target the total is, whether the pool is empty, and who is closer then. That it
tells no others apart is what `batch_check` proves of a game.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.rules.model import Ban, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP, Move
from zerosum.rules.outcome import judge
from zerosum.rules.position import Position, unchecked

Array = NDArray[Any]

GOES_ON: Final = 0
WON: Final = 1
"""Whoever moved has won."""
LOST: Final = 2
"""Whoever moved has lost."""
ILLEGAL: Final = 3
"""The action is no legal move, and so whoever moved has lost."""

START: Final = 0
SWAP_OPEN: Final = 1
LATER: Final = 2
"""The phases of a match with the swap rule: before the first move, at the ply where `swap` is a move, and then."""

_WORD: Final = 32
_SIDES: Final = (-2, 0, 2)
_NEARER: Final = (4, None, 1)
"""How far the other total is from the target, where `mine` is 2 away: farther, as far, nearer."""


class States(NamedTuple):
    """Positions, one a row. A column that the rules do not need has one row, which holds 0."""

    used: Array
    mine: Array
    """The total of the seat to move; where totals are shared, the total."""
    other: Array
    seat: Array
    """0 for the first, 1 for the second."""
    before: Array
    """The action before, plus 1; 0 if there was none. Only where a ban or a swap remembers it."""
    phase: Array


class Moved(NamedTuple):
    """What actions do, each to a position: the numbers used and the mover's total after it are right where legal."""

    legal: Array
    outcome: Array
    """Right where legal."""
    used: Array
    total: Array


class Arithmetic:
    """The arithmetic of one game; actions are indices into `rules.moves`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.actions = len(rules.moves)
        self.refills = rules.tie is Tie.SUDDEN_DEATH
        self.own = rules.totals is Totals.OWN
        self.bans = rules.ban is not Ban.NONE
        bits = np.uint32 if len(rules.pool) <= _WORD else np.uint64
        # Totals stay below a hundred million, unless pools are refilled for ever.
        total = np.int64 if self.refills else np.int32
        lows, groups, amounts = zip(*(self._column(move) for move in rules.moves), strict=True)
        self.low: Array = np.array(lows, bits)
        self.group: Array = np.array(groups, bits)
        self.amount: Array = np.array(amounts, total)
        self.all = bits((1 << len(rules.pool)) - 1)
        self.amount_before: Array = np.concatenate([np.zeros(1, total), self.amount])
        # A number alone is left: to add it may be the only move, but where it can be subtracted there are two.
        self.solo: Array = self.group if rules.operations == ADD_ONLY else np.zeros_like(self.group)
        self.target = total(rules.target)
        self._ends = _ends(rules)
        self._groups = [bits(group) for group in dict.fromkeys(groups) if group]
        self.seen = self._seen()
        live = (True, True, self.own, True, rules.remembers, rules.swap)
        self.live = tuple(at for at, needed in enumerate(live) if needed)
        """The columns of `States` that these rules need."""
        start = (0, rules.start[0], rules.start[-1] if self.own else 0, 0, 0, START)
        kinds = (bits, total, total, np.uint8, np.uint8, np.uint8)
        self.start = States(*(np.array([value], kind) for value, kind in zip(start, kinds, strict=True)))

    def _column(self, move: Move) -> tuple[int, int, int]:
        """Return the lowest bit of a move's number, the bits of all its copies, and its amount."""
        if move == SWAP:
            return 0, 0, 0
        at, copies = self.rules.pool.index(move.number), self.rules.pool.count(move.number)
        return 1 << at, ((1 << copies) - 1) << at, move.amount

    def _seen(self) -> type[np.signedinteger[Any]]:
        """Return the smallest type that holds every number of an observation."""
        if self.refills:
            return np.int64
        rules = self.rules
        most = sum(map(abs, rules.pool)) + max(abs(rules.target - start) for start in rules.start)
        return next(kind for kind in (np.int8, np.int16, np.int32) if most <= np.iinfo(kind).max)

    def play(self, states: States, actions: Array) -> Moved:
        """Return what actions do to positions; columns and actions are broadcast against each other."""
        taken = states.used & self.group[actions]
        legal = self._legal(states, actions, taken)
        taken += self.low[actions]
        used = np.bitwise_or(states.used, taken, out=taken)
        total = states.mine + self.amount[actions]
        outcome = np.take(self._ends, self._case(states, used, total), mode="clip")
        if self.rules.swap:
            outcome = np.where(actions == self.actions - 1, np.uint8(GOES_ON), outcome)
        return Moved(legal, outcome, used, total)

    def _legal(self, states: States, actions: Array, taken: Array) -> Array:
        """Return which actions are legal; `taken` are the copies used of each action's number."""
        legal: Array = taken != self.group[actions]
        if self.bans:
            mirror = self.amount_before[states.before] == -self.amount[actions]
            legal &= ~mirror | ((~states.used & self.all & ~self.solo[actions]) == 0)
        if self.rules.swap:
            legal = np.where(actions == self.actions - 1, states.phase == SWAP_OPEN, legal)
        return legal

    def _case(self, states: States, used: Array, total: Array) -> Array:
        """Return which of the cases of `_ends` each move comes to."""
        case: Array = (used == self.all).view(np.uint8) * np.uint8(9)
        case += states.seat * np.uint8(18)
        case += (total >= self.target).view(np.uint8) * np.uint8(3)
        case += (total > self.target).view(np.uint8) * np.uint8(3)
        if self.own:
            mine: Array = abs(total - self.target)
            other: Array = abs(states.other - self.target)
            case += (mine >= other).view(np.uint8)
            case += mine > other
        return case

    def follow(self, states: States, actions: Array, used: Array, total: Array) -> States:
        """Return the positions after legal actions that end nothing; all columns and actions have one length."""
        if self.refills:
            used = np.where(used == self.all, used.dtype.type(0), used)
        mine, other = (states.other, total) if self.own else (total, states.other)
        seat = states.seat ^ 1
        before = (actions + 1).astype(np.uint8) if self.rules.remembers else states.before
        phase = states.phase
        if self.rules.swap:
            swap = actions == self.actions - 1
            phase = np.where(swap | (phase != START), np.uint8(LATER), np.uint8(SWAP_OPEN))
            mine = np.where(swap, states.mine, mine)
            seat = np.where(swap, states.seat, seat)
            if self.own:
                other = np.where(swap, states.other, other)
            before = np.where(swap, states.before, before)
        return States(used, mine, other, seat, before, phase)

    def rows(self, states: States, at: Array | slice) -> States:
        """Return some of the rows."""
        return States(*(column[at] if n in self.live else column for n, column in enumerate(states)))

    def joined(self, parts: list[States]) -> States:
        """Return the rows of several, one after the other."""
        columns = zip(*parts, strict=True)
        return States(*(np.concatenate(each) if n in self.live else each[0] for n, each in enumerate(columns)))

    def mask(self, states: States) -> Array:
        """Return a row for each position, true for each action that is legal."""
        spread = States(*(column[:, None] for column in states))
        return self._legal(spread, np.arange(self.actions), spread.used & self.group)

    def observe(self, states: States) -> Array:
        """Return a row of whole numbers for each position: what the seat to move sees.

        How many of each different number are left, the seat, and how far the total is from the target; where totals
        are own, the mover's comes first. With a ban, what the move before added. With a swap, 2 while it is to come,
        1 where it is a move, then 0.
        """
        columns = [np.bitwise_count(~states.used & group) for group in self._groups]
        columns += [states.seat + np.uint8(1), self.target - states.mine]
        if self.own:
            columns.append(self.target - states.other)
        if self.bans:
            columns.append(self.amount_before[states.before])
        if self.rules.swap:
            columns.append(LATER - states.phase)
        found = np.empty((len(states.used), len(columns)), self.seen)
        for at, column in enumerate(columns):
            found[:, at] = column
        return found

    def position(self, states: States, at: int) -> Position:
        """Return a row as a `Position`."""
        rules = self.rules
        used, mine, other, second, before, phase = (
            int(column[at if n in self.live else 0]) for n, column in enumerate(states)
        )
        pool = tuple(number for place, number in enumerate(rules.pool) if not used >> place & 1)
        totals = (mine,) if not self.own else (other, mine) if second else (mine, other)
        previous = rules.moves[before - 1] if before else None
        return unchecked(
            rules, pool, totals, Seat.SECOND if second else Seat.FIRST, previous, rules.swap and phase == SWAP_OPEN
        )


def _ends(rules: Rules) -> NDArray[np.uint8]:
    """Return the outcome of a move that does not swap, by mover, empty pool, side of the target, and who is closer."""
    found = []
    for seat in Seat:
        for pool in ((1,), ()):
            for side in _SIDES:
                for far in _NEARER:
                    mine, other = rules.target + side, rules.target + (abs(side) if far is None else far)
                    totals = (mine, other) if seat is Seat.FIRST else (other, mine)
                    outcome = judge(rules, pool, totals if rules.totals is Totals.OWN else (mine,), seat)
                    found.append(GOES_ON if outcome is None else WON if outcome.winner is seat else LOST)
    return np.array(found, np.uint8)
