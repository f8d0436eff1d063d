"""What `.ci/run` does after `make test` has failed: run the failed tests once more, and name those that then pass.

    FLAKY tests/browser/test_room.py::test_late 4711

The number is the PYTHONHASHSEED. Work does not land if such a name stands in `tests/flaky.txt` already, or is of a
folder whose tests must never fail by chance. Whoever sees a line writes the name into that file, and mends the test.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FAILED: Final = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
KNOWN: Final = ROOT / "tests" / "flaky.txt"
NEVER: Final = tuple(f"tests/{folder}/" for folder in ("security", "reliability", "simulation", "proof"))
"""Where a test that fails by chance may have seen what a user would."""


def failed() -> list[str]:
    """Return the tests that failed in the last run."""
    return sorted(json.loads(FAILED.read_text(encoding="utf-8"))) if FAILED.exists() else []


def intolerable(flaky: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the flaky tests that keep work from landing."""
    return [name for name in flaky if name in known or name.startswith(NEVER)]


def rerun() -> int:
    """Run the failed tests again, then the linters, which may be what failed; return the exit status."""
    first = failed()
    if first:
        print(f"{len(first)} failed, and are run again by themselves:", flush=True)  # noqa: T201 - the end of the log of CI
        subprocess.run([sys.executable, "-m", "pytest", "--last-failed"], cwd=ROOT, check=False)
    second = failed()
    linted = subprocess.run(["make", "lint"], cwd=ROOT, check=False).returncode
    flaky = [name for name in first if name not in second]
    for name in flaky:
        print(f"FLAKY {name} {os.environ.get('PYTHONHASHSEED', 'random')}")  # noqa: T201 - likewise
    refused = intolerable(flaky, KNOWN.read_text(encoding="utf-8").split("\n"))
    for name in refused:
        print(f"{name}: must not fail by chance; mend it.")  # noqa: T201 - likewise
    # A run that failed without a failed test (a crash, an error while collecting) has nothing that could be run again.
    return int(bool(second or refused or linted or not (first or linted)))


if __name__ == "__main__":
    sys.exit(rerun())
