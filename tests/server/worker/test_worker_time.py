"""Worker processes: time, death, memory, and a loop that only waits."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.patience import PATIENCE
from tests.server.worker.asking import (
    AT,
    EXTRA,
    HOSTILE,
    RULES,
    SLOW,
    SUM31,
    alive,
    code_of,
    held,
    positions_of,
    queue_of,
    think,
    until_waiting,
)
from zerosum.jobs import game_jobs, quality_jobs
from zerosum.players import PLAYERS
from zerosum.rules.game_files import built_in
from zerosum.rules.model import rules_to_dict
from zerosum.server.worker import worker_process
from zerosum.server.worker.client import WorkerClient, WorkerError, WorkQueue


def work_of(pid: int | None) -> float:
    """Return the processor time that a process has needed, in seconds."""
    assert pid is not None
    return float(sum(psutil.Process(pid).cpu_times()[:2]))


class TestTime:
    def test_a_hostile_game_is_refused_for_little_more_work_than_starting_is(self) -> None:
        async def talk(client: WorkerClient) -> None:
            await client.ask(game_jobs.check, rules_to_dict(RULES[-1]))
            pid = client.queues["variants"].pid
            started = work_of(pid)
            assert await code_of(client.ask(game_jobs.check, HOSTILE)) == "too-large"
            assert client.queues["variants"].pid == pid
            # The solver counts what can be reached up to a bound; anything without a bound is far beyond this.
            assert work_of(pid) < 10 * started

        think(talk)

    def test_the_games_are_answered_while_a_variant_takes_long(self, tmp_path: Path) -> None:
        async def talk(client: WorkerClient) -> None:
            slow = await held(client.queues["variants"], tmp_path / "gate")
            for position in positions_of(built_in("sequence-zero")):
                assert await client.ask(game_jobs.values, rules_to_dict(position.rules), str(position))
            assert not slow.answer.done()
            slow.let_go()
            await slow.answer

        think(talk)

    def test_variants_are_answered_while_a_game_is_measured(self, tmp_path: Path) -> None:
        async def talk(client: WorkerClient) -> None:
            slow = await held(client.queues["measures"], tmp_path / "gate")
            measured = asyncio.create_task(client.ask(quality_jobs.quality, rules_to_dict(RULES[-1])))
            await until_waiting(client.queues["measures"], 1)
            await client.ask(game_jobs.check, rules_to_dict(RULES[-1]))
            assert not measured.done()
            measured.cancel()
            slow.let_go()
            await slow.answer

        think(talk)

    def test_the_loop_only_waits(self) -> None:
        """The work is done by the process; beside it, the loop goes on."""

        async def talk(queue: WorkQueue) -> None:
            await queue.ask({"job": "echo", "word": ""})
            theirs, ours, turns = work_of(queue.pid), time.process_time(), 0
            slow = asyncio.create_task(queue.ask({"job": "spin", "seconds": 0.5}))
            while not slow.done():
                await asyncio.sleep(0.005)
                turns += 1
            assert json.loads(await slow)["answer"] is None
            assert turns > 10
            assert time.process_time() - ours < (work_of(queue.pid) - theirs) / 2

        queue_of(talk)

    def test_a_job_over_its_time_is_ended_and_the_next_is_answered(self, tmp_path: Path) -> None:
        async def talk(queue: WorkQueue) -> None:
            before = json.loads(await queue.ask({"job": "echo", "word": ""}))["answer"]["pid"]
            began, queue._seconds = time.monotonic(), 1  # for this one alone: any other may take its time
            assert await code_of(queue.ask({"job": "hold", "gate": str(tmp_path / "never")})) == "thinking-too-long"
            assert time.monotonic() - began >= 1
            assert not alive(before)
            queue._seconds = PATIENCE
            assert json.loads(await queue.ask({"job": "echo", "word": ""}))["answer"]["pid"] not in (None, before)

        queue_of(talk)

    def test_more_than_may_wait_are_turned_away_and_the_games_are_not(self, tmp_path: Path) -> None:
        async def talk(client: WorkerClient) -> None:
            queue = client.queues["variants"]
            busy = await held(queue, tmp_path / "gate")
            waiting = [
                asyncio.create_task(client.ask(game_jobs.check, {**SLOW, "name": f"Slow {n}"})) for n in range(2)
            ]
            await until_waiting(queue, 2)
            assert await code_of(client.ask(game_jobs.check, HOSTILE)) == "busy"
            assert await client.ask(game_jobs.values, SUM31, AT)
            await client.close()
            told = await asyncio.gather(busy.answer, *waiting, return_exceptions=True)
            assert [one.code for one in told if isinstance(one, WorkerError)] == ["stopping"] * 3
            assert await code_of(client.ask(game_jobs.check, SUM31)) == "stopping"

        think(talk, waiting=2)

    def test_a_burst_about_the_games_is_answered(self) -> None:
        async def talk(client: WorkerClient) -> None:
            asked = [
                client.ask(game_jobs.choose, SUM31, PLAYERS.names[n % len(PLAYERS.names)], AT, str(n))
                for n in range(300)
            ]
            moves = await asyncio.gather(*asked)
            assert set(moves) <= {"+1", "+2", "+3", "+4", "+7"}

        think(talk)


class TestDeath:
    def test_a_killed_process_is_begun_anew(self) -> None:
        async def talk(client: WorkerClient) -> None:
            position = None
            for position in positions_of(built_in("sum31"), 1):
                assert await client.ask(game_jobs.values, SUM31, str(position))
                pid = client.queues["games"].pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
            assert position is not None
            assert (await client.ask(game_jobs.knowledge, SUM31))["winner"] == 2

        think(talk)

    def test_a_process_killed_in_the_middle_of_a_job_is_asked_again(self, tmp_path: Path) -> None:
        async def talk(queue: WorkQueue) -> None:
            busy = await held(queue, tmp_path / "gate")
            assert queue.pid == busy.pid
            os.kill(busy.pid, signal.SIGKILL)
            busy.let_go()
            assert json.loads(await busy.answer)["answer"] is None
            assert queue.pid not in (None, busy.pid)

        queue_of(talk)

    def test_a_question_that_kills_twice_is_given_up(self, tmp_path: Path) -> None:
        async def talk(queue: WorkQueue) -> None:
            asked = asyncio.create_task(code_of(queue.ask({"job": "hold", "gate": str(tmp_path / "never")})))
            killed: set[int] = set()
            while not asked.done():
                await asyncio.sleep(0.005)
                if queue.pid is not None and queue.pid not in killed:
                    killed.add(queue.pid)
                    os.kill(queue.pid, signal.SIGKILL)
            assert await asked == "busy"
            assert len(killed) == 2
            assert await queue.ask({"job": "echo", "word": ""})

        queue_of(talk)

    def test_who_is_not_ended_by_others_ends_itself(self, tmp_path: Path) -> None:
        question = json.dumps({"id": 1, "job": "hold", "gate": str(tmp_path / "never")}) + "\n"
        arguments = [str(0.5 - worker_process._GRACE), "0", EXTRA]
        with subprocess.Popen(
            [sys.executable, "-m", "zerosum.server.worker.worker_process", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == worker_process.READY
            process.stdin.write(question.encode())
            process.stdin.flush()
            assert process.wait(PATIENCE) == -signal.SIGALRM

    def test_a_process_without_anybody_to_ask_ends(self) -> None:
        command = [sys.executable, "-m", "zerosum.server.worker.worker_process", "10", "0"]
        done = subprocess.run(command, input=b"", capture_output=True, timeout=PATIENCE, check=True)
        assert (done.stdout, done.stderr) == (worker_process.READY, b"")


def test_a_process_that_thinks_is_small_and_its_memory_bounded() -> None:
    code = """
import resource, sys
import zerosum.server.worker.worker_process as worker_process
worker_process._bound_memory()
print(resource.getrlimit(resource.RLIMIT_AS)[0], *sorted(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    bound, *modules = done.stdout.split()
    assert int(bound) <= 1 << 30
    heavy = ("fastapi", "pydantic", "sqlalchemy", "structlog", "jinja2", "numpy", "click", "asyncio")
    assert [name for name in modules if name.split(".")[0] in heavy] == []
