"""What is true of every state of a table: who wins, in how many plies, and which moves keep it.

Every move leads to a later layer, so one pass from the last layer back finds everything. A *score* is what a state is
worth to whoever is to move: 1000 less the plies where they win, and the negative of the same where they lose.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from zerosum.envs.arithmetic import GOES_ON, ILLEGAL, LOST, WON, Array

_ENTRIES_AT_ONCE: Final = 1 << 15
"""Entries that are looked at together; they fit into a cache."""
_END: Final = 1_000
_NEVER: Final = -2_000
"""Below every score: an action that is not legal."""


class Labels(NamedTuple):
    """The truth, by state."""

    value: Array
    """1 where whoever is to move wins, -1 where they lose, 0 for a draw."""
    plies: Array
    """Plies to the end when the winner hurries and the loser delays; 0 for a draw, which never ends."""
    keeping: Array
    """A row for each state, true for each action that keeps its value."""


def find_labels(following: Array, layers: list[int], actions: int, keeping: Array) -> Labels:
    """Return the labels of a table with these entries and layers; `keeping` is room for a row of each state."""
    size = layers[-1]
    entries = following.reshape(size, actions)
    # Behind the states' own scores stand those of ends and of what is illegal, to be found by the same look-up.
    scores = np.zeros(size + 4, np.int16)
    scores[[size + WON, size + LOST, size + ILLEGAL]] = -_END, _END, -_NEVER
    for low, high in _parts(layers, max(1, _ENTRIES_AT_ONCE // actions)):
        packed = entries[low:high]
        outcome = packed & 3
        worth = np.take(scores, np.where(outcome == GOES_ON, packed >> 2, outcome + np.int32(size)), mode="clip")
        np.negative(worth, out=worth)
        best = worth.max(axis=1)
        sign = np.sign(best)
        scores[low:high] = best - sign
        # Where the best move loses, all legal ones do; a score below all of those is no legal move's.
        np.greater(worth, np.where(sign > 0, 0, -_END - 1)[:, None], out=keeping[low:high])
    own = scores[:size]
    return Labels(np.sign(own).astype(np.int8), (_END - abs(own)).astype(np.int16), keeping)


def _parts(layers: list[int], most: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of parts of the layers, the last layer first, each of `most` states at most."""
    for low, high in reversed(list(pairwise(layers))):
        for at in range(low, high, most):
            yield at, min(at + most, high)
