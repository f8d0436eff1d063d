"""Turns at the event loop: one step a turn, addresses in turn, every step charged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.patience import PATIENCE
from zerosum.server import limits
from zerosum.server.http.rate_limits import Bucket, TimeAccount
from zerosum.server.http.turns import Turns


def free(_seconds: float) -> None:
    """Charge nobody."""


class Clock:
    """Processor time that steps use up when they say so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def steps(count: int, step: Callable[[], None]) -> Coroutine[Any, Any, int]:
    """Return work of some steps."""

    async def work() -> int:
        for _ in range(count):
            step()
            await asyncio.sleep(0)
        return count

    return work()


def test_addresses_take_turns_however_much_one_asks_for() -> None:
    async def run() -> list[str]:
        turns, done = Turns(time.thread_time), list[str]()
        many = [turns.drive("many", free, steps(5, lambda: done.append("many"))) for _ in range(20)]
        crowd = [asyncio.ensure_future(one) for one in many]
        await asyncio.sleep(0)
        assert await turns.drive("one", free, steps(5, lambda: done.append("one"))) == 5
        mixed = list(done)
        await asyncio.gather(*crowd)
        assert done.count("many") == 100
        return mixed

    mixed = asyncio.run(run())
    # Between two steps of the one request, which waits a turn itself, there are two of the twenty and not twenty.
    assert mixed.count("many") <= 3 * mixed.count("one")


def test_one_step_a_turn_of_the_loop() -> None:
    async def run() -> None:
        turns, turn, steps_in = Turns(time.thread_time), 0, dict[int, int]()

        def step() -> None:
            steps_in[turn] = steps_in.get(turn, 0) + 1

        work = [asyncio.ensure_future(turns.drive(str(n), free, steps(4, step))) for n in range(10)]
        while not all(one.done() for one in work):
            turn += 1
            await asyncio.sleep(0)
        assert sum(steps_in.values()) == 40
        # The first of all takes the turn at once, in which one that was waiting may have a step too.
        assert max(steps_in.values()) <= 2

    asyncio.run(run())


def test_time_is_charged_whether_work_succeeds_fails_or_is_given_up() -> None:
    async def run() -> None:
        clock = Clock()
        turns, bucket = Turns(clock), TimeAccount(Bucket((100, 0.001), time.monotonic))

        def slow() -> None:
            clock.now += 0.03

        async def fail() -> None:
            slow()
            await asyncio.sleep(0)
            slow()
            raise ZeroDivisionError

        await turns.drive("a", bucket.charge, steps(1, slow))
        assert not bucket.wait
        with pytest.raises(ZeroDivisionError):
            await turns.drive("a", bucket.charge, fail())
        assert not bucket.wait
        task = asyncio.ensure_future(turns.drive("a", bucket.charge, steps(10**6, slow)))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert bucket.wait > 0

    asyncio.run(run())


def test_what_is_given_up_while_it_waits_is_closed_and_holds_nobody_up() -> None:
    async def run() -> None:
        turns, ended = Turns(time.thread_time), list[str]()

        async def work(name: str) -> None:
            try:
                for _ in range(3):
                    await asyncio.sleep(0)
            finally:
                ended.append(name)

        tasks = [asyncio.ensure_future(turns.drive("a", free, work(str(n)))) for n in range(6)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in tasks[1:5]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert "0" in ended
        assert "5" in ended
        assert all(task.cancelled() for task in tasks[1:5])

    asyncio.run(run())


def test_no_step_is_taken_while_a_move_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_SECONDS", PATIENCE)

    async def run() -> None:
        turns, done = Turns(time.thread_time), list[str]()
        work = [
            asyncio.ensure_future(turns.drive(str(n), free, steps(3, lambda: done.append("step")))) for n in range(4)
        ]
        await asyncio.sleep(0)
        for _ in range(2):  # some have been given a turn, and give it back
            with turns.move():
                before = len(done)
                with turns.move():
                    for _ in range(50):
                        await asyncio.sleep(0)
                late = asyncio.ensure_future(turns.drive("late", free, steps(1, lambda: done.append("step"))))
                for _ in range(50):
                    await asyncio.sleep(0)
                assert len(done) == before
            await late
        await asyncio.gather(*work)
        assert len(done) == 14

    asyncio.run(run())


def test_moves_without_end_hold_up_a_step_for_a_short_time_only() -> None:
    async def run() -> None:
        turns = Turns(time.thread_time)
        with turns.move():
            assert await asyncio.gather(*(turns.drive("a", free, steps(3, lambda: None)) for _ in range(3))) == [
                3,
                3,
                3,
            ]

    asyncio.run(run())
