"""What a harness has found: figures for whoever reads, and every broken promise in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Say = Callable[[str], None]


def quietly(_: str) -> None:
    """Say nothing about progress."""


@dataclass
class Report:
    """One harness's findings."""

    promise: str
    what: str
    figures: dict[str, object] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def check(self, true: object, otherwise: str) -> None:
        """Note a broken promise unless something is true."""
        if not true:
            self.broken.append(otherwise)

    def hold(self) -> None:
        """Raise if a promise was broken."""
        assert not self.broken, "\n".join(self.broken[:20])

    def lines(self) -> list[str]:
        """Return the findings as lines of a table."""
        figures = ", ".join(f"{name} {value}" for name, value in self.figures.items())
        verdict = "kept" if not self.broken else f"BROKEN ({len(self.broken)})"
        rows = [f"{self.promise:>6}  {self.what:<34} {verdict:<11} {self.seconds:5.0f} s  {figures}"]
        return rows + [f"{'':8}{one}" for one in self.broken[:10]]


Harness = Callable[[Say], Iterator[Report]]
"""Looks for what is broken, and returns its findings as they come."""


def progress(what: str) -> Say:
    """Return a way to say how far a harness is, on one line that the next word replaces."""

    def say(text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{what}: {text}")
            sys.stderr.flush()

    return say
