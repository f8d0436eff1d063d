"""Planted: what is no whole move reaches the referee, who takes it for a pick."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.rules.moves import Move
from zerosum.tables import commands

_NO_NUMBER = Move(10**6)
"""A move that every game objects to, so that the referee reads the text itself."""


def plant() -> None:
    patch(commands, "_readable", lambda *_: _NO_NUMBER)
