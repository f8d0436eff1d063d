"""Processes of this machine: every task has its row, whatever happens to the process."""

from __future__ import annotations

import json
import multiprocessing
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
from zerosum.lab.batches import Batches, OutOfPatienceError, TaskBatch, within
from zerosum.lab.executors import Local, evaluate

JOB = "tests.lab.jobs:work"


def rows(tasks: list[dict[str, Any]], jobs: int = 2, patience: float | None = PATIENCE) -> list[Any]:
    """Return what became of tasks, in their order."""
    found = dict(evaluate(JOB, [json.dumps({"n": n, **task}) for n, task in enumerate(tasks)], Local(jobs), patience))
    assert sorted(found) == list(range(len(tasks)))
    return [json.loads(found[at]) for at in range(len(tasks))]


def test_nothing_to_do_starts_nothing() -> None:
    assert list(evaluate("no.such:job", [], Local(2))) == []


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_every_task_has_its_row(jobs: int) -> None:
    assert rows([{}] * 50, jobs) == [{"n": n} for n in range(50)]


def test_what_cannot_be_done_is_skipped_with_a_reason(tmp_path: Path) -> None:
    tasks: list[dict[str, Any]] = [{} for _ in range(12)]
    tasks[2] = {"refuse": "It has no end."}
    tasks[4] = {"memory": True}
    tasks[6] = {"die": True}
    tasks[8] = {"die once": str(tmp_path / "once")}
    found = rows(tasks)
    assert found.pop(6)["skipped"].startswith("every process that worked on it died")
    assert found.pop(4) == {"skipped": "it needs more memory than there is"}
    assert found.pop(2) == {"skipped": "It has no end."}
    assert found == [{"n": n} for n in range(12) if n not in {2, 4, 6}]


@pytest.mark.slow
def test_a_task_that_takes_too_long_is_skipped_and_the_next_is_not() -> None:
    assert rows([{"wait": 1e6}, {}, {}], 1, 3) == [{"skipped": "it took longer than 3 s"}, {"n": 1}, {"n": 2}]


@pytest.mark.parametrize("left_early", [False, True])
def test_nothing_is_left_of_the_pools(left_early: bool) -> None:
    """Python's exit used to meet the threads of pools as they ended, and failed."""
    processes, threads = set(multiprocessing.active_children()), set(threading.enumerate())
    tasks = [json.dumps({"n": n, **({"wait": 1e6} if left_early and n else {})}) for n in range(4)]
    with closing(evaluate(JOB, tasks, Local(2))) as found:
        assert next(found)[0] == 0 if left_early else len(list(found)) == len(tasks)
    assert set(multiprocessing.active_children()) <= processes
    assert set(threading.enumerate()) <= threads


def test_a_bug_in_a_job_is_not_taken_for_a_skipped_task() -> None:
    with pytest.raises(RuntimeError, match="ours"):
        rows([{"bug": "ours"}])


def test_patience_ends_work_and_leaves_nothing_behind() -> None:
    with pytest.raises(OutOfPatienceError):
        within(0.05, lambda: sum(n for n in iter(int, 1)))
    for _ in range(200):
        try:
            within(0.0005, lambda: sum(range(5_000)))
        except OutOfPatienceError:
            continue
    assert sum(range(100_000)) == 4_999_950_000
    assert within(None, lambda: 3) == within(PATIENCE, lambda: 3) == 3


def test_patience_holds_where_a_debugger_traces() -> None:
    """An exception that was taken back used to leave a traced thread in an endless loop of the interpreter."""
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        for _ in range(20):
            with pytest.raises(OutOfPatienceError):
                within(0.01, lambda: sum(n for n in iter(int, 1)))
    finally:
        sys.settrace(before)


def test_batches_grow_to_the_time_they_should_take_and_share_the_end() -> None:
    batches = Batches(1_000, 2, 0.25)
    sizes = []
    while (batch := batches.next()) is not None:
        sizes.append(len(batch.tasks))
        batches.took(batch, 0.01 * len(batch.tasks))
    assert sum(sizes) == 1_000
    assert sizes[:3] == [1, 4, 16]
    assert max(sizes) == 25
    assert sizes[-1] == 1


def test_a_deadly_batch_is_tried_again_then_one_by_one_then_given_up() -> None:
    batches = Batches(0, 1, 1.0)
    assert batches.died(TaskBatch((1, 2))) == []
    again = batches.next()
    assert again == TaskBatch((1, 2), 1)
    assert batches.died(again) == []
    assert [batches.next(), batches.next()] == [TaskBatch((1,)), TaskBatch((2,))]
    assert [at for at, _ in batches.died(TaskBatch((2,), 1))] == [2]
    assert batches.next() is None
