"""Cyclic garbage collection after requests: often among new objects, among all only if memory has grown too.

By itself Python collects when there are n more new objects than freed ones. Tables let go of old events as fast as new
ones come, so it would collect seldom and then long: for 30 ms, in which nobody's move is answered. A request leaves
some cycles. A move leaves none, so what moves alone have made is set aside unseen.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from types import ModuleType
from typing import Final

resource: ModuleType | None
try:
    import resource
except ImportError:  # not on every system
    resource = None

_SECONDS: Final = 0.05
_YOUNG, _MIDDLING = 0, 1
"""Generations: new objects, and those that were in use at the last collection."""
_MIDDLING_EVERY: Final = 4
"""After n collections of new objects, those that survived them are collected again."""
_GROWN: Final = 1.25


async def collect_garbage(steps: Callable[[], int]) -> None:
    """Collect garbage from now on, instead of Python; `steps` counts what requests other than moves have done."""
    gc.disable()
    gc.freeze()
    before, turn = memory(), 0
    last = last_whole = steps()
    while True:
        await asyncio.sleep(_SECONDS)
        done = steps()
        if done != last_whole and memory() > before * _GROWN:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            before, last_whole = memory(), done
        elif done == last:
            gc.freeze()
        else:
            turn += 1
            gc.collect(_YOUNG if turn % _MIDDLING_EVERY else _MIDDLING)
        last = done


def memory() -> int:
    """Return how much memory this process has, in whatever unit; its peak, if the system tells no more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1])
    except OSError:
        return 0 if resource is None else int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
