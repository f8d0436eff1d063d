"""The graph of a game: every position that play can reach, and where each move leads, as flat arrays.

Positions are *nodes*, numbered layer by layer; moves are *edges*. The edges of node n are `first[n]` up to
`first[n + 1]`, in the order of `legal_moves`. Edge e is the move `rules.moves[move[e]]` and leads to `to[e]`:

    to >= 0   a node, always of a later layer
    to < 0    an end: -1 - 2 * (index of the reason in REASONS), and one less if the player who moved has lost,
              so an odd end is won and an even end is lost

An array of figures by node that is followed by ENDS figures of the ends can therefore be indexed by `to` directly.

After any move, a swap too, the other person is to move. Figures belong to the person who moves, so a pass over the
graph knows nothing of seats and swaps: what a move wins is what the next mover loses.

A *layer* holds the nodes whose longest way from a start is the same. Only a swap makes ways of different lengths: the
position after the second number can be one ply further from the start than the layer of its swap-less way. `lags` is
the largest such difference, plus 1.

The last nodes are *open*: the pool was refilled, the next round begins, and they have no edges. The caller of a pass
says what they are worth.

Positions that are mirrors of each other can share a node. The node is then the first of them that was found, its edges
are the moves of that one, and `count` is the number of positions that the node stands for.

`graph_of` builds the graph from a table of codes (`codes.py`, or `graph_numpy.py` for many positions) if that table
knows every key of the rules, and else by playing moves (`graph_played.py`). The passes are in `passes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from zerosum.rules.model import Rules
from zerosum.rules.position import Position, start_position
from zerosum.rules.progress import Progress, silent
from zerosum.solver.graph_arrays import MOST_NODES, Graph
from zerosum.solver.graph_coded import grow
from zerosum.solver.graph_playing import MOST_PLAYED, play_graph
from zerosum.solver.handled import MOVE_CODES, unknown_key

def graph_of(
    *starts: Position, mirrors: bool = True, most: int = MOST_NODES, progress: Progress = silent
) -> Graph:
    """Return the graph from one position, or from several that have equally large pools."""
    if unknown_key(MOVE_CODES, starts[0].rules) is not None:
        return play_graph(starts, most=min(most, MOST_PLAYED), progress=progress)
    *_, graph = grow(starts, mirrors=mirrors, most=most, progress=progress)
    return graph
