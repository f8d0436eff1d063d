"""Progress of long work, on standard error if that is a terminal; and solving with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from zerosum.base.progress import silent
from zerosum.cli.terminal_text import clip, pad, terminal_columns, width
from zerosum.rules.model import Rules

if TYPE_CHECKING:
    from zerosum.solver import Solution

_PATIENCE: Final = 0.25
"""Seconds of work that need no explanation."""
_SECOND: Final = 1.0


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[str], None]]:
    """Give a function that shows the progress of `what` once it takes long; the line is cleared at the end.

    A thread names work that reports nothing, and adds how long it has taken whenever nothing was reported for a second.
    """
    terminal = terminal_columns(sys.stderr)
    if terminal is None:
        yield silent
        return
    line, over = _Line(what, terminal), Event()

    def tell_time() -> None:
        pause = _PATIENCE
        while not over.wait(pause):
            line.tell_time()
            pause = _SECOND

    clock = Thread(target=tell_time, daemon=True)
    clock.start()
    try:
        yield line.say
    finally:
        over.set()
        clock.join()  # what it may be writing is cleared
        line.clear()


class _Line:
    """A line of standard error that is written again and again."""

    def __init__(self, what: str, columns: int) -> None:
        self._what, self._columns = what, columns
        self._progress = ""
        self._shown = 0
        self._began = self._said = monotonic()
        self._lock = Lock()

    def say(self, progress: str) -> None:
        now = monotonic()
        if now - self._began > _PATIENCE:
            self._progress, self._said = progress, now
            self._write(self._words())

    def tell_time(self) -> None:
        now = monotonic()
        if now - self._began < _SECOND:
            self._write(self._words())
        elif now - self._said >= _SECOND:
            self._write(f"{self._words()}  {now - self._began:.0f} s")

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write(f"\r{'':{self._shown}}\r")
            sys.stderr.flush()

    def _words(self) -> str:
        return f"{self._what}: {self._progress}" if self._progress else f"{self._what} ..."

    def _write(self, text: str) -> None:
        text = clip(text, self._columns - 1)
        with self._lock:
            sys.stderr.write(f"\r{pad(text, self._shown)}")
            sys.stderr.flush()
            self._shown = max(self._shown, width(text))


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
