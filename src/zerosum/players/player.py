"""What a computer player is: a position in, chances or a move out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from zerosum.base.errors import BadValueError
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import IllegalMoveError, Position

Choice = Mapping[Move, float] | Sequence[Move] | Move | str
"""A player's answer: the chance of each move, several equally likely moves, or one move, which may be text."""


class Player(Protocol):
    """Anything that can be called with a position and returns a choice, such as a plain function.

    A player has no memory: the same position always gets the same answer, so that its strength can be computed.
    """

    def __call__(self, position: Position, /) -> Choice:
        """Return what to play."""


def chances_in(choice: Choice, position: Position) -> Mapping[Move, float] | Sequence[Move]:
    """Return a choice as chances or as equally likely moves, every move of it checked."""
    if isinstance(choice, str):
        choice = parse_move(choice, position.rules.operations)
    found = (choice,) if isinstance(choice, Move) else choice
    if not found or not all(isinstance(move, Move) for move in found):
        raise BadValueError("A player answers with chances, with moves, or with a move.")
    for move in found:
        clause = position.objection(move)
        if clause is not None:
            raise IllegalMoveError(move, position, clause)
    return found
