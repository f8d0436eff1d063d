"""The queue before a worker process: callers in turn, a fair part of it for each, and every question is answered."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.server.worker.asking import code_of, held, queue_of, until_waiting
from zerosum.server.worker.client import WorkerError, WorkQueue


class Asked:
    """Questions that were asked, and the order in which they were answered."""

    def __init__(self, queue: WorkQueue) -> None:
        self._queue = queue
        self._tasks: list[asyncio.Task[None]] = []
        self.order: list[str] = []

    async def ask(self, caller: str, count: int) -> None:
        """Ask `count` questions on behalf of a caller, and return when all of them wait."""
        waiting = self._queue.waiting + count
        self._tasks += [asyncio.create_task(self._answered(caller, n)) for n in range(1, count + 1)]
        await until_waiting(self._queue, waiting)

    async def _answered(self, caller: str, n: int) -> None:
        line = await self._queue.ask({"job": "echo", "word": f"{caller}{n}"}, caller)
        self.order.append(json.loads(line)["answer"]["word"])

    async def all(self) -> list[str]:
        await asyncio.gather(*self._tasks)
        return self.order


def test_callers_take_turns(tmp_path: Path) -> None:
    async def talk(queue: WorkQueue) -> list[str]:
        busy = await held(queue, tmp_path / "gate")
        asked = Asked(queue)
        await asked.ask("a", 5)
        await asked.ask("b", 2)
        await asked.ask("c", 1)
        busy.let_go()
        return await asked.all()

    assert queue_of(talk) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4", "a5"]


def test_one_who_comes_late_waits_for_one_answer_of_each_before(tmp_path: Path) -> None:
    """However many questions one caller has, another's first is the next but one at the latest."""

    async def talk(queue: WorkQueue) -> list[str]:
        busy = await held(queue, tmp_path / "gate", "a")
        asked = Asked(queue)
        await asked.ask("a", 45)
        await asked.ask("b", 1)
        busy.let_go()
        return await asked.all()

    order = queue_of(talk, waiting=100)
    assert order.index("b1") <= 1
    assert [one for one in order if one != "b1"] == [f"a{n}" for n in range(1, 46)]


def test_questions_without_a_caller_share_one_turn(tmp_path: Path) -> None:
    async def talk(queue: WorkQueue) -> list[str]:
        busy = await held(queue, tmp_path / "gate", "a")
        asked = Asked(queue)
        await asked.ask("", 3)
        await asked.ask("b", 2)
        busy.let_go()
        return await asked.all()

    assert queue_of(talk) == ["1", "b1", "2", "b2", "3"]


def test_whose_answer_took_long_waits_for_several_of_others(tmp_path: Path) -> None:
    async def talk(queue: WorkQueue) -> list[str]:
        busy = await held(queue, tmp_path / "gate", "a")
        asked = Asked(queue)
        await asked.ask("a", 2)
        await asked.ask("b", 3)
        await asyncio.sleep(1.6)
        busy.let_go()
        return await asked.all()

    assert queue_of(talk) == ["b1", "b2", "b3", "a1", "a2"]


def test_one_caller_fills_half_of_the_queue_and_no_more(tmp_path: Path) -> None:
    async def talk(queue: WorkQueue) -> None:
        busy = await held(queue, tmp_path / "gate")
        asked = Asked(queue)
        await asked.ask("a", 3)
        assert await code_of(queue.ask({"job": "echo", "word": ""}, "a")) == "busy"
        await asked.ask("b", 3)
        for caller in ("b", "c", ""):
            assert await code_of(queue.ask({"job": "echo", "word": ""}, caller)) == "busy"
        busy.let_go()
        assert await asked.all() == ["a1", "b1", "a2", "b2", "a3", "b3"]
        assert await queue.ask({"job": "echo", "word": ""}, "a")

    queue_of(talk, waiting=6)


def test_a_queue_of_one_takes_one_question_of_anybody(tmp_path: Path) -> None:
    async def talk(queue: WorkQueue) -> None:
        busy = await held(queue, tmp_path / "gate")
        asked = Asked(queue)
        await asked.ask("a", 1)
        assert await code_of(queue.ask({"job": "echo", "word": ""}, "b")) == "busy"
        busy.let_go()
        assert await asked.all() == ["a1"]

    queue_of(talk, waiting=1)


def test_all_who_wait_are_told_when_it_closes(tmp_path: Path) -> None:
    async def talk(queue: WorkQueue) -> None:
        busy = await held(queue, tmp_path / "gate")
        tasks = [asyncio.create_task(queue.ask({"job": "echo", "word": ""}, one)) for one in ("a", "a", "b", "")]
        await until_waiting(queue, 4)
        await queue.close()
        told = await asyncio.gather(busy.answer, *tasks, return_exceptions=True)
        assert [one.code for one in told if isinstance(one, WorkerError)] == ["stopping"] * 5
        assert (queue.waiting, queue.pid) == (0, None)
        assert await code_of(queue.ask({"job": "echo", "word": ""})) == "stopping"

    queue_of(talk)


@pytest.mark.parametrize("who", ["asks", "waits"])
def test_a_caller_who_has_gone_keeps_nobody_waiting(tmp_path: Path, who: str) -> None:
    async def talk(queue: WorkQueue) -> None:
        busy = await held(queue, tmp_path / "gate")
        waiting = asyncio.create_task(queue.ask({"job": "hold", "gate": str(tmp_path / "never")}, "a"))
        await until_waiting(queue, 1)
        gone = {"asks": busy.answer, "waits": waiting}[who]
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        if who == "asks":
            waiting.cancel()
        busy.let_go()
        assert json.loads(await queue.ask({"job": "echo", "word": "next"}, "b"))["answer"]["word"] == "next"
        assert not (tmp_path / "never.begun").exists(), "nobody waits for that any more"

    queue_of(talk)
