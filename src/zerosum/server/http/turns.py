"""Turns at the event loop: work that can wait gets one step a turn of the loop, and addresses take turns.

A step is what a request does between two waits. Each is timed, and its time is charged to the address of the request.
Moves of seated players never wait for a turn, and while one is under way no turn is given, for `HELD_SECONDS` at most.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final, TypeVar, cast

from zerosum.server import limits, prometheus
from zerosum.server.http.rate_limits import Clock

T = TypeVar("T")
Charge = Callable[[float], None]
"""Charges somebody for seconds of processor time."""
TURNS: Final = "turns"
"""Where connections find the turns of their server, in the state of its lifespan."""


def charge_nobody(_seconds: float) -> None:
    """Charge nobody: to be refused costs nothing, and neither does a handshake until it is answered."""


class MoveUnderWay:
    """A seated player's move, as a context; a generator would cost a tenth of the move."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        """Begin it."""
        self._turns.begin_move()

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._turns.end_move()


class Turns:
    """Who waits for a turn of the loop: first come, first served for each address, and the addresses in turn."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        """Processor time."""
        self.steps = 0
        """Steps that were done so far."""
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._taken = False
        self._move = MoveUnderWay(self)
        self._moves = 0
        self._held: asyncio.TimerHandle | None = None
        self._overdue = False

    def move(self) -> MoveUnderWay:
        """Give no turns while a seated player's move is under way."""
        return self._move

    def begin_move(self) -> None:
        """Count a move that begins."""
        self._moves += 1

    def end_move(self) -> None:
        """Count a move that ends; after the last one turns are given again."""
        self._moves -= 1
        if not self._moves and self._held is not None:
            asyncio.get_running_loop().call_soon(self._release)

    async def drive(self, address: str, charge: Charge, work: Coroutine[Any, Any, T]) -> T:
        """Do work step by step, each in its turn and charged."""
        return cast("T", await _Steps(self, address, charge, work))

    def take(self, address: str) -> asyncio.Future[None] | None:
        """Take this turn of the loop if nobody has it; else return what to wait for."""
        loop = asyncio.get_running_loop()
        if not self._taken and not self._moves:
            self._taken = True
            loop.call_soon(self._next)
            return None
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        if not self._taken:
            self._taken = True
            self._next()
        return turn

    def give_way(self, address: str) -> asyncio.Future[None] | None:
        """Give a turn back, to be the next, if a move has begun since it was given; else return None."""
        if not self._moves or self._overdue:
            self._overdue = False
            return None
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).appendleft(turn)
        self._waiting.move_to_end(address, last=False)
        return turn

    def _next(self) -> None:
        """Give the next turn of the loop to the address that has waited longest, or hold it for a move."""
        if self._moves and self._waiting:
            self._held = asyncio.get_running_loop().call_later(limits.HELD_SECONDS, self._end_wait)
        else:
            self._give()

    def _end_wait(self) -> None:
        self._overdue = True
        self._release()

    def _release(self) -> None:
        if self._held is not None:
            self._held.cancel()
            self._held = None
            self._give()

    def _give(self) -> None:
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
        turns, clock = self._turns, self._turns.clock
        error: BaseException | None = None
        try:
            while True:
                try:
                    turn = turns.take(self._address)
                    while turn is not None:
                        yield from turn
                        turn = turns.give_way(self._address)
                except asyncio.CancelledError as cancelled:
                    error = cancelled
                turns.steps += 1
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
