"""The extra `fast` on games like Sum31 with large pools, against copying its table as often as it must be read.

Each position has n / 2 moves on average. So the bound is n / 2 passes over the table, a byte a position, at the speed
at which memory of that size is copied in the same run.
"""

from __future__ import annotations

import subprocess
from functools import partial

import numpy as np

from benchmarks.measure import PYTHON, at_most, best
from zerosum.rules.model import Overshoot, Rules
from zerosum.solver.by_masks import MaskValues

_SIZE = 28
_LIMIT = 30
_PEAK = """
import resource
from benchmarks.fast import game
from zerosum.solver.by_masks import MaskValues
MaskValues(game())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def game(overshoot: Overshoot = Overshoot.LOSES, size: int = _SIZE) -> Rules:
    """Return a game as much like Sum31 as its pool allows."""
    pool = tuple(range(1, size + 1))
    return Rules(id="large", name="Large", pool=pool, target=round(31 * sum(pool) / 45), overshoot=overshoot)


def main() -> None:
    """Print the ratios."""
    # First, as a process begins with the peak of the one that starts it.
    peak = int(subprocess.run((PYTHON, "-c", _PEAK), capture_output=True, check=True).stdout) / 1024
    at_most(f"n={_SIZE} peak memory ({peak:.0f} MiB)", peak / 1024, 1, "1 GiB")
    size = 1 << _SIZE
    for overshoot in Overshoot:
        copy = _copying(size)
        seconds = best(partial(MaskValues, game(overshoot)))
        copy = min(copy, _copying(size))
        figures = f"{seconds:.2f} s, copying at {size / copy / 1e9:.1f} GB/s"
        ratio = seconds / (copy * _SIZE / 2)
        at_most(f"n={_SIZE}, overshoot {overshoot.value} ({figures})", ratio, _LIMIT, "the bound")


def _copying(size: int) -> float:
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    return best(lambda: np.copyto(target, source))


if __name__ == "__main__":
    main()
