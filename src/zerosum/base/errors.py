"""What can go wrong, each kind with the exit status a command ends with."""

from typing import ClassVar


class ZerosumError(Exception):
    """The base of all errors of zerosum. The message says what is wrong, where, and what to do."""

    exit_code: ClassVar[int] = 1


class BadValueError(ZerosumError, ValueError):
    """A value of the wrong type, or beyond a limit."""


class RulesError(ZerosumError):
    """Rules that do not make a game; the message names the file, the key and the limit."""


class InvalidTextError(ZerosumError):
    """Text that cannot be read as a number, a move or a position."""


class IllegalPositionError(ZerosumError):
    """A position that the rules never produce."""


class RecordError(ZerosumError):
    """A record that cannot be read, or whose moves the rules forbid."""


class UnknownGameError(ZerosumError):
    """Neither a built-in game nor a rules file."""

    exit_code = 2


class BadNameError(ZerosumError):
    """A name with characters that are not allowed, or too long."""

    exit_code = 2
