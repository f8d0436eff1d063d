"""How things are timed and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

PYTHON = sys.executable
FIGURES = "ZEROSUM_FIGURES"
"""The variable that names a file for what is printed: a line of JSON each."""
# What getrusage says begins with the memory of whoever started the process; this does not.
_PEAK = "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"


def best(work: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the shortest of several runs, in seconds: what the work costs when nothing else is in the way.

    With `time.process_time` as the clock, what else runs on the machine does not count.
    """
    shortest = float("inf")
    for _ in range(times):
        began = clock()
        work()
        shortest = min(shortest, clock() - began)
    return shortest


def process(arguments: Sequence[str], environment: Mapping[str, str] | None = None, times: int = 15) -> float:
    """Return what a whole process costs; its files are read and its bytecode is made before the first run counts."""
    # With bytecode, as everywhere but in places that are told not to write any.
    settings = {key: value for key, value in (environment or os.environ).items() if key != "PYTHONDONTWRITEBYTECODE"}

    def run() -> None:
        subprocess.run(
            arguments,
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )

    run()
    return best(run, times)


def peak_of(program: str) -> int:
    """Return the most memory that a program takes in a process of its own, in KiB."""
    return int(subprocess.run((PYTHON, "-c", program + _PEAK), capture_output=True, check=True).stdout)


def at_most(what: str, ratio: float, limit: float, than: str) -> None:
    """Print a ratio that should not be passed."""
    _tell(what, f"{ratio:.1f} times {than}", f"at most {limit:g}", good=ratio <= limit)


def at_least(what: str, ratio: float, limit: float, than: str) -> None:
    """Print a ratio that should be reached."""
    _tell(what, f"{ratio:,.2f} times {than}", f"at least {limit:,g}", good=ratio >= limit)


def within(what: str, seconds: float, limit: float) -> None:
    """Print a time that should not be passed."""
    _tell(what, f"{1e6 * seconds:.0f} microseconds", f"at most {1e6 * limit:.0f}", good=seconds <= limit)


def none(what: str, count: int) -> None:
    """Print a count of what must not be."""
    _tell(what, f"{count:,}", "none allowed", good=count == 0)


def _tell(what: str, measured: str, limit: str, *, good: bool) -> None:
    if FIGURES in os.environ:
        with open(os.environ[FIGURES], "a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, "figure": measured, "bound": limit, "held": good}) + "\n")
    print(f"{'ok  ' if good else 'MISS'}  {what}: {measured} ({limit})", flush=True)
