"""Runs as a user meets them: killed, interrupted, on several processes, on a cluster; always the same report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.arena.entrants.processes import gone
from tests.arena.killed import COMMAND, killed, records, whole
from tests.arena.runs import bot, settled
from tests.full import part
from tests.lab.test_cluster import Running
from tests.patience import PATIENCE
from zerosum.arena.arena_page import page
from zerosum.arena.arena_report import report_of
from zerosum.arena.arena_run import play_run
from zerosum.base.documents import to_json
from zerosum.lab.executors import Engine, Local

pytestmark = pytest.mark.slow


def told(folder: Path, engine: Engine, *entrants: str, pairs: int, sprt: list[float] | None = None) -> tuple[str, str]:
    """Return a report as JSON and as a page."""
    more = {} if sprt is None else {"sprt": sprt}
    run = settled(folder, *entrants, pairs=pairs, **more)
    play_run(run, engine)
    report = report_of(run)
    return json.dumps(to_json(report)), page(report)


def test_kills_cost_nothing() -> None:
    killed(part(2, 10), 13).hold()


def test_one_process_or_four_the_same_bytes(tmp_path: Path) -> None:
    levels = ("level:6", "level:4")
    one = told(tmp_path / "1", Local(1), *levels, pairs=400)
    assert told(tmp_path / "4", Local(4), *levels, pairs=400) == one
    beside = (bot(tmp_path), "level:4")
    assert told(tmp_path / "b4", Local(4), *beside, pairs=8) == told(tmp_path / "b1", Local(1), *beside, pairs=8)


@pytest.mark.full
def test_a_test_is_decided_alike_whoever_plays_it(tmp_path: Path) -> None:
    levels = ("level:6", "level:4")
    one = told(tmp_path / "1", Local(1), *levels, pairs=2_000, sprt=[0, 50])
    assert told(tmp_path / "2", Local(2), *levels, pairs=2_000, sprt=[0, 50]) == one


@pytest.mark.full
def test_a_cluster_whose_worker_is_killed_gives_the_same_bytes(tmp_path: Path) -> None:
    running = Running(tmp_path)
    try:
        levels = ("level:6", "level:4")
        expected = told(tmp_path / "here", Local(1), *levels, pairs=3_000)
        run = settled(tmp_path / "there", *levels, pairs=3_000)
        shot: list[int] = []

        def shoot(_standing: object, done: int) -> None:
            if done > 200 and not shot:
                below = psutil.Process(running.process.pid).children(recursive=True)
                workers = [one.pid for one in below if any("spawn_main" in part for part in one.cmdline())]
                shot.append(workers[-1])
                os.kill(workers[-1], signal.SIGKILL)

        play_run(run, running.engine, shoot)
        report = report_of(run)
        assert shot
        assert (json.dumps(to_json(report)), page(report)) == expected
        beside = (bot(tmp_path), "level:4")
        assert told(tmp_path / "bc", running.engine, *beside, pairs=6) == told(
            tmp_path / "b", Local(1), *beside, pairs=6
        )
    finally:
        running.process.communicate("")


def test_ctrl_c_ends_at_once_leaves_no_bot_and_can_be_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [COMMAND, "arena", "match", bot(tmp_path), "level:5", "--game", "sum31", "--pairs", "40", "--json"]
    command += ["--output", str(folder), "--resume"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    log = folder / "pairs.log"
    deadline = time.monotonic() + PATIENCE
    while not (log.exists() and log.read_bytes().count(b"\n") > 3) and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert b"with --resume goes on" in err
    assert gone(str(tmp_path / "Middle.py"))
    halfway = subprocess.run([COMMAND, "arena", "report", str(folder), "--json"], capture_output=True, check=False)
    assert halfway.returncode == 3
    assert json.loads(halfway.stdout)["complete"] is False
    assert whole(folder) == whole(tmp_path / "other")
    assert records(folder) == records(tmp_path / "other")
