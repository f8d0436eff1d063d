"""Planted: a transaction ends by the removal of its journal, as is SQLite's default; a power cut can undo that."""

from __future__ import annotations

from tests.reliability.planted.pragma import say_to_sqlite


def plant() -> None:
    say_to_sqlite("PRAGMA journal_mode = DELETE")
