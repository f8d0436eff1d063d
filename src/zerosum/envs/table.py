"""A game compiled: every position a number, every move an entry of one array, found by breadth-first search on arrays.

    next[state * actions + action] = state after << 2 | outcome

The outcome is for whoever moves: 0 play goes on, 1 won, 2 lost, 3 illegal, which loses too. The start is state 0, and
what follows an end, so a match that is over begins anew without a test. All other arrays have the same index, so an
exact label is a look-up.

A layer holds the positions with equally many numbers used. Those where seats were just swapped are a layer of their own
between the first and the second.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from zerosum.envs.arithmetic import GOES_ON, ILLEGAL, LATER, SWAP_OPEN, Arithmetic, Array, States
from zerosum.envs.truth import Labels, find_labels
from zerosum.rules.model import Rules
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position

MOST_STATES: Final = 1 << 20
"""Positions of a game that is compiled; the moves of larger ones are computed."""
MOST_ENTRIES: Final = 1 << 25
"""Entries of its array, legal or not."""
_ENTRIES_AT_ONCE: Final = 1 << 15
"""Entries that are found together; their columns fit into a cache."""
_SLOTS: Final = 1 << 25
"""Keys up to here have a slot each, larger ones are sorted."""
_KEYS: Final = 1 << 62


class Table:
    """A compiled game. `layers` are the bounds of the layers: layer n is `layers[n]` up to `layers[n + 1]`."""

    def __init__(self, arithmetic: Arithmetic, states: States, following: Array, layers: list[int]) -> None:
        self.arithmetic = arithmetic
        self.rules = arithmetic.rules
        self.actions = arithmetic.actions
        self.columns = states
        self.next = _fixed(following)
        self.layers = layers
        self.size = layers[-1]

    def position(self, state: int) -> Position:
        """Return a state as a `Position`."""
        return self.arithmetic.position(self.columns, state)

    @cached_property
    def mask(self) -> Array:
        """A row for each state, true for each action that is legal."""
        found = _padded(self.size, self.actions, np.bool_)
        np.not_equal(self.next.reshape(self.size, self.actions) & 3, ILLEGAL, out=found)
        return _fixed(found)

    @cached_property
    def observation(self) -> Array:
        """A row for each state: what the seat to move sees (`Arithmetic.observe`)."""
        seen = self.arithmetic.observe(self.columns)
        found = _padded(self.size, seen.shape[1], seen.dtype)
        found[:] = seen
        return _fixed(found)

    @cached_property
    def labels(self) -> Labels:
        """Who wins each state, in how many plies, and which actions keep that."""
        keeping = _padded(self.size, self.actions, np.bool_)
        return Labels(*map(_fixed, find_labels(self.next, self.layers, self.actions, keeping)))

    @cached_property
    def choices(self) -> Array:
        """How many legal actions each state has."""
        return _fixed(self.mask.sum(axis=1, dtype=np.uint32))

    @cached_property
    def legal(self) -> Array:
        """The legal actions of each state, ascending, at the index that its entries have; then the illegal ones."""
        return _fixed(np.argsort(~self.mask, axis=1, kind="stable").astype(np.uint8).reshape(-1))


def _fixed(found: Array) -> Array:
    """Return an array that cannot be written any more: a table is shared by all batches of a game."""
    found.flags.writeable = False
    return found


def _padded(size: int, width: int, kind: DTypeLike) -> Array:
    """Return rows to be filled, parts of wider ones that NumPy copies in one piece: of 8, 16 or 32 bytes."""
    item = np.dtype(kind).itemsize
    wide = next((most for most in (8, 16, 32) if width * item <= most), width * item)
    return np.zeros((size, wide // item), kind)[:, :width]


@lru_cache(maxsize=4)
def table_of(rules: Rules) -> Table | None:
    """Return the table of a game, compiled once and remembered; None where there is none."""
    return compile_table(rules)


def compile_table(rules: Rules) -> Table | None:
    """Return the table of a game; None where its pool is refilled or it is too large."""
    arithmetic = Arithmetic(rules)
    if arithmetic.refills:
        return None
    most = min(MOST_STATES, MOST_ENTRIES // arithmetic.actions)
    search = _Search(arithmetic, most)
    layer: States | None = arithmetic.start
    layers = [0]
    parts: list[States] = []
    while layer is not None and len(layer.used):
        parts.append(layer)
        layers.append(layers[-1] + len(layer.used))
        layer = search.layer_after(layer, layers[-1]) if layers[-1] <= most else None
    if layer is None:
        return None
    return Table(arithmetic, arithmetic.joined(parts), np.concatenate(search.blocks).reshape(-1), layers)


class _Search:
    """The entries found so far, and those that wait until the states they lead to have numbers."""

    def __init__(self, arithmetic: Arithmetic, most: int) -> None:
        self._arithmetic = arithmetic
        self._most = most
        self._every = np.arange(arithmetic.actions)
        self._ranking = _Ranking(arithmetic)
        self.blocks: list[Array] = []
        """Rows of entries, a row for each state."""
        self._waiting: list[_Waiting] = []

    def layer_after(self, layer: States, free: int) -> States | None:
        """Return the next layer, whose states are numbered from `free` on; None where there are too many for sure."""
        size = len(layer.used)
        swaps = self._arithmetic.rules.swap and layer.phase[0] == SWAP_OPEN
        step = max(1, _ENTRIES_AT_ONCE // self._arithmetic.actions)
        for low in range(0, size, step):
            block = self._enter(self._arithmetic.rows(layer, slice(low, low + step)))
            if swaps:
                block[:, -1] = np.arange(free + low, free + low + len(block), dtype=np.int32) << 2
        if swaps:
            return layer._replace(phase=np.full_like(layer.phase, LATER))
        return self._numbered(free)

    def _enter(self, rows: States) -> Array:
        """Add the block of some states, and what their moves reach; a swap is left to the caller."""
        arithmetic = self._arithmetic
        spread = States(*(column[:, None] for column in rows))
        legal, outcome, used, total = arithmetic.play(spread, self._every)
        outcome = np.where(legal, outcome, np.uint8(ILLEGAL))
        block = outcome.astype(np.int32)
        goes_on = outcome == GOES_ON
        if arithmetic.rules.swap:
            goes_on[:, -1] = False
        at = np.flatnonzero(goes_on)
        self.blocks.append(block)
        self._waiting.append(_Waiting(block.reshape(-1), rows, at, used.reshape(-1)[at], total.reshape(-1)[at]))
        return block

    def _numbered(self, free: int) -> States | None:
        """Return every state that was reached once, and write its number into the entries that wait for it."""
        waiting, self._waiting = self._waiting, []
        # A state is reached by at most this many moves: any number of those used may have been the last.
        rules = self._arithmetic.rules
        moves = len(rules.pool) * len(rules.operations) * (1 + rules.swap)
        if sum(len(one.at) for one in waiting) > (self._most - free) * moves:
            return None
        parents = self._arithmetic.joined([one.parents for one in waiting])
        used, total = (np.concatenate([one[column] for one in waiting]) for column in (3, 4))
        entries = np.concatenate([one.at for one in waiting])
        end = bottom = 0
        for one in waiting:
            begin, end = end, end + len(one.at)
            entries[begin:end] += bottom
            bottom += len(one.block)
        ranks, chosen = self._ranking.rank(parents, entries, used, total)
        numbers = (ranks + np.int32(free)) << 2
        end = 0
        for one in waiting:
            begin, end = end, end + len(one.at)
            one.block[one.at] = numbers[begin:end]
        at, actions = np.divmod(entries[chosen], self._arithmetic.actions)
        return self._arithmetic.follow(self._arithmetic.rows(parents, at), actions, used[chosen], total[chosen])


class _Waiting(NamedTuple):
    """The entries of a block that lead to states without numbers."""

    block: Array
    parents: States
    at: Array
    used: Array
    total: Array


class _Ranking:
    """Tells the states of a layer apart by one number each, small where possible."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        rules = arithmetic.rules
        self._arithmetic = arithmetic
        reach = sum(map(abs, rules.pool))
        self._low, high = min(rules.start) - reach, max(rules.start) + reach
        self._width = high - self._low + 1
        # Where numbers are only added, those used say what all totals come to.
        self._totals = len(rules.start) - (rules.operations == ADD_ONLY)
        self._amounts, self._amount = np.unique(arithmetic.amount, return_inverse=True)
        self._slots: Array = np.empty(0, np.int32)

    def rank(self, parents: States, entries: Array, used: Array, total: Array) -> tuple[Array, Array]:
        """Return, for each entry, the rank of the state it leads to, and for each rank one of its entries."""
        key, size = self._key(parents, entries, used, total)
        if size > _SLOTS:
            _, chosen, ranks = np.unique(key, return_index=True, return_inverse=True)
            return ranks.astype(np.int32), chosen
        if len(self._slots) < size:
            self._slots = np.empty(size, np.int32)
        # Of entries with one key the last to be written stays, and stands for all.
        every = np.arange(len(key), dtype=np.int32)
        self._slots[key] = every
        chosen = np.flatnonzero(self._slots[key] == every)
        self._slots[key[chosen]] = every[: len(chosen)]
        return self._slots[key], chosen

    def _key(self, parents: States, entries: Array, used: Array, total: Array) -> tuple[Array, int]:
        """Return a number for each entry, equal where the states are, and how many numbers there can be."""
        actions = self._arithmetic.actions
        # Signed: NumPy makes floats of a sum of signed and unsigned numbers of 64 bits.
        columns = [(used.astype(np.int64), 1 << len(self._arithmetic.rules.pool))]
        if self._totals:
            columns.append((total - self._low, self._width))
        if self._totals > 1:
            columns.append((parents.other[entries // actions] - self._low, self._width))
        if self._arithmetic.bans:
            columns.append((self._amount[entries % actions], len(self._amounts)))
        key, size = np.zeros(1, np.int64), 1
        for column, values in columns:
            if size * values > _KEYS:
                key, size = _dense(key)
                column, values = _dense(column)  # noqa: PLW2901 - the same column in fewer values
            key = key * values + column
            size *= values
        return key, size


def _dense(column: Array) -> tuple[Array, int]:
    """Return a column with the ranks of its values, and how many there are."""
    found, ranks = np.unique(column, return_inverse=True)
    return ranks, len(found)
