"""The table of jobs: open to rooms above, and one meaning for each name."""

from __future__ import annotations

import json

import pytest

from tests.server.worker.asking import EXTRA, SUM31, queue_of, think
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import JOBS, job
from zerosum.server.worker.client import WorkerClient, WorkQueue


def test_the_questions_about_games_are_jobs() -> None:
    assert {"check", "choose", "values", "analyze", "hint", "reason", "review", "puzzles", "knowledge"} <= set(JOBS)


def test_two_jobs_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(JOBS, "new", raising=False)

    def first() -> None: ...

    def second() -> None: ...

    first.__name__ = second.__name__ = "new"
    made = job()(first)
    assert made.function is first
    assert job()(first) == made, "a module may be imported again"
    with pytest.raises(ValueError, match="there are two jobs called 'new'"):
        job()(second)
    second.__name__ = "check"
    with pytest.raises(ValueError, match="'check'"):
        job()(second)
    assert JOBS["new"] is made
    assert JOBS["check"] is game_jobs.check
    monkeypatch.delitem(JOBS, "new")


def test_a_process_answers_the_jobs_of_the_modules_that_it_is_told() -> None:
    async def talk(client: WorkerClient) -> None:
        queue = client.queues["games"]
        found = json.loads(await queue.ask({"job": "echo", "word": "here"}))["answer"]
        assert found == {"word": "here", "pid": queue.pid}
        await client.ask(game_jobs.check, SUM31)

    think(talk)


def test_a_process_knows_no_other_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.server.worker.asking.EXTRA", "zerosum.jobs.game_jobs")
    assert EXTRA != "zerosum.jobs.game_jobs"

    async def talk(queue: WorkQueue) -> None:
        assert json.loads(await queue.ask({"job": "echo", "word": ""}))["problem"]["code"] == "internal"
        assert json.loads(await queue.ask({"job": "check", "rules": SUM31})) == {"id": 2, "answer": None}

    queue_of(talk)
