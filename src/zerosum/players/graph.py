"""Every position that can follow from one, by plies, and where each of its moves leads.

Positions that are mirrors of each other are one node. A node holds only who moves and where each move leads; what moves
are worth, and how likely players are to make them, is computed backwards from the ends.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import mul
from typing import Final, NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import AT_ONCE, MovePolicy, before_move, best_traps, chances_of
from zerosum.players.symmetry import Canon
from zerosum.rules.position import Position
from zerosum.solver.graph_passes import Traps

WON: Final = -1
"""Stands for what follows a move that wins at once; numbers from 0 on are nodes of the next layer."""
LOST: Final = -2
"""Stands for what follows a move that loses at once."""


Guest = MovePolicy


class Node(NamedTuple):
    """A position: where its moves lead, which seat moves, and whether the last of the moves swaps the seats."""

    after: tuple[int, ...]
    seat: int
    swaps: bool
    guests: tuple[Sequence[float], ...] = ()
    """The chances of each guest's moves."""


Layer = list[Node]


class Known(NamedTuple):
    """What is known of a node: its worth for the seat to move, how many moves win, and each pairing's chance."""

    worth: int
    winning: int
    row: Sequence[float] = ()


def weigh(after: Sequence[int], following: Sequence[Known]) -> tuple[list[int], Traps]:
    """Return the worth of each move, by where it leads, and which are the best traps."""
    worths = [before_move(following[at].worth) if at >= 0 else AT_ONCE if at == WON else -AT_ONCE for at in after]
    return worths, lambda: best_traps(worths, [following[at].winning if at >= 0 else 0 for at in after])


def layers_of(
    starts: Sequence[Position],
    canon: Canon,
    plies: int | None = None,
    progress: Progress = silent,
    guests: Sequence[Guest] = (),
) -> tuple[list[Layer], list[Position]]:
    """Return the positions that can follow, layer by layer from the starts, and those after `plies` plies.

    Without `plies`, go on to the end of the game, which only games that are never refilled have.
    """
    layers: list[Layer] = []
    positions = list(starts)
    count = 0
    while positions and len(layers) != plies:
        found: dict[Hashable, int] = {}
        following: list[Position] = []
        layer: Layer = []
        for position in positions:
            layer.append(_node(position, canon, found, following, guests))
            count += 1
            if count % 5_000 == 0:
                progress(f"{count:,} positions found")
        layers.append(layer)
        positions = following
    return layers, positions


def _node(
    position: Position,
    canon: Canon,
    found: dict[Hashable, int],
    following: list[Position],
    guests: Sequence[Guest],
) -> Node:
    """Return the node of a position; positions not found before are added to `following`."""
    after = []
    seat = position.seat
    for move in position.legal_moves():
        reached = position.play_unchecked(move)
        if reached.outcome is not None:
            after.append(WON if reached.outcome.winner is seat else LOST)
            continue
        key = canon(reached)
        at = found.get(key)
        if at is None:
            at = found[key] = len(following)
            following.append(reached)
        after.append(at)
    chosen = tuple(guest.chances(position) for guest in guests)
    return Node(tuple(after), seat - 1, position.swap_open, chosen)


class Pass:
    """The backward pass for some pairings; each pairing must be among them both ways round."""

    def __init__(self, pairings: Sequence[tuple[str, str]], guests: Sequence[str] = ()) -> None:
        names = [*sorted({who for pairing in pairings for who in pairing} - set(guests)), *guests]
        self._levels = [STRENGTHS[who] for who in names if who not in guests]
        # Which player moves in each pairing, for each seat.
        self._mover = [[names.index(pairing[seat]) for pairing in pairings] for seat in (0, 1)]
        self._other_way = [pairings.index((two, one)) for one, two in pairings]
        self._won = [1.0] * len(pairings)
        self._lost = [0.0] * len(pairings)

    def known(self, node: Node, following: Sequence[Known]) -> Known:
        """Return what is known of a node, given what is known of the nodes its moves lead to."""
        worths, traps = weigh(node.after, following)
        chances = [*chances_of(self._levels, worths, traps), *node.guests]
        ends = (self._won, self._lost) if node.seat == 0 else (self._lost, self._won)
        rows = [following[at].row if at >= 0 else ends[at == LOST] for at in node.after]
        if node.swaps:
            # The two people change seats, so seat 1's chance is now the other person's.
            rows[-1] = [1 - rows[-1][at] for at in self._other_way]
        mover = self._mover[node.seat]
        columns = zip(*rows, strict=True)
        row = [sum(map(mul, chances[who], column)) for who, column in zip(mover, columns, strict=True)]
        return Known(max(worths), sum(worth > 0 for worth in worths), row)
