"""Progress of long work, on standard error if that is a terminal; and solving with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Final

from zerosum.cli.terminal_text import clip, pad, terminal_columns, width
from zerosum.rules.model import Rules

if TYPE_CHECKING:
    from zerosum.solver import Solution

_PATIENCE: Final = 0.25
"""Seconds of work that need no explanation."""


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[str], None]]:
    """Give a function that shows the progress of `what` once it takes long; the line is cleared at the end.

    A timer names work that reports no progress.
    """
    began = monotonic()
    shown = 0

    def write(text: str) -> None:
        nonlocal shown
        sys.stderr.write(f"\r{pad(text, shown)}")
        sys.stderr.flush()
        shown = max(shown, width(text))

    def say(progress: str) -> None:
        if terminal is not None and monotonic() - began > _PATIENCE:
            write(clip(f"{what}: {progress}", terminal - 1))

    terminal = terminal_columns(sys.stderr)
    timer = Timer(_PATIENCE, lambda: write(clip(f"{what} ...", (terminal or 0) - 1)))
    timer.daemon = True
    if terminal is not None:
        timer.start()
    try:
        yield say
    finally:
        timer.cancel()
        if terminal is not None:
            # What it may be writing is cleared below.
            timer.join()
        if shown:
            sys.stderr.write(f"\r{'':{shown}}\r")
            sys.stderr.flush()


def solve_with_progress(rules: Rules, memory: int | None = None) -> Solution:
    """Solve a game and show progress; only commands with the option `--memory` pass `memory`."""
    from zerosum.solver import MEMORY, TooLargeError, solve  # noqa: PLC0415 - lessons begin without the solver

    with progress_line(f"Solving {rules.name}") as say:
        try:
            return solve(rules, MEMORY if memory is None else memory, say)
        except TooLargeError as error:
            if memory is None:
                raise
            raise error.advising("allow more with --memory") from None
