"""What one number more costs: games like Sum31 on ever larger pools, solved by the standard library alone."""

from __future__ import annotations

from functools import partial

from benchmarks.measure import at_most, best, peak_of
from zerosum.base.progress import silent
from zerosum.rules.model import Overshoot, Rules
from zerosum.solver import SOLVERS
from zerosum.solver.supports import Method

_SIZES = (9, 12, 16, 20, 24)
_GROWS_FROM = 16
_LARGEST = """
from benchmarks.growth import like_sum31
from zerosum.solver.supports import Method
from zerosum.solver import SOLVERS
SOLVERS[Method.BOARD](like_sum31(24), 1 << 60, lambda progress: None)
"""


def like_sum31(n: int) -> Rules:
    """Return Sum31 on the pool 1 to n, its target as far along the sum."""
    pool = tuple(range(1, n + 1))
    return Rules(id="x", name="x", pool=pool, target=round(31 / 45 * sum(pool)), overshoot=Overshoot.LOSES)


def main() -> None:
    """Print the growth from the first size that counts, and the memory of the largest."""
    before: tuple[int, float] | None = None
    for n in _SIZES:
        cost = best(partial(SOLVERS[Method.BOARD], like_sum31(n), 1 << 60, silent), 3)
        if before is not None and before[0] >= _GROWS_FROM:
            growth = (cost / before[1]) ** (1 / (n - before[0]))
            at_most(f"Sum31 on 1..{n} ({cost:.2f} s), for each number more", growth, 2.3, "the cost")
        before = (n, cost)
    peak = peak_of(_LARGEST) / 2**20
    at_most(f"peak memory of n = {_SIZES[-1]} ({peak:.2f} GiB)", peak, 1, "1 GiB")


if __name__ == "__main__":
    main()
