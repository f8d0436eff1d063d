"""Thinking in processes of their own: time, death, memory, and a loop that never waits."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from time import monotonic

from tests.worker.asking import AT, HOSTILE, RULES, SLOW, SUM31, alive, code_of, positions_of, think
from zerosum.players import PLAYERS
from zerosum.rules.files import built_in
from zerosum.rules.schema import rules_to_dict
from zerosum.worker import process as worker_process
from zerosum.worker.client import WorkerClient
from zerosum.worker.errors import WorkerError


class TestTime:
    def test_a_hostile_game_is_refused_quickly_and_the_games_do_not_wait(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            await thinking.values(SUM31, AT)
            await thinking.check(rules_to_dict(RULES[-1]))
            began = monotonic()
            refused = asyncio.create_task(code_of(thinking.check(HOSTILE)))
            assert await refused == "too-large"
            assert monotonic() - began < 5

        think(talk)

    def test_the_games_are_answered_while_a_variant_is_thought_about(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            slow = asyncio.create_task(thinking.check(SLOW))
            answered = 0
            for position in positions_of(built_in("sequence-zero")):
                await thinking.values(rules_to_dict(position.rules), str(position))
                answered += not slow.done()
            assert answered > 5
            await slow

        think(talk)

    def test_the_loop_never_waits(self) -> None:
        async def talk(thinking: WorkerClient) -> list[float]:
            slow = asyncio.create_task(thinking.knowledge(SLOW))
            gaps, last = [], monotonic()
            while not slow.done():
                await asyncio.sleep(0.005)
                gaps.append(monotonic() - last)
                last = monotonic()
            await slow
            return gaps

        gaps = think(talk)
        assert len(gaps) > 50
        assert max(gaps) < 0.5

    def test_a_job_over_its_time_is_ended_and_the_next_is_answered(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            variant = rules_to_dict(RULES[-1])
            await thinking.check(variant)
            before = thinking.queues["variants"].pid
            began = monotonic()
            assert await code_of(thinking.check(SLOW)) == "thinking-too-long"
            assert 1 <= monotonic() - began < 10
            assert before is not None
            assert not alive(before)
            assert (await thinking.knowledge(variant))["words"]
            assert thinking.queues["variants"].pid not in (None, before)

        think(talk, seconds=1)

    def test_more_than_may_wait_are_turned_away_and_the_games_are_not(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            slow = []
            for n in range(3):
                slow.append(asyncio.create_task(thinking.check({**SLOW, "name": f"Slow {n}"})))
                await asyncio.sleep(0.1)
            assert thinking.queues["variants"].waiting == 2
            assert await code_of(thinking.check(HOSTILE)) == "busy"
            assert await thinking.values(SUM31, AT)
            await thinking.close()
            told = await asyncio.gather(*slow, return_exceptions=True)
            assert [one.code for one in told if isinstance(one, WorkerError)] == ["stopping"] * 3
            assert await code_of(thinking.check(SUM31)) == "stopping"

        think(talk, waiting=2)

    def test_a_burst_about_the_games_is_answered(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            asked = [thinking.choose(SUM31, PLAYERS.names[n % len(PLAYERS.names)], AT, str(n)) for n in range(300)]
            moves = await asyncio.gather(*asked)
            assert set(moves) <= {"+1", "+2", "+3", "+4", "+7"}

        think(talk)

    def test_who_goes_away_takes_nobody_along(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            slow = asyncio.create_task(thinking.check(SLOW))
            gone = asyncio.create_task(thinking.check(HOSTILE))
            await asyncio.sleep(0.3)
            slow.cancel()
            gone.cancel()
            told = await asyncio.gather(slow, gone, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in told)
            assert await code_of(thinking.knowledge(HOSTILE)) == "too-large"

        think(talk)


class TestDeath:
    def test_a_killed_process_is_begun_anew(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            position = None
            for position in positions_of(built_in("sum31"), 1):
                assert await thinking.values(SUM31, str(position))
                pid = thinking.queues["games"].pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
            assert position is not None
            assert (await thinking.knowledge(SUM31))["winner"] == 2

        think(talk)

    def test_a_process_killed_in_the_middle_of_a_thought_is_asked_again(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            asked = asyncio.create_task(thinking.knowledge(SLOW))
            while (pid := thinking.queues["variants"].pid) is None:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.7)
            assert not asked.done()
            os.kill(pid, signal.SIGKILL)
            assert (await asked)["game"] == "slow"
            assert thinking.queues["variants"].pid not in (None, pid)

        think(talk)

    def test_a_question_that_kills_twice_is_given_up(self) -> None:
        async def talk(thinking: WorkerClient) -> None:
            lane = thinking.queues["variants"]
            asked = asyncio.create_task(code_of(thinking.check(SLOW)))
            killed: set[int] = set()
            while not asked.done():
                await asyncio.sleep(0.01)
                if lane.pid is not None and lane.pid not in killed:
                    killed.add(lane.pid)
                    os.kill(lane.pid, signal.SIGKILL)
            assert await asked == "busy"
            assert len(killed) == 2
            assert (await thinking.knowledge(rules_to_dict(RULES[-1])))["words"]

        think(talk)

    def test_who_is_not_ended_by_others_ends_itself(self) -> None:
        question = json.dumps({"id": 1, "job": "check", "rules": SLOW}) + "\n"
        arguments = [str(0.5 - worker_process._GRACE), "0"]
        with subprocess.Popen(
            [sys.executable, "-m", "zerosum.worker.process", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == worker_process.READY
            process.stdin.write(question.encode())
            process.stdin.flush()
            assert process.wait(20) == -signal.SIGALRM

    def test_a_process_without_anybody_to_ask_ends(self) -> None:
        command = [sys.executable, "-m", "zerosum.worker.process", "10", "0"]
        done = subprocess.run(command, input=b"", capture_output=True, timeout=30, check=True)
        assert (done.stdout, done.stderr) == (worker_process.READY, b"")


def test_a_process_that_thinks_is_small_and_its_memory_bounded() -> None:
    code = """
import resource, sys
import zerosum.worker.process as worker_process
worker_process._bound_memory()
print(resource.getrlimit(resource.RLIMIT_AS)[0], *sorted(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    bound, *modules = done.stdout.split()
    assert int(bound) <= 1 << 30
    heavy = ("fastapi", "pydantic", "sqlalchemy", "structlog", "jinja2", "numpy", "click", "asyncio")
    assert [name for name in modules if name.split(".")[0] in heavy] == []
