"""When Python looks for garbage in cycles: often among what is new, and among all only if memory has grown.

By itself Python looks when there are so many more new objects than freed ones. Tables let go of old events as fast as
new ones come, so it would look seldom and then long: for 30 ms, in which nobody's move is answered. A move leaves no
cycles, but a page leaves some.
"""

from __future__ import annotations

import asyncio
import gc
from types import ModuleType
from typing import Final

resource: ModuleType | None
try:
    import resource
except ImportError:  # not on every system
    resource = None

_SECONDS: Final = 0.05
"""With 500 moves a second there are some 3,000 new objects after this time; to look at them takes 0.3 ms."""
_YOUNG, _MIDDLING = 0, 1
"""Generations: what is new, and what was still in use at the first look."""
_MIDDLING_EVERY: Final = 4
"""Every so many looks, what was in use at the first look is looked at again."""
_GROWN: Final = 1.25


async def collect_garbage() -> None:
    """Look for garbage from now on, instead of Python."""
    gc.freeze()  # what is loaded now stays
    gc.disable()
    before, turn = memory(), 0
    while True:
        await asyncio.sleep(_SECONDS)
        turn += 1
        if memory() > before * _GROWN:
            gc.collect()
            before = memory()
        else:
            gc.collect(_YOUNG if turn % _MIDDLING_EVERY else _MIDDLING)


def memory() -> int:
    """Return how much memory this process has, in whatever unit; its peak, if the system tells no more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1])
    except OSError:
        return 0 if resource is None else int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
