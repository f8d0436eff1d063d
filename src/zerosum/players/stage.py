"""The rest of a round, from several positions at once: the chance that it is won, and where else it leads.

What a player does in it depends on the values of the next round, which the solver knows.
"""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.base.progress import Progress, silent
from zerosum.players.graph import LOST, WON, Guest, Known, layers_of, weigh
from zerosum.players.levels import Level
from zerosum.players.policies import chances_of, winning_moves, worth_of
from zerosum.players.symmetry import Canon
from zerosum.rules.model import Seat
from zerosum.rules.position import Position
from zerosum.solver import Solution

Players = tuple[int, int]
"""Who sits in seat 1 and who in seat 2, as indices into the list of levels, which guests follow."""


class Stage:
    """All that can happen from some starts, all with equally large pools, until the pool is refilled."""

    def __init__(
        self,
        starts: Sequence[Position],
        solution: Solution,
        levels: Sequence[Level],
        canon: Canon,
        progress: Progress = silent,
        *,
        guests: Sequence[Guest] = (),
    ) -> None:
        self.starts = starts
        self._layers, self.ends = layers_of(starts, canon, len(starts[0].pool), progress, guests)
        known = [Known(worth_of(solution.value(end)), winning_moves(solution, end)) for end in self.ends]
        self._chances: list[list[list[Sequence[float]]]] = []
        for layer in reversed(self._layers):
            progress(f"{len(layer):,} positions weighed")
            here, chances = [], []
            for node in layer:
                worths, traps = weigh(node.after, known)
                chances.append([*chances_of(levels, worths, traps), *node.guests])
                here.append(Known(max(worths), sum(worth > 0 for worth in worths)))
            known = here
            self._chances.insert(0, chances)

    def forward(self, start: int, players: Players) -> tuple[float, list[float]]:
        """Return the chance that seat 1 wins before the refill, and the chance of reaching each of the ends."""
        here = [0.0] * len(self._layers[0])
        here[start] = 1.0
        won = 0.0
        first_moves = self.starts[start].seat is Seat.FIRST
        for at, (layer, chances) in enumerate(zip(self._layers, self._chances, strict=True)):
            mover = players[0 if first_moves else 1]
            # The last two places, -1 and -2, are those of moves that win or lose at once.
            following = [0.0] * (len(self._layers[at + 1] if at + 1 < len(self._layers) else self.ends) + 2)
            for node, chance, mass in zip(layer, chances, here, strict=False):
                if mass:
                    for to, share in zip(node.after, chance[mover], strict=True):
                        following[to] += mass * share
            won += following[WON if first_moves else LOST]
            here = following
            first_moves = not first_moves
        return won, here[:-2]
