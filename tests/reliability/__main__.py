"""`python -m tests.reliability [NAME ...]`: every harness with its full figures; status 1 if a promise is broken.

What it finds is added to `build/reliability.json`, so that harnesses can be run one by one; a new figure takes the
place of the old one of the same harness. `--part 0.1` runs a tenth of most counts, and only prints what it finds.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Iterator

from tests.arena import killed as arena
from tests.exam import killed as exam
from tests.lab import killed
from tests.reliability import full
from tests.reliability.report import PART, Report, part, progress
from tests.security import full as security
from tests.simulation import seeds
from tools.figures import measured

HARNESSES = full.HARNESSES | seeds.HARNESSES | security.HARNESSES | killed.HARNESSES | arena.HARNESSES | exam.HARNESSES


def _run(name: str) -> Iterator[Report]:
    """Return the findings of a harness as they come; one that does not get to its end has found something too."""
    say = progress(name)
    began = time.monotonic()
    try:
        for report in HARNESSES[name](say):
            report.seconds, began = time.monotonic() - began, time.monotonic()
            say("")
            yield report
    except Exception as error:  # noqa: BLE001 - told like anything else that is broken
        traceback.print_exc()
        yield Report("?", name, broken=[f"{type(error).__name__}: {error}"], seconds=time.monotonic() - began)
    say("")


def main(words: list[str]) -> int:
    """Run harnesses and print what they find."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--part", default="1")
    given = parser.parse_args(words)
    names, os.environ[PART] = given.names, given.part
    unknown = set(names) - set(HARNESSES)
    if unknown:
        sys.stderr.write(f"There is no {', '.join(sorted(unknown))}; there are {', '.join(HARNESSES)}.\n")
        return 2
    began, broken = time.monotonic(), 0
    sys.stdout.write(f"{'promise':<8}{'harness':<35}{'result':<12}{'time':>6}   figures\n")
    for name in names or HARNESSES:
        found = []
        for report in _run(name):
            found.append(report)
            broken += bool(report.broken or report.late)
            sys.stdout.write("\n".join(report.lines()) + "\n")
            sys.stdout.flush()
        if part() == 1:
            measured("reliability", name, [one.document() for one in found])
    taken = time.monotonic() - began
    verdict = f"{broken} broken" if broken else "all kept"
    sys.stdout.write(f"{verdict}, {taken / 60:.1f} minutes\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
