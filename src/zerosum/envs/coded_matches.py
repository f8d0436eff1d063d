"""Many matches by codes: for games with sudden death, and for those too large for a table.

A position is a code (`solver/graph_codes.py`), to which a move adds a constant. Here it is a row of `Coded`, and all
rows move at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver import Solution, SolverError, Verdict, solution_of
from zerosum.solver.encoding import ACTION_LOST, ACTION_WON, GOES_ON, ILLEGAL, decode, encoding_of, split
from zerosum.solver.game_table import Labels
from zerosum.solver.graph_build_numpy import last_ends
from zerosum.solver.graph_codes import SWAP_OPEN, SWAP_PAST, WORD, Codes

Array = NDArray[Any]

_ROUNDS: Final = 1 << 20
"""Rounds of sudden death for which totals have room."""
_SHORT: Final = 31
"""Bits of a short number."""
_NO_AMOUNT: Final = 1 << 40
_WORTH: Final = {Verdict.WIN: 1, Verdict.DRAW: 0, Verdict.LOSS: -1}
Label = tuple[int, int, list[bool]]


class Coded(NamedTuple):
    """Positions, one a row."""

    used: Array
    """The used copies of the pool's numbers, a bit each."""
    rest: Array
    """The bits of the code above them."""
    before: Array
    """The action before, plus 1; 0 at the start, and if no rule remembers it."""


class CodedMoves:
    """What actions do to many positions of a game at once; actions are indices into `rules.moves`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.actions = len(rules.moves)
        self._refills = rules.tie is Tie.SUDDEN_DEATH
        start = start_position(rules)
        self._codes = codes = Codes(rules, [start], rounds=_ROUNDS if self._refills else 1)
        shift = codes.seat
        bits = np.uint32 if shift <= _SHORT else np.uint64
        size = codes.bits - shift
        self._word: type = np.int32 if size <= _SHORT else np.int64 if size <= WORD else object
        # The columns of a swap, the last action, stay 0: it uses nothing and adds nothing.
        low, group = [0] * self.actions, [0] * self.actions
        amounts = [_NO_AMOUNT] * self.actions
        changes = [[0] * self.actions for _ in Seat]
        for seat, steps in enumerate(codes.steps):
            for step in steps:
                copy = step.copies - step.first
                if not step.first:
                    low[step.move] = copy
                    amounts[step.move] = step.amount
                    changes[seat][step.move] = step.change - copy >> shift
                group[step.move] |= copy
        self._low: Array = np.array(low, bits)
        self._group: Array = np.array(group, bits)
        self._amount = np.array(amounts, np.int64)
        self._changes: Array = np.array(changes, self._word).reshape(-1)
        self._all = bits(codes.used)
        self._keep = codes.keep >> shift
        self._totals = [place - shift for place in codes.totals]
        self._places: Array = np.array(self._totals, self._word)
        self._before_mask, self._before_shift = codes.before >> shift, codes.before_shift - shift
        self._phase_shift = codes.phase_shift - shift
        self._banned = np.array([-_NO_AMOUNT if one is None else one for one in codes.banned], np.int64)
        self._only: Array = np.array([self._only_moves(one) for one in codes.banned], bits)
        self._outcomes = np.array([_outcome(end) for ends in codes.ends for end in ends], np.uint8)
        self.start = self.coded([start])

    def _only_moves(self, banned: int | None) -> int:
        """Return the copies of the numbers of which a ban of this amount leaves no move."""
        found = self._codes.used
        for step in self._codes.steps[0]:
            if step.amount != banned:
                found &= ~(step.copies - step.first)
        return found

    def coded(self, positions: Sequence[Position]) -> Coded:
        """Return positions that can arise as rows."""
        codes = [self._codes.code(position) or 0 for position in positions]
        used, rest = split(self._codes, codes)
        before = [self._before(position.previous) for position in positions]
        return Coded(used.astype(self._low.dtype), rest.astype(self._word), np.array(before, np.uint8))

    def _before(self, move: Move | None) -> int:
        return 0 if move is None else 1 + self.rules.index_of(move)

    def play(self, at: Coded, actions: Array) -> tuple[Array, Coded]:
        """Return how an action went in each position, and the position after it: the start if the match is over."""
        codes = self._codes
        seat = (at.rest & 1).astype(np.intp)
        taken = at.used & self._group.take(actions)
        legal = self._legal(at, actions, taken)
        # Equal numbers are used from the lowest copy on, so this is the lowest that is left.
        taken += self._low.take(actions)
        used = np.bitwise_or(at.used, taken, out=taken)
        rest = (at.rest & self._keep) + self._changes.take(seat * self.actions + actions)
        before = at.before
        if self.rules.swap:
            phase = at.rest >> self._phase_shift & 3
            rest += np.minimum(phase + 1, SWAP_PAST) << self._phase_shift
        place = self._places.take(seat) if codes.own else self._totals[0]
        total = rest >> place & codes.total
        side = (total >= codes.middle).astype(np.uint8) + (total > codes.middle)
        outcome = self._outcomes.take(seat * 3 + side)
        emptied = np.flatnonzero(used == self._all)
        if len(emptied):
            outcome[emptied] = self._emptied(rest[emptied])
        if self.rules.remembers:
            before = (actions + 1).astype(np.uint8)
        if self.rules.swap:
            swap = actions == self.actions - 1
            rest = np.where(swap, at.rest + (SWAP_PAST - SWAP_OPEN << self._phase_shift), rest)
            outcome[swap] = GOES_ON
            before = np.where(swap, at.before, before)
        outcome[~legal] = ILLEGAL
        over = outcome != GOES_ON
        if self._refills and len(emptied):
            used[emptied] = 0
            self._check_room(rest[emptied[~over[emptied]]])
        after = Coded(used, rest, before)
        for column, begin in zip(after if self.rules.remembers else after[:2], self.start, strict=False):
            np.copyto(column, begin, where=over)
        return outcome, after

    def _legal(self, at: Coded, actions: Array, taken: Array) -> Array:
        """Return which actions are legal; `taken` are the copies used of each action's number."""
        legal: Array = taken != self._group.take(actions)
        if self._codes.bans:
            amount = ((at.rest & self._before_mask) >> self._before_shift).astype(np.intp)
            others = ~at.used & self._all & ~self._only[amount]
            legal &= (self._amount[actions] != self._banned[amount]) | (others == 0)
        if self.rules.swap:
            swaps = at.rest >> self._phase_shift & 3 == SWAP_OPEN
            legal = np.where(actions == self.actions - 1, swaps, legal)
        return legal

    def _emptied(self, rest: Array) -> Array:
        """Return the outcomes of moves that empty the pool and lead to these codes."""
        one, two = ((rest >> place & self._codes.total).astype(np.int64) for place in self._totals)
        ends = last_ends(self._codes, one, two, (rest & 1).astype(np.int64))
        return np.where(ends == 0, GOES_ON, np.where(ends & 1, ACTION_WON, ACTION_LOST))

    def _check_room(self, rest: Array) -> None:
        """Refuse to go on if a total could leave the bits of the code in the next round."""
        far = self._codes.middle - sum(map(abs, self.rules.pool))
        for place in self._totals:
            if (abs((rest >> place & self._codes.total).astype(np.int64) - self._codes.middle) > far).any():
                raise SolverError(f"A match of {self.rules.name} has gone on for more than {_ROUNDS:,} rounds.")

    def mask(self, at: Coded) -> Array:
        """Return a row for each position, true for each action that is legal."""
        spread = Coded(*(column[:, None] for column in at))
        return self._legal(spread, np.arange(self.actions), spread.used & self._group)

    def observe(self, at: Coded) -> Array:
        """Return a row of whole numbers for each position: what the seat to move sees."""
        return encoding_of(self.rules).observe_all(decode(self._codes, at.used, at.rest))

    def position(self, at: Coded, row: int) -> Position:
        """Return a row as a `Position`."""
        before = int(at.before[row if self.rules.remembers else 0])
        code = int(at.used[row]) | int(at.rest[row]) << self._codes.seat
        return self._codes.position(code, self.rules.moves[before - 1] if before else None)


def _outcome(end: int) -> int:
    return GOES_ON if end == 0 else ACTION_WON if end & 1 else ACTION_LOST


class CodedMatches:
    """Matches of any game whose keys the codes know; `states` has the codes of their positions."""

    def __init__(self, rules: Rules, n: int, dice: np.random.BitGenerator) -> None:
        self._moves = CodedMoves(rules)
        self._n = n
        self._dice = np.random.Generator(dice)
        self._labels: dict[PositionKey, Label] = {}
        self.reset()

    def reset(self) -> None:
        """Restart every match."""
        self.states = Coded(*(np.repeat(column, self._n) for column in self._moves.start))

    def step(self, actions: Array) -> Array:
        """Play an action in each match."""
        outcome, self.states = self._moves.play(self.states, actions)
        return outcome.astype(np.int32)

    def observe(self) -> Array:
        """Return what the seat to move of each match sees."""
        return self._moves.observe(self.states)

    def mask(self) -> Array:
        """Return which actions are legal in each match."""
        return self._moves.mask(self.states)

    def sample(self) -> Array:
        """Return a legal action for each match, all equally likely."""
        # A row for each action. Row by row, they are added up a hundred times faster than by `cumsum`.
        legal = np.ascontiguousarray(self.mask().T).view(np.uint8)
        for row, after in pairwise(legal):
            after += row  # noqa: PLW2901 - it is a row of the array
        chosen = self._dice.integers(0, legal[-1], dtype=np.uint8)
        found: Array = (legal <= chosen).sum(axis=0, dtype=np.uint8).astype(np.intp)
        return found

    def labels(self) -> Labels:
        """Return what is true of each match: the solver is asked about every position once."""
        found = [self._label(self.position(match)) for match in range(self._n)]
        values, plies, keeping = zip(*found, strict=True)
        return Labels(np.array(values, np.int8), np.array(plies, np.int16), np.array(keeping, np.bool_))

    def _label(self, position: Position) -> Label:
        key = position.key
        if key not in self._labels:
            self._labels[key] = label_of(position, solution_of(position.rules))
        return self._labels[key]

    def position(self, match: int) -> Position:
        """Return the position of a match."""
        return self._moves.position(self.states, match)


def label_of(position: Position, solution: Solution) -> Label:
    """Return what the solver says of a position: its value, its plies, and for each action whether it keeps them."""
    options = solution.options(position)
    best = options[0].value
    keep = {option.move for option in options if option.value.verdict is best.verdict}
    return _WORTH[best.verdict], best.plies or 0, [move in keep for move in position.rules.moves]
