"""Rate limits: a token bucket for each address."""

from __future__ import annotations

import time
from collections import OrderedDict

from zerosum.server import limits
from zerosum.server.domain.problems import Problem


class Bucket:
    """A token bucket: holds n tokens and refills at a rate a second."""

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, rate: tuple[int, float]) -> None:
        self._full, self._rate = rate
        self._left = float(self._full)
        self._at = time.monotonic()

    def take(self, count: int = 1) -> float:
        """Take n tokens; return 0, or the seconds until there are enough."""
        now = time.monotonic()
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < count:
            return (count - self._left) / self._rate
        self._left -= count
        return 0.0

    def owe(self, count: int) -> None:
        """Take n tokens even if there are fewer; the debt must refill before anything can be taken again."""
        self.take(0)
        self._left -= count


class Rates:
    """A bucket for each address, for one kind of action; the least recently used ones are forgotten."""

    def __init__(self, rate: tuple[int, float]) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, address: str, count: int = 1) -> None:
        """Take n tokens of an address, or raise the problem `too-many`."""
        wait = self._bucket(address).take(count)
        if wait:
            raise Problem("too-many", f"Try again in {max(1, round(wait))} s.", retry_after=max(1, round(wait)))

    def owe(self, address: str, count: int) -> None:
        """Take n tokens of an address even if it has fewer."""
        self._bucket(address).owe(count)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate)
            if len(self._buckets) > limits.ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket
