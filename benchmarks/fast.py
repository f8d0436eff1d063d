"""The extra `fast` on games like Sum31 with large pools, against copying its tables as often as it must read them.

Each position has n / 2 moves on average. So the bound is n / 2 passes over the table, a bit a position for verdicts
and a byte for plies, at the speed at which memory of that size is copied in the same run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import numpy as np

from benchmarks.measure import PYTHON, at_most, best
from zerosum.rules.model import Overshoot, Rules
from zerosum.solver.fast import Values, verdict_bits

_SIZE = 28
_BYTES = {"verdicts": 1 << (_SIZE - 3), "verdicts and plies": 1 << _SIZE}
_LIMITS = {"verdicts": 6, "verdicts and plies": 30}
_PEAK = """
import resource
from benchmarks.fast import game
from zerosum.solver.fast import Values, verdict_bits
verdict_bits(game()), Values(game())
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
    at_most(f"n={_SIZE} peak memory of a process that finds both ({peak:.0f} MiB)", peak / 1024, 1, "1 GiB")
    _tell("verdicts", Overshoot.LOSES, verdict_bits)
    for overshoot in Overshoot:
        _tell("verdicts and plies", overshoot, Values)


def _tell(what: str, overshoot: Overshoot, work: Callable[[Rules], object]) -> None:
    size = _BYTES[what]
    work(game(overshoot, 14))  # Compiled, or loaded, before the first run counts.
    copy = _copying(size)
    seconds = best(lambda: work(game(overshoot)))
    copy = min(copy, _copying(size))
    figures = f"{seconds:.2f} s, copying at {size / copy / 1e9:.1f} GB/s"
    at_most(
        f"n={_SIZE} {what}, overshoot {overshoot.value} ({figures})",
        seconds / (copy * _SIZE / 2),
        _LIMITS[what],
        "the bound",
    )


def _copying(size: int) -> float:
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    return best(lambda: np.copyto(target, source))


if __name__ == "__main__":
    main()
