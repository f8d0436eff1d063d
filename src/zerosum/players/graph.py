"""Every position that can follow from one, by plies, and where each of its moves leads.

Positions that are mirrors of each other are one node. Only who moves, and where to, is kept: what moves are worth and
what players make of them follows backwards, from the end.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

from zerosum.players.policies import AT_ONCE, Traps, before_move, best_traps
from zerosum.players.symmetry import Canon
from zerosum.rules.position import Position
from zerosum.rules.progress import Progress, silent

WON: Final = -1
"""Where a move leads that wins at once; a number from 0 on is a node of the next layer."""
LOST: Final = -2
"""Where a move leads that loses at once."""


class Node(NamedTuple):
    """A position: where its moves lead, which seat moves, and whether the last of the moves swaps the seats."""

    after: tuple[int, ...]
    seat: int
    swaps: bool


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
    starts: Sequence[Position], canon: Canon, plies: int | None = None, progress: Progress = silent
) -> tuple[list[Layer], list[Position]]:
    """Return the positions that can follow, the starts in the first layer, and those after so many plies.

    Without a number of plies, all of them; only games that are never refilled come to an end.
    """
    layers: list[Layer] = []
    positions = list(starts)
    count = 0
    while positions and len(layers) != plies:
        found: dict[Hashable, int] = {}
        following: list[Position] = []
        layer: Layer = []
        for position in positions:
            layer.append(_node(position, canon, found, following))
            count += 1
            if count % 5_000 == 0:
                progress(f"{count:,} positions found")
        layers.append(layer)
        positions = following
    return layers, positions


def _node(position: Position, canon: Canon, found: dict[Hashable, int], following: list[Position]) -> Node:
    """Return the node of a position; positions after it that are new are added to the following ones."""
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
    return Node(tuple(after), seat - 1, position.swap_open)
