"""A match as all environments see it: which game, two players, a position, and who sits where.

Player 0 begins in seat 1. A swap changes the seats, so a player's seat is not always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zerosum.base import limits
from zerosum.rules.model import Seat, Totals
from zerosum.rules.moves import Move, Operation
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position

_SWAP = Operation.SWAP
_SEATS = tuple(Seat)


class Duel(NamedTuple):
    """A position of a match between players 0 and 1. It never changes; `after` returns a new one."""

    position: Position
    swapped: bool = False
    plies: int = 0
    given_up: Reason | None = None
    """Why the player to move has lost although the position goes on: an illegal move, a late bot."""

    def __deepcopy__(self, memo: object) -> Duel:
        """Return itself: OpenSpiel copies a state at every step of a search, and nothing in here changes."""
        return self

    @property
    def mover(self) -> int:
        """The player to move; of a match that is over, the one who would be."""
        return (self.position.seat - 1) ^ self.swapped

    def seat(self, player: int) -> Seat:
        """Return where a player sits."""
        return _SEATS[player ^ self.swapped]

    @property
    def winner(self) -> int | None:
        """The player who has won, if anybody has."""
        if self.given_up is not None:
            return 1 - self.mover
        outcome = self.position.outcome
        return None if outcome is None else (outcome.winner - 1) ^ self.swapped

    @property
    def reason(self) -> Reason | None:
        """Why the match is over, None while it goes on. Only sudden death can go on for too long."""
        outcome = self.position.outcome
        if outcome is not None:
            return outcome.reason
        return Reason.PLY_LIMIT if self.plies >= limits.MATCH_PLIES else self.given_up

    @property
    def over(self) -> bool:
        """Whether nobody is to move."""
        return self.reason is not None

    def after(self, move: Move) -> Duel:
        """Return the match after a move, which the caller knows to be legal."""
        swapped = self.swapped ^ (move.operation is _SWAP)
        return Duel(self.position.play_unchecked(move), swapped, self.plies + 1)

    def lost_by(self, reason: Reason) -> Duel:
        """Return the match as lost by the player to move."""
        return self._replace(given_up=reason)


def rewards_of(winner: int | None) -> tuple[float, float]:
    """Return what each player gets: 1 for a win, -1 for a loss, 0 if nobody has won."""
    if winner is None:
        return (0.0, 0.0)
    return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)


def drawing(duel: Duel, names: Sequence[str]) -> str:
    """Return what `render` shows: the position and whose turn it is, or who has won and why.

    >>> from zerosum.solver.encoding import encoding_of
    >>> from zerosum.rules.game_files import load_game
    >>> print(drawing(Duel(encoding_of(load_game("sum31")).start), ["player_1", "player_2"]))
    Sum31: player_1 to move
    Numbers left: 1, 2, 3, 4, 5, 6, 7, 8, 9
    Total: 0, target 31
    """
    position = duel.position
    rules = position.rules
    if rules.totals is Totals.SHARED:
        totals = f"Total: {position.totals[0]}"
    else:
        totals = f"Totals: {', '.join(f'{name} {position.total(duel.seat(n))}' for n, name in enumerate(names))}"
    if duel.winner is not None:
        state = f"{names[duel.winner]} wins ({duel.reason})"
    else:
        state = f"stopped ({duel.reason})" if duel.over else f"{names[duel.mover]} to move"
    left = ", ".join(map(str, position.pool)) or "none"
    return f"{rules.name}: {state}\nNumbers left: {left}\n{totals}, target {rules.target}"
