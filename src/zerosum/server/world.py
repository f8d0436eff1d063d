"""The world outside a server: clocks, chance and threads. All else in the server is decided by what it is told.

One `World` is made where the server starts, so that a simulation can give it another. No other module of the server
imports `time`, `secrets`, `random` or `threading`; a test looks.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Final

_JUMP: Final = 1.0
"""Seconds by which the wall clock may be off before that counts as a jump, which is not followed."""


def _start_thread(name: str) -> Executor:
    return ThreadPoolExecutor(1, name)


class World:
    """Clocks in seconds, chance that nobody can guess, and threads."""

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        dice: random.Random | None = None,
        in_thread: Callable[..., Awaitable[Any]] = asyncio.to_thread,
        start_thread: Callable[[str], Executor] = _start_thread,
    ) -> None:
        self.monotonic = monotonic
        self.in_thread = in_thread
        """Runs a function that blocks."""
        self.start_thread = start_thread
        """Returns a thread of that name, which does one thing after the other."""
        self.dice = random.SystemRandom() if dice is None else dice
        self._wall = wall
        self._ahead = wall() - monotonic()

    def now_ms(self) -> int:
        """Return the time, in milliseconds since 1970.

        It goes on evenly while the server runs: small corrections of the wall clock are followed, jumps are not. A jump
        would take time from somebody's clock at a table, or give it.
        """
        ahead = self._wall() - self.monotonic()
        if abs(ahead - self._ahead) <= _JUMP:
            self._ahead = max(self._ahead, ahead)
        return int((self.monotonic() + self._ahead) * 1000)

    def token_hex(self, count: int) -> str:
        """Return random bytes as hexadecimal digits."""
        return self.dice.randbytes(count).hex()


REAL: Final = World()
"""The world as it is."""
