"""What a harness has found: figures for whoever reads, and every broken promise in words."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Say = Callable[[str], None]
_MINUTE = 60.0
PART = "ZEROSUM_PART"
"""The variable that says which part of full counts is run."""


def part() -> float:
    """Return which part of full counts is run: all of it, unless somebody has little time."""
    return float(os.environ.get(PART, "1"))


def some(count: int) -> int:
    """Return how many to try of a full count."""
    return max(1, round(count * part()))


def quietly(_: str) -> None:
    """Say nothing about progress."""


@dataclass
class Report:
    """One harness's findings."""

    promise: str
    what: str
    figures: dict[str, object] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    """Promises of a time that were not kept. They say something only where the machine has nothing else to do."""
    seconds: float = 0.0
    bound: str = ""
    """What is promised, in words, beside that nothing is lost."""

    def check(self, true: object, otherwise: str) -> None:
        """Note a broken promise unless something is true."""
        if not true:
            self.broken.append(otherwise)

    def check_time(self, seconds: float, most: float, what: str) -> None:
        """Note what took longer than it may; `make reliability` tells it, and tests pass over it."""
        bound = f"{what} at most {most:g} s"
        if bound not in self.bound:
            self.bound = f"{self.bound}; {bound}" if self.bound else bound
        if seconds > most:
            self.late.append(f"{what} {seconds:.1f} s; {most:g} are stated")

    def hold(self) -> None:
        """Raise if a promise was broken, other than one of a time."""
        assert not self.broken, "\n".join(self.broken[:20])

    def document(self) -> dict[str, object]:
        """Return the findings as `build/reliability.json` keeps them."""
        wrong = self.broken + self.late
        return {
            "scenario": self.promise,
            "what": self.what,
            "figures": {name: str(value) for name, value in self.figures.items()},
            "figure": ", ".join(f"{name} {value}" for name, value in self.figures.items()),
            "bound": self.bound or "nothing lost, changed, doubled or broken",
            "held": not wrong,
            "wrong": wrong[:10],
            "seconds": round(self.seconds, 1),
        }

    def lines(self) -> list[str]:
        """Return the findings as lines of a table."""
        figures = ", ".join(f"{name} {value}" for name, value in self.figures.items())
        wrong = self.broken + self.late
        verdict = "kept" if not wrong else f"BROKEN ({len(wrong)})"
        rows = [f"{self.promise:>6}  {self.what:<34} {verdict:<11} {self.seconds:5.0f} s  {figures}"]
        return rows + [f"{'':8}{one}" for one in wrong[:10]]


Harness = Callable[[Say], Iterator[Report]]
"""Looks for what is broken, and returns its findings as they come."""


def progress(what: str) -> Say:
    """Return a way to say how far a harness is: on one line that the next word replaces, or in a log once a minute."""
    said = time.monotonic()

    def say(text: str) -> None:
        nonlocal said
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{what}: {text}")
            sys.stderr.flush()
        elif text and time.monotonic() - said > _MINUTE:
            said = time.monotonic()
            sys.stderr.write(f"{what}: {text}\n")
            sys.stderr.flush()

    return say
