"""Planted: what is committed is not synced."""

from __future__ import annotations

from tests.reliability.planted.pragma import say_to_sqlite


def plant() -> None:
    say_to_sqlite("PRAGMA synchronous = OFF")
