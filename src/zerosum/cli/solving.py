"""Long work: progress on standard error where that is a terminal, and what to do if a game is too large."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from zerosum.rules.model import Rules
from zerosum.solver import MEMORY, Solution, TooLargeError, solve

_PATIENCE = 0.7


@contextmanager
def aloud(what: str) -> Iterator[Callable[[str], None]]:
    """Give a function that shows the progress of `what` once it takes long; the line is cleared at the end."""
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


def solve_aloud(rules: Rules, memory: int | None = None) -> Solution:
    """Solve a game and show progress; only commands with the option `--memory` pass `memory`."""
    with aloud(f"Solving {rules.name}") as say:
        try:
            return solve(rules, MEMORY if memory is None else memory, say)
        except TooLargeError as error:
            if memory is None:
                raise
            raise error.advising("allow more with --memory") from None
