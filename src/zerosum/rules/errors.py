"""What can go wrong, each kind with the exit status a command ends with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from zerosum.rules.moves import Move
    from zerosum.rules.position import Clause, Position


class ZerosumError(Exception):
    """Any error of ours. The message says what is wrong, where, and what to do."""

    exit_code: ClassVar[int] = 1


class RulesError(ZerosumError):
    """Rules that make no game; the message names the file, the key and the limit."""


class InvalidTextError(ZerosumError):
    """Text that cannot be read as a number, a move or a position."""


class IllegalMoveError(ZerosumError):
    """A move that can be read but is not allowed; it carries the move, the position and the clause."""

    def __init__(self, move: Move, position: Position, clause: Clause) -> None:
        self.move = move
        self.position = position
        self.clause = clause
        super().__init__(f"{position.text_of(move)} is not allowed: {clause.value}.")


class IllegalPositionError(ZerosumError):
    """A position that can be read but that the rules never produce."""


class RecordError(ZerosumError):
    """A record that cannot be read, or whose moves the rules forbid."""


class UnknownGameError(ZerosumError):
    """Neither a built-in game nor a rules file."""

    exit_code = 2


class BadNameError(ZerosumError):
    """A name with characters that are not allowed, or too long."""

    exit_code = 2
