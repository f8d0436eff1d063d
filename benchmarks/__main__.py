"""`python -m benchmarks`: every measurement, each in a process of its own, so that none pays for another's memory.

`python -m benchmarks serving --quick` makes only one, and hands it what follows its name. What one without options
comes to is put into build/benchmarks.json in place of its earlier figures; `make site` shows them.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.measure import FIGURES, PYTHON
from tools.figures import measured

_CORE = (
    "startup",
    "playouts",
    "solving",
    "growth",
    "fast",
    "coaching",
    "levels",
    "ideas",
    "hostile",
    "audits",
    "bots",
    "lab",
    "measuring",
    "arena",
    "exams",
    "batches",
    "environments",
)
_ALL = (*_CORE, "serving", "lessons", "redraw", "page", "table_page")


def main(names: Sequence[str], more: Sequence[str]) -> None:
    """Make measurements, and write what each came to into `build`; one that breaks keeps no other from its turn."""
    broken = []
    for name in names:
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            env = os.environ | {FIGURES: file.name}
            done = subprocess.run((PYTHON, "-m", f"benchmarks.{name}", *more), env=env, check=False)
            if done.returncode:
                broken.append(name)
            elif not more:
                measured("performance", name, [{"scenario": name} | json.loads(line) for line in file])
    if broken:
        sys.exit(f"Not measured: {', '.join(broken)}.")


if __name__ == "__main__":
    main(sys.argv[1:2] or _ALL, sys.argv[2:])
