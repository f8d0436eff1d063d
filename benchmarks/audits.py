"""What an audit costs in a folder that has never seen one, against solving the same game."""

from __future__ import annotations

import os
import subprocess
import tempfile
from itertools import count

from benchmarks.measure import at_most, best
from benchmarks.startup import ZEROSUM

_TIMES = 9


def main() -> None:
    """Print the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        homes = count()

        def cold(*arguments: str) -> None:
            home = os.path.join(folder, str(next(homes)))
            command = (*ZEROSUM, *arguments, "--json")
            subprocess.run(command, env=os.environ | {"ZEROSUM_HOME": home}, stdout=subprocess.DEVNULL, check=True)

        cold("audit", "sum31")
        solving = best(lambda: cold("solve", "sum31"), _TIMES)
        auditing = best(lambda: cold("audit", "sum31"), _TIMES)
    at_most(f"zerosum audit sum31 --json ({auditing:.2f} s)", auditing / solving, 4, "zerosum solve sum31 --json")


if __name__ == "__main__":
    main()
