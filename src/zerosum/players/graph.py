"""Every position that can follow from one, by plies, and where each of its moves leads.

Positions that are mirrors of each other are one node. A node holds only who moves and where each move leads; what moves
are worth, and how likely players are to make them, is computed backwards from the ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.players.policies import AT_ONCE, Traps, before_move, best_traps
from zerosum.players.symmetry import Canon
from zerosum.rules.position import Position

WON: Final = -1
"""Stands for what follows a move that wins at once; numbers from 0 on are nodes of the next layer."""
LOST: Final = -2
"""Stands for what follows a move that loses at once."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A player who is no level: the chance of each legal move, in their order.

    Far out in sudden death, where nobody can reach the target in this round or the next, it must go by the differences
    between totals alone.
    """

    chances: Callable[[Position], Sequence[float]]
    mirrors: bool
    """Whether it plays positions alike that are mirrors of each other."""


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
