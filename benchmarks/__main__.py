"""`python -m benchmarks`: every measurement, each in a process of its own, so that none pays for another's memory.

`python -m benchmarks serving --quick` makes only one, and hands it what follows its name. The figures are
also in build/benchmarks.json, from which `python tools/figures.py` takes them into the documentation.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import FIGURES, PYTHON
from tools.figures import here

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
_BUILT = Path("build", "benchmarks.json")


def main(names: Sequence[str], more: Sequence[str]) -> None:
    """Make measurements, and write what they came to into `build`."""
    rows: list[dict[str, object]] = []
    for name in names:
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            env = os.environ | {FIGURES: file.name}
            subprocess.run((PYTHON, "-m", f"benchmarks.{name}", *more), env=env, check=True)
            rows += [here(name) | {"scenario": name} | json.loads(line) for line in file]
        _BUILT.parent.mkdir(exist_ok=True)
        _BUILT.write_text(json.dumps({"figures": rows}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:2] or _ALL, sys.argv[2:])
