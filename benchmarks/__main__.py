"""`python -m benchmarks`: every measurement, each in a process of its own, so that none pays for another's memory.

`python -m benchmarks serving --quick` makes only one, and hands it what follows its name.
"""

import subprocess
import sys

from benchmarks.measure import PYTHON

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
_name, *_more = sys.argv[1:] or ("all",)

for name in _ALL if _name == "all" else (_name,):
    subprocess.run((PYTHON, "-m", f"benchmarks.{name}", *_more), check=True)
