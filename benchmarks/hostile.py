"""How long rules files, records and family files that mean harm are read before they are refused (promise 13)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from benchmarks.measure import at_most, none
from tests.lab.hostile_families import HOSTILE_FAMILIES, LATE, write
from tests.rules.hostile import HOSTILE, HOSTILE_RECORDS
from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.files import read_text
from zerosum.lab.families import load_family, members
from zerosum.match.match import read_match
from zerosum.rules.game_files import load_file

_LIMIT = 1.0


def main() -> None:
    """Print the longest wait for a refusal against the limit."""
    rules, records, families, accepted = {}, {}, {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (kind, (make, _)) in enumerate(HOSTILE.items()):
            path = Path(folder) / f"{number}.toml"
            make(path)
            rules[kind], refused = _taken(lambda path=path: load_file(str(path)))  # type: ignore[misc]  # mypy infers no type of a lambda with a default
            accepted += not refused
        for number, (kind, (text, _)) in enumerate(HOSTILE_RECORDS.items()):
            path = Path(folder) / f"{number}.record"
            path.write_text(text)
            records[kind], refused = _taken(lambda path=path: read_match(read_text(str(path), limits.RECORD_BYTES)))  # type: ignore[misc]  # mypy infers no type of a lambda with a default
            accepted += not refused
        for number, (kind, (parts, _)) in enumerate((HOSTILE_FAMILIES | LATE).items()):
            path = Path(folder) / f"{number}.family.toml"
            write(path, parts)
            families[kind], refused = _taken(lambda path=path: members(load_family(str(path))))  # type: ignore[misc]  # mypy infers no type of a lambda with a default
            accepted += not refused
    for what, taken in (("rules files", rules), ("records", records), ("family files", families)):
        slowest = max(taken, key=lambda kind: taken[kind])
        told = f"{slowest}, {taken[slowest] * 1000:.0f} ms"
        at_most(f"the slowest of {len(taken)} hostile {what} ({told})", taken[slowest] / _LIMIT, 1, "1 s")
    none("hostile files accepted", accepted)


def _taken(read: Callable[[], object]) -> tuple[float, bool]:
    """Return how long something is read, and whether it is refused."""
    began, refused = time.perf_counter(), True
    with suppress(ZerosumError):
        read()
        refused = False
    return time.perf_counter() - began, refused


if __name__ == "__main__":
    main()
