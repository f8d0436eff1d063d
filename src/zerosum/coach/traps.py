"""What to play where every move loses: the move after which the opponent can go wrong most easily."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zerosum.players.policies import best_traps, winning_moves, worth_of
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution


@dataclass(frozen=True, slots=True)
class Trap:
    """The best trap of a lost position: after `move`, `winning` of their `replies` still win.

    `alike`: all moves are equally good traps; `longest`: no other move holds out as long.
    """

    move: Move
    winning: int
    replies: int
    alike: bool
    longest: bool

    @property
    def sets(self) -> bool:
        """Whether some reply lets the win go."""
        return self.winning < self.replies


def best_trap(position: Position, solution: Solution, options: Sequence[Option]) -> Trap:
    """Return the best trap of a position in which all options lose."""
    after = [position.play_unchecked(option.move) for option in options]
    winning = [winning_moves(solution, one) for one in after]
    best = best_traps([worth_of(option.value) for option in options], winning)
    at = best[0]
    plies = [option.value.plies or 0 for option in options]
    return Trap(
        options[at].move,
        winning[at],
        len(after[at].legal_moves()),
        alike=len(best) == len(options),
        longest=plies[at] > max((one for n, one in enumerate(plies) if n != at), default=0),
    )
