"""Opponents inside many matches: the chance of every move, and moves drawn by them for all matches at once.

An opponent is a name (`random`, `level:1` to `level:9`, `perfect`, `card`, `policy:FILE`), a function of a position, or
an array of chances with a row for each state of the game's table and a column for each action. A function is asked once
about every position, so it must always answer the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from zerosum.arena.entrants.open_entrant import OPENERS
from zerosum.arena.strength.named_policies import POLICIES, TABLE, policy_of
from zerosum.base.errors import BadValueError
from zerosum.base.text import shorten
from zerosum.players import Player
from zerosum.players.levels import STRENGTHS
from zerosum.players.registry import chances_in
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import graph_passes_numpy, solution_of
from zerosum.solver.encoding import cells_of
from zerosum.solver.game_table import Array, GameTable
from zerosum.solver.graph_arrays import ask
from zerosum.strategy.card_player import PLAYERS

MatchOpponent = str | Player | Array
"""Who plays the other side of many matches."""
SELF: Final = "self"
"""Nobody: the caller moves for both players in turn."""
BITS: Final = 31
"""Of the random number that draws a move; a chance is off by at most one part in 2^31."""
_LOW: Final = (1 << BITS) - 1
_FAR_OFF: Final = 1e-6
"""How far the chances of a position may be from a sum of 1."""

AskChances = Callable[[Position], Sequence[float]]
"""Returns the chance of each legal move of a position, in their order."""


def ask_of(opponent: MatchOpponent, rules: Rules) -> AskChances:
    """Return an opponent as a function of a position."""
    if isinstance(opponent, np.ndarray):
        raise BadValueError(
            f"{rules.name} has no table of states, so an opponent is a name or a function, not an array."
        )
    if not isinstance(opponent, str):
        if not callable(opponent):
            raise BadValueError(
                "An opponent is the name of a player, such as 'level:5', a function of a position, or an array."
            )
        return _by_function(opponent)
    if opponent.startswith(tuple(OPENERS)):
        raise BadValueError(
            f"'{shorten(opponent)}' is a program, which plays one match at a time: give it to "
            "gymnasium.make(..., opponent=...) instead."
        )
    if opponent in POLICIES or opponent.startswith(TABLE):
        return policy_of(opponent, rules).guest.chances
    return _by_function(PLAYERS.find(opponent, human=False).make(rules, solution_of))


def _by_function(player: Player) -> AskChances:
    def chances(position: Position) -> list[float]:
        found = chances_in(player(position), position)
        shares = found if isinstance(found, Mapping) else dict.fromkeys(found, 1 / len(found))
        return [float(shares.get(move, 0.0)) for move in position.legal_moves()]

    return chances


def edge_chances(opponent: MatchOpponent, table: GameTable) -> Array:
    """Return the chance of every move of a game's graph; those of a position sum to 1."""
    graph = table.graph
    if isinstance(opponent, np.ndarray):
        found = _of_array(opponent, table)
    elif isinstance(opponent, str) and opponent in STRENGTHS:
        truth = graph_passes_numpy.values(graph)
        found = np.asarray(graph_passes_numpy.edge_chances(graph, truth, STRENGTHS[opponent]))
    else:
        found = np.asarray(ask(graph, ask_of(opponent, table.rules)))
    first = np.asarray(graph.first)
    sums = np.add.reduceat(found, first[:-1])
    # A table of chances may leave out what its player never meets.
    never = (sums == 0) & isinstance(opponent, str)
    wrong = np.flatnonzero(~never & (abs(sums - 1) > _FAR_OFF))
    if len(wrong) or not (found >= 0).all():
        at = int(wrong[0] if len(wrong) else np.repeat(np.arange(table.size), np.diff(first))[found < 0][0])
        raise BadValueError(
            f"The opponent's chances at '{table.position(at)}' are not numbers from 0 to 1 that sum to 1."
        )
    moves = np.diff(first)
    return np.where(np.repeat(never, moves), np.repeat(1 / moves, moves), found / np.repeat(sums + never, moves))


def _of_array(chances: Array, table: GameTable) -> Array:
    shape = (table.size, table.actions)
    if chances.shape != shape or chances.dtype.kind != "f":
        raise BadValueError(
            f"An opponent's chances are an array of floats of the shape {shape}: a row for each state of the table."
        )
    cells = cells_of(table.graph, table.actions)
    return chances.reshape(-1)[cells].astype(np.float64)


def as_chooser(chances: Array) -> array[float]:
    """Return chances as the passes over a graph take them."""
    return array("d", np.ascontiguousarray(chances, np.float64).tobytes())


class AliasTable:
    """Rows of chances from which many are drawn at once, by Walker's method: two look-ups for each, however long a row.

    Row n is the entries from `first[n]` up to `first[n + 1]`. An entry is kept if the rest of the random number is
    below its `least`, and is otherwise exchanged for its `other`.
    """

    def __init__(self, first: Array, chances: Array) -> None:
        sizes = np.diff(first)
        self._rows = (first[:-1].astype(np.int64) << 16) | sizes
        # The least in the high half, the other in the low half: one look-up finds both.
        self._entries = np.empty(len(chances), np.int64)
        for size in np.unique(sizes).tolist():
            begin = first[:-1][sizes == size].astype(np.int64)
            if size and len(begin):
                self._fill(begin, size, chances)

    def _fill(self, begin: Array, size: int, chances: Array) -> None:
        """Fill all rows of a size: each time the least entry takes what it lacks from the greatest."""
        share = chances[begin[:, None] + np.arange(size)] * size
        least = np.full(share.shape, float(_LOW))
        other = np.tile(np.arange(size), (len(begin), 1))
        rows = np.arange(len(begin))
        open_ = np.ones(share.shape, np.bool_)
        for _ in range(size - 1):
            low = np.where(open_, share, np.inf).argmin(axis=1)
            open_[rows, low] = False
            high = np.where(open_, share, -np.inf).argmax(axis=1)
            has = share[rows, low]
            least[rows, low] = np.rint(has * (_LOW + 1))
            other[rows, low] = high
            share[rows, high] -= 1 - has
        at = begin[:, None] + np.arange(size)
        self._entries[at] = np.minimum(least, _LOW).astype(np.int64) << 32 | (begin[:, None] + other)

    def draw(self, rows: Array, dice: Array) -> Array:
        """Return an entry of each row, given a random number of `BITS` bits for each."""
        row = self._rows.take(rows)
        drawn = dice * (row & 0xFFFF)
        entry = (row >> 16) + (drawn >> BITS)
        found = self._entries.take(entry)
        drawn_entries: Array = np.where((drawn & _LOW) < found >> 32, entry, found & 0xFFFFFFFF)
        return drawn_entries
