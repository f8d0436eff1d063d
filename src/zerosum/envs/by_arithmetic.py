"""Many matches by arithmetic: for games with sudden death, and those too large for a table."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from zerosum.envs.arithmetic import GOES_ON, ILLEGAL, Arithmetic, Array
from zerosum.envs.truth import Labels
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict, solution_of

_WORTH = {Verdict.WIN: 1, Verdict.DRAW: 0, Verdict.LOSS: -1}
Label = tuple[int, int, list[bool]]


class ByArithmetic:
    """Matches of any game; `states` has the columns of their positions."""

    table = None

    def __init__(self, arithmetic: Arithmetic, n: int, dice: np.random.BitGenerator) -> None:
        self._arithmetic = arithmetic
        self._n = n
        self._dice = np.random.Generator(dice)
        self._labels: dict[PositionKey, Label] = {}
        self.reset()

    def reset(self) -> None:
        """Begin every match anew."""
        nowhere = np.zeros(self._n, np.intp)
        self.states = self._arithmetic.rows(self._arithmetic.start, nowhere)

    def step(self, actions: Array) -> Array:
        """Play an action in each match."""
        arithmetic, states = self._arithmetic, self.states
        legal, outcome, used, total = arithmetic.play(states, actions)
        outcome[~legal] = ILLEGAL
        after = arithmetic.follow(states, actions, used, total)
        over = outcome != GOES_ON
        for at in arithmetic.live:
            np.copyto(after[at], arithmetic.start[at], where=over)
        self.states = after
        return outcome.astype(np.int32)

    def observe(self) -> Array:
        """Return what the seat to move of each match sees."""
        return self._arithmetic.observe(self.states)

    def mask(self) -> Array:
        """Return which actions are legal in each match."""
        return self._arithmetic.mask(self.states)

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
        return self._arithmetic.position(self.states, match)


def label_of(position: Position, solution: Solution) -> Label:
    """Return what the solver says of a position: its value, its plies, and for each action whether it keeps them."""
    options = solution.options(position)
    best = options[0].value
    keep = {option.move for option in options if option.value.verdict is best.verdict}
    return _WORTH[best.verdict], best.plies or 0, [move in keep for move in position.rules.moves]
