"""How often somebody may do something: a bucket of so many at once that fills again at so many a second."""

from __future__ import annotations

import time
from collections import OrderedDict

from zerosum.server import limits
from zerosum.server.domain.problems import Problem


class Bucket:
    """One bucket."""

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, rate: tuple[int, float]) -> None:
        self._full, self._rate = rate
        self._left = float(self._full)
        self._at = time.monotonic()

    def take(self, count: int = 1) -> float:
        """Take so many; return 0, or the seconds until there are so many."""
        now = time.monotonic()
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < count:
            return (count - self._left) / self._rate
        self._left -= count
        return 0.0

    def owe(self, count: int) -> None:
        """Take `count` even if there are fewer; what is owed must refill before anything can be taken."""
        self.take(0)
        self._left -= count


class Rates:
    """A bucket for each address, for one kind of thing; the addresses longest unheard of are forgotten."""

    def __init__(self, rate: tuple[int, float]) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, address: str, count: int = 1) -> None:
        """Take `count` for an address, or raise how long it must wait."""
        wait = self._bucket(address).take(count)
        if wait:
            raise Problem("too-many", f"Try again in {max(1, round(wait))} s.", retry_after=max(1, round(wait)))

    def owe(self, address: str, count: int) -> None:
        """Take `count` for an address even if it has fewer."""
        self._bucket(address).owe(count)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate)
            if len(self._buckets) > limits.ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket
