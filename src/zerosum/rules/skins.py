"""Skins: a game in other numbers. Every number is multiplied by `k`, and `shift` is added to start and target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from zerosum.base.errors import BadValueError
from zerosum.rules.model import Rules
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position


@dataclass(frozen=True, slots=True)
class Skin:
    """How numbers change: times `k`, and totals also by `shift`."""

    k: int
    shift: int = 0

    def __post_init__(self) -> None:
        """Refuse what would make all numbers 0."""
        if type(self.k) is not int or type(self.shift) is not int or not self.k:
            raise BadValueError("A skin multiplies by a whole number that is not 0, and shifts by a whole number.")

    def rules(self, rules: Rules, game_id: str, name: str) -> Rules:
        """Return a game in other numbers.

        >>> from zerosum.rules.game_files import load_game
        >>> Skin(-7, 100).rules(load_game("sum31"), "mine", "Mine").target
        -117
        """
        return replace(
            rules,
            id=game_id,
            name=name,
            pool=tuple(self.k * number for number in rules.pool),
            start=tuple(map(self.total, rules.start)),
            target=self.total(rules.target),
        )

    def total(self, total: int) -> int:
        """Return what stands for a total."""
        return self.k * total + self.shift

    def move(self, move: Move) -> Move:
        """Return what stands for a move."""
        return move if move == SWAP else Move(self.k * move.number, move.operation)

    def position(self, position: Position, rules: Rules) -> Position:
        """Return what stands for a position, given the game in other numbers."""
        previous = position.previous
        return replace(
            position,
            rules=rules,
            pool=tuple(self.k * number for number in position.pool),
            totals=tuple(map(self.total, position.totals)),
            previous=None if previous is None else self.move(previous),
        )


SAME: Final = Skin(1)
"""The skin of a game as it is."""
