"""Many matches at once, by NumPy, with exact labels.

>>> batch = Batch("sum31", 3, seed=1)
>>> batch.step([4, 5, 6])
array([0, 0, 0], dtype=int32)
>>> [str(batch.position(match)) for match in range(3)]
['1,2,3,4,6,7,8,9 5 2', '1,2,3,4,5,7,8,9 6 2', '1,2,3,4,5,6,8,9 7 2']
>>> batch.labels().value, batch.labels().plies
(array([1, 1, 1], dtype=int8), array([6, 6, 6], dtype=int16))

An action is the index of a move in `rules.moves`. `step` returns how it went for the player who moved: 0 play goes on,
1 won, 2 lost, 3 an illegal action, which loses the match too. A match that is over restarts at once. The next call of a
method may overwrite the array that it returned before: copy what you keep.

A game of up to 2^20 positions is compiled to a table (`solver/game_table.py`). Sudden death and larger games step by
codes (`coded_matches.py`), at a tenth of the speed; their labels come from the solver, position by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zerosum.base.extras import missing

try:
    import numpy as np
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.base.errors import BadValueError
from zerosum.envs.coded_matches import Coded, CodedMatches
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver.encoding import ACTION_LOST as LOST
from zerosum.solver.encoding import ACTION_WON as WON
from zerosum.solver.encoding import GOES_ON, ILLEGAL
from zerosum.solver.game_table import Array, GameTable, Labels, table_of, whole_rows

__all__ = ["GOES_ON", "ILLEGAL", "LOST", "REWARDS", "WON", "Batch", "Labels", "Table"]

Table = GameTable
"""The table of a batch, by the name that it has here."""
REWARDS: Final = np.array([0, 1, -1, -1], np.int8)
"""What an outcome is worth to the player who moved: `REWARDS[batch.step(actions)]`."""


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


class Batch:
    """`n` matches of a game, all at the start; `seed` is for `sample` alone.

    `table` is the compiled game, None if steps are computed. `arithmetic=True` computes them even if there could be a
    table.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, *, arithmetic: bool = False) -> None:
        self.rules = rules_of(game)
        self.n = n = checked_count(n)
        self.moves: tuple[Move, ...] = self.rules.moves
        self.table = None if arithmetic else table_of(self.rules)
        dice = np.random.SFC64(seed)
        table = self.table
        self._matches = CodedMatches(self.rules, n, dice) if table is None else TableMatches(table, n, dice)

    @property
    def actions(self) -> int:
        """How many actions there are, legal or not."""
        return len(self.moves)

    @property
    def states(self) -> Array | Coded:
        """The number of each match's position in the table; without a table, the codes of their positions."""
        return self._matches.states

    def step(self, actions: Array | Sequence[int]) -> Array:
        """Play an action in each match; return how each went for the player who moved."""
        return self._matches.step(checked_actions(actions, self.n, len(self.moves)))

    def observe(self) -> Array:
        """Return a row of whole numbers for each match: what the seat to move sees."""
        return self._matches.observe()

    def mask(self) -> Array:
        """Return a row for each match, true for each action that is legal."""
        return self._matches.mask()

    def labels(self) -> Labels:
        """Return who wins each match, in how many plies, and which actions keep that."""
        return self._matches.labels()

    def sample(self) -> Array:
        """Return a legal action for each match, all equally likely."""
        return self._matches.sample()

    def reset(self) -> None:
        """Restart every match."""
        self._matches.reset()

    def position(self, match: int) -> Position:
        """Return the position of a match."""
        return self._matches.position(match)


def checked_count(n: object) -> int:
    """Return how many matches are played at once; raise if that is no number from 1 on."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise BadValueError(f"A batch has at least one match: n is a whole number from 1 on, not {n!r}.")
    return int(n)


def checked_actions(actions: Array | Sequence[int], n: int, most: int) -> Array:
    """Return actions as numbers below `most`, one for each of `n` matches; the error names the first other one."""
    found = np.asarray(actions)
    if found.shape != (n,) or found.dtype.kind not in "iu":
        raise BadValueError(f"Actions are {n} whole numbers, one for each match.")
    found = found.astype(np.intp, copy=False)
    # As unsigned numbers, those below 0 are large.
    if found.view(np.uintp).max() >= most:
        at = int(np.flatnonzero((found < 0) | (found >= most))[0])
        raise BadValueError(f"Match {at}: an action is a number from 0 to {most - 1}, not {found[at]}.")
    return found
