"""Long work with somebody waiting: progress on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from zerosum.rules.model import Rules
from zerosum.solver import MEMORY, Solution, solve

_PATIENCE = 0.7


@contextmanager
def aloud(what: str) -> Iterator[Callable[[str], None]]:
    """Give a function that tells how far `what` is, once it takes longer than a moment; the line is then wiped."""
    began = monotonic()
    shown = 0

    def say(progress: str) -> None:
        nonlocal shown
        if sys.stderr.isatty() and monotonic() - began > _PATIENCE:
            text = f"{what}: {progress}"
            sys.stderr.write(f"\r{text:{shown}}")
            sys.stderr.flush()
            shown = max(shown, len(text))

    try:
        yield say
    finally:
        if shown:
            sys.stderr.write(f"\r{'':{shown}}\r")


def solve_aloud(rules: Rules, memory: int = MEMORY) -> Solution:
    """Solve a game; if it takes longer than a moment, say how far it is."""
    with aloud(f"Solving {rules.name}") as say:
        return solve(rules, memory, say)
