"""Turns at the event loop: work that can wait gets one step a turn of the loop, and addresses take turns.

A step is what a request does between two waits. Each is timed, and its time is charged to the address of the request.
Moves of seated players do not come here: they never wait for a turn.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar, cast

from zerosum.server import prometheus
from zerosum.server.http.rate_limits import Clock

T = TypeVar("T")
Charge = Callable[[float], None]
"""Charges somebody for seconds of processor time."""


class Turns:
    """Who waits for a turn of the loop: first come, first served for each address, and the addresses in turn."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        """Processor time."""
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._taken = False

    async def drive(self, address: str, charge: Charge, work: Coroutine[Any, Any, T]) -> T:
        """Do work step by step, each in its turn and charged."""
        return cast("T", await _Steps(self, address, charge, work))

    def take(self, address: str) -> asyncio.Future[None] | None:
        """Take this turn of the loop if nobody has it; else return what to wait for."""
        if not self._taken:
            self._taken = True
            asyncio.get_running_loop().call_soon(self._next)
            return None
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        return turn

    def _next(self) -> None:
        """Give the next turn of the loop to the address that has waited longest."""
        self._taken = self._grant()
        if self._taken:
            asyncio.get_running_loop().call_soon(self._next)

    def _grant(self) -> bool:
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # else its request has been given up
                turn.set_result(None)
                return True
        return False


class _Steps:
    """Work as something that can be awaited: a coroutine that is driven by hand."""

    def __init__(self, turns: Turns, address: str, charge: Charge, work: Coroutine[Any, Any, Any]) -> None:
        self._turns = turns
        self._address = address
        self._charge = charge
        self._work = work

    def __await__(self) -> Generator[Any, None, Any]:
        """Do one step after the other."""
        clock = self._turns.clock
        error: BaseException | None = None
        try:
            while True:
                try:
                    turn = self._turns.take(self._address)
                    if turn is not None:
                        yield from turn
                except asyncio.CancelledError as cancelled:
                    error = cancelled
                began = clock()
                try:
                    waits_for = self._work.send(None) if error is None else self._work.throw(error)
                except StopIteration as done:
                    return done.value
                finally:
                    took = clock() - began
                    self._charge(took)
                    prometheus.step_seconds.observe(took)
                error = None
                try:
                    yield waits_for
                except GeneratorExit:
                    raise
                except BaseException as raised:  # noqa: BLE001 - it is raised in the work, which decides
                    error = raised
        finally:
            self._work.close()
