"""A game compiled: every position a number, every move an entry of one array, made from the graph of the game.

    next[state * actions + action] = state after << 2 | outcome

The outcome is that of the player who moves: 0 play goes on, 1 won, 2 lost, 3 illegal, which loses too. State 0 is the
start, and it follows every end, so a match that is over restarts without a test. All other arrays have the same index,
so an exact label is a look-up.

States are the nodes of `solver/graph.py`, without mirrors, and layers are its layers.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from zerosum.base.extras import missing

try:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Ban, Rules, Tie, Totals
from zerosum.rules.position import Position, start_position
from zerosum.solver.encoding import ILLEGAL, cells_of, columns, encoding_of, entries_of
from zerosum.solver.graph import graph_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_build import grow
from zerosum.solver.graph_build_numpy import build
from zerosum.solver.graph_codes import WORD, Codes
from zerosum.solver.graph_passes import END_WORTHS
from zerosum.solver.graph_passes_numpy import values
from zerosum.solver.supports import MOVE_CODES, unknown_key
from zerosum.solver.value import FAR, SolverError, TooLargeError

Array = NDArray[Any]

MOST_STATES: Final = 1 << 20
"""Positions of a game that is compiled; the moves of larger ones are computed."""
MOST_WIDE: Final = 1 << 16
"""The same of a game whose codes do not fit into a word, such as one with a pool of 60 numbers."""
MOST_ENTRIES: Final = 1 << 25
"""Entries of its array, legal or not."""


class Labels(NamedTuple):
    """The truth, by state."""

    value: Array
    """1 if the player to move wins, -1 if they lose, 0 for a draw."""
    plies: Array
    """Plies to the end if the winner hurries and the loser delays; 0 for a draw, which never ends."""
    keeping: Array
    """A row for each state, true for each action that keeps its value."""


class GameTable:
    """A compiled game. `layers` are the bounds of the layers: layer n is `layers[n]` up to `layers[n + 1]`."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.rules = graph.rules
        self.actions = len(graph.rules.moves)
        self.next = _fixed(entries_of(graph).reshape(-1))
        self.layers = graph.layers
        self.size = graph.size

    def position(self, state: int) -> Position:
        """Return a state as a `Position`."""
        return self.graph.position(state)

    @cached_property
    def mask(self) -> Array:
        """A row for each state, true for each action that is legal."""
        found = _padded(self.size, self.actions, np.bool_)
        np.not_equal(self.next.reshape(self.size, self.actions) & 3, ILLEGAL, out=found)
        return _fixed(found)

    @cached_property
    def observation(self) -> Array:
        """A row for each state: what the seat to move sees (`Encoding.observe`)."""
        seen = encoding_of(self.rules).observe_all(columns(self.graph))
        found = _padded(self.size, seen.shape[1], seen.dtype)
        found[:] = seen
        return _fixed(found)

    @cached_property
    def labels(self) -> Labels:
        """Who wins each state, in how many plies, and which actions keep that."""
        worth = np.asarray(values(self.graph).worth)
        value = np.sign(worth).astype(np.int8)
        plies = np.where(worth == 0, 0, FAR - abs(worth)).astype(np.int16)
        # What each move comes to, for the player who makes it: the nodes', then the ends'.
        after = np.concatenate([-value, np.sign(END_WORTHS).astype(np.int8)])[np.asarray(self.graph.to)]
        keeping = _padded(self.size, self.actions, np.bool_)
        whole = whole_rows(keeping)
        moves = np.diff(np.asarray(self.graph.first))
        whole.reshape(-1)[cells_of(self.graph, whole.shape[1])] = after == np.repeat(value, moves)
        return Labels(_fixed(value), _fixed(plies), _fixed(keeping))

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


def whole_rows(rows: Array) -> Array:
    """Return the wider rows that some rows are parts of."""
    return rows if rows.base is None else rows.base


@lru_cache(maxsize=4)
def table_of(rules: Rules) -> GameTable | None:
    """Return the table of a game, compiled once and remembered; None if it has none."""
    return compile_table(rules)


def game_table(game: Game) -> GameTable:
    """Return the table of a game: every position with its observation, mask and truth, as arrays.

    >>> table = game_table("sum31")
    >>> table.size, table.actions, table.observation.shape, str(table.position(0))
    (420, 9, (420, 11), '1,2,3,4,5,6,7,8,9 0 1')
    """
    rules = rules_of(game)
    table = table_of(rules)
    if table is None and rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(f"{rules.name} has no end of positions, so no table can hold them all.")
    if table is None:
        raise TooLargeError(f"{rules.name} has more than {MOST_STATES:,} positions, the limit of a table.")
    return table


def compile_table(rules: Rules) -> GameTable | None:
    """Return the table of a game; None if its pool is refilled or it is too large."""
    if rules.tie is Tie.SUDDEN_DEATH:
        return None
    try:
        return GameTable(_graph(rules, min(MOST_STATES, MOST_ENTRIES // len(rules.moves))))
    except TooLargeError:
        return None


def _graph(rules: Rules, most: int) -> Graph:
    start = start_position(rules)
    if unknown_key(MOVE_CODES, rules) is not None:
        return graph_of(start, mirrors=False, most=most)
    if Codes(rules, [start]).bits <= WORD:
        return build([start], mirrors=False, most=most)
    *_, graph = grow([start], mirrors=False, most=min(most, MOST_WIDE))
    return graph


def columns_of(rules: Rules) -> dict[str, Array]:
    """Return all positions as columns: each number of the pool, the seat, the totals, and what is true.

    `verdict` is 1 if the seat to move wins and -1 if it loses; `winning` is the number of moves that win.

    >>> from zerosum.rules.game_files import load_game
    >>> found = columns_of(load_game("sum31"))
    >>> list(found)[-5:], {len(column) for column in found.values()}
    (['total', 'verdict', 'plies', 'moves', 'winning'], {420})
    """
    table = game_table(rules)
    seen = columns(table.graph)
    numbers = dict.fromkeys(rules.pool)
    found: dict[str, Array] = {f"{number} left": seen.left[:, at] for at, number in enumerate(numbers)}
    found["seat"] = seen.seat
    if rules.totals is Totals.OWN:
        first = seen.seat == 1
        found["total 1"] = np.where(first, seen.mine, seen.other)
        found["total 2"] = np.where(first, seen.other, seen.mine)
    else:
        found["total"] = seen.mine
    if rules.ban is not Ban.NONE:
        found["added before"] = seen.before
    if rules.swap:
        found["swap"] = seen.phase
    value, plies, keeping = table.labels
    winning = np.where(value > 0, keeping.sum(axis=1), 0)
    return found | {"verdict": value, "plies": plies, "moves": table.choices, "winning": winning}
