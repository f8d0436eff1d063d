"""The proof of a card: every surviving move against every reply, to the end.

The proof uses the rules and the card alone, not the solver. In sudden death it follows a match from round to round; if
a position can come back, the other side could go on for ever, so that is no proof, and neither is a walk that finds no
end of positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.rules.progress import Progress, silent
from zerosum.strategy.card import Card, survivors
from zerosum.strategy.sight import Sight

MOST: Final = 500_000
"""Positions with the card to move that a proof may visit."""
_NOW_AND_THEN: Final = 1_000


@dataclass(frozen=True, slots=True)
class Proof:
    """How a proof ended; `failure` is a position and a move there after which the match is not won."""

    proved: bool
    positions: int
    """Positions with the card to move that can arise, as far as they were visited."""
    failure: tuple[Position, Move] | None = None


class _Walk:
    """A walk through all positions that can arise when one seat goes by a card."""

    def __init__(self, card: Card, seat: Seat, sight: Sight, progress: Progress) -> None:
        self.positions = 0
        self._card, self._seat, self._sight, self._progress = card, seat, sight, progress
        self._done: set[PositionKey] = set()

    def moves(self, position: Position) -> Iterator[Move]:
        if position.seat is not self._seat:
            return iter(position.legal_moves())
        self.positions += 1
        if self.positions % _NOW_AND_THEN == 0:
            self._progress(f"{self.positions:,} positions proved")
        return iter(survivors(self._card, position, self._sight))

    def failure(self, start: Position) -> tuple[Position, Move] | None:
        """Return a move after which the match is not won for certain; None if there is none."""
        path = [(start, self.moves(start))]
        on_path = {start.key}
        while path:
            position, moves = path[-1]
            move = next(moves, None)
            if move is None:
                path.pop()
                on_path.remove(position.key)
                self._done.add(position.key)
                continue
            after = position.play_unchecked(move)
            if after.outcome is not None:
                if after.outcome.winner is not self._seat:
                    return position, move
            elif after.key in on_path or self.positions > MOST:
                return position, move
            elif after.key not in self._done:
                path.append((after, self.moves(after)))
                on_path.add(after.key)
        return None


def prove(card: Card, rules: Rules, sight: Sight | None = None, progress: Progress = silent) -> Proof:
    """Return whether the card always wins for its seat, from the start of a match."""
    if card.seat is None or rules.swap:
        return Proof(proved=False, positions=0)
    walk = _Walk(card, card.seat, sight or Sight(rules), progress)
    failure = walk.failure(start_position(rules))
    return Proof(failure is None, walk.positions, failure)
