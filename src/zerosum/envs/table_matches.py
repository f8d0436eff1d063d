"""Matches of a compiled game (`solver/game_table.py`), all played at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from zerosum.rules.position import Position
from zerosum.solver.game_table import Array, GameTable, Labels, whole_rows

_BITS: Final = 24
"""Of a random number; with them and any number of actions, 32 bits hold the product."""


class TableMatches:
    """Matches of a compiled game; `states` has the number of each match's position.

    A step is one look-up for each match, and so is everything else that is asked.
    """

    def __init__(self, table: GameTable, n: int, dice: np.random.BitGenerator) -> None:
        self.table = table
        self.states = np.zeros(n, np.intp)
        self._dice = dice
        self._index = np.empty(n, np.intp)
        self._packed = np.empty(n, np.int32)
        self._outcomes = np.empty(n, np.int32)
        self._drawn = np.empty(n, np.uint32)
        self._choices = np.empty(n, np.uint32)
        self._action = np.empty(n, np.uint8)
        self._actions = np.empty(n, np.intp)
        self._rows: dict[str, Array] = {}

    def step(self, actions: Array) -> Array:
        """Play an action in each match."""
        table = self.table
        np.multiply(self.states, table.actions, out=self._index)
        np.add(self._index, actions, out=self._index)
        table.next.take(self._index, out=self._packed, mode="clip")
        np.right_shift(self._packed, 2, out=self.states)
        return np.bitwise_and(self._packed, 3, out=self._outcomes)

    def observe(self) -> Array:
        """Return what the seat to move of each match sees."""
        return self._gathered("observation", self.table.observation)

    def mask(self) -> Array:
        """Return which actions are legal in each match."""
        return self._gathered("mask", self.table.mask)

    def labels(self) -> Labels:
        """Return what is true of each match."""
        value, plies, keeping = self.table.labels
        return Labels(value[self.states], plies[self.states], self._gathered("keeping", keeping))

    def sample(self) -> Array:
        """Return a legal action for each match, all equally likely."""
        table, drawn = self.table, self._drawn
        raw = np.asarray(self._dice.random_raw((len(drawn) + 1) // 2)).view(np.uint32)[: len(drawn)]
        np.right_shift(raw, 32 - _BITS, out=drawn)
        table.choices.take(self.states, out=self._choices, mode="clip")
        np.multiply(drawn, self._choices, out=drawn)
        np.right_shift(drawn, _BITS, out=drawn)
        np.multiply(self.states, table.actions, out=self._index)
        np.add(self._index, drawn, out=self._index)
        table.legal.take(self._index, out=self._action, mode="clip")
        np.copyto(self._actions, self._action)
        return self._actions

    def reset(self) -> None:
        """Restart every match."""
        self.states[:] = 0

    def position(self, match: int) -> Position:
        """Return the position of a match."""
        return self.table.position(int(self.states[match]))

    def _gathered(self, name: str, rows: Array) -> Array:
        """Return the row of each match's state, written over what this returned before."""
        whole = whole_rows(rows)
        if name not in self._rows:
            self._rows[name] = np.empty((len(self.states), whole.shape[1]), whole.dtype)
        whole.take(self.states, axis=0, out=self._rows[name], mode="clip")
        return self._rows[name][:, : rows.shape[1]]
