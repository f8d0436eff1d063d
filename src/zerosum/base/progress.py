"""Reporting how far long work has come."""

from collections.abc import Callable

Progress = Callable[[str], None]
"""Called with a few words on how far the work has come, several times a second."""


def silent(progress: str) -> None:
    """Ignore progress."""
