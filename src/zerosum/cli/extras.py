"""Packages that a command needs and that are installed only with an extra."""

from typing import ClassVar

from zerosum.base.errors import ZerosumError


class MissingExtraError(ZerosumError):
    """The packages of an extra are not installed."""

    exit_code: ClassVar[int] = 2
