"""A real Dask cluster of two worker processes: the same rows as on this machine, whatever happens to a worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Zerosum
from tests.lab.test_engine import JOB
from tests.patience import PATIENCE
from zerosum.lab import cluster as module
from zerosum.lab.batches import EngineError
from zerosum.lab.executors import Cluster, Local, MissingClusterError, evaluate
from zerosum.rules.game_files import load_game
from zerosum.rules.model import rules_to_dict

ROOT = Path(__file__).parent.parent.parent
METRICS = "zerosum.lab.metrics:metrics_job"
pytestmark = pytest.mark.slow

_CLUSTER = """
import sys
if __name__ == "__main__":
    import dask
    from distributed import LocalCluster
    dask.config.set({"distributed.scheduler.allowed-failures": 1, "distributed.worker.memory.terminate": 0.9})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=sys.argv[1]) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


class Running:
    """A cluster in a process of its own."""

    def __init__(self, folder: Path, memory: str = "1GiB") -> None:
        script = folder / "cluster.py"
        script.write_text(_CLUSTER)
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, str(script), memory], env=env, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        self.engine = Cluster(self.process.stdout.readline().strip())

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    one = Running(tmp_path_factory.mktemp("cluster"))
    yield one
    one.process.communicate("")


def rows(engine: Cluster | Local, tasks: list[dict[str, Any]], job: str = JOB) -> list[str]:
    found = dict(evaluate(job, [json.dumps(task) for task in tasks], engine, PATIENCE))
    return [found[at] for at in range(len(tasks))]


def test_nothing_to_do_needs_no_cluster() -> None:
    assert list(evaluate(JOB, [], Cluster("tcp://127.0.0.1:1"))) == []


def test_metrics_are_the_same_bytes_on_one_process_two_and_a_cluster(running: Running) -> None:
    sum31 = rules_to_dict(load_game("sum31"))
    games = [sum31 | {"target": target} for target in range(8, 23)]
    here = rows(Local(1), games, METRICS)
    assert rows(Local(2), games, METRICS) == here
    assert rows(running.engine, games, METRICS) == here


def test_a_worker_killed_midway_costs_nothing(running: Running, tmp_path: Path) -> None:
    tasks: list[dict[str, Any]] = [{"n": n, "wait": 0.01} for n in range(60)]
    tasks[30]["die once"] = str(tmp_path / "once")
    assert rows(running.engine, tasks) == [json.dumps({"n": n}) for n in range(60)]
    assert (tmp_path / "once").exists()


@pytest.mark.full
def test_a_search_answers_the_same_on_a_cluster_that_loses_a_worker(
    running: Running, zerosum: Zerosum, tmp_path: Path
) -> None:
    from distributed import Client  # noqa: PLC0415 - it takes seconds, and other tests need none of it

    def home(name: str) -> dict[str, str]:
        return {"ZEROSUM_HOME": str(tmp_path / name)}

    search = ("search", "docs/spaces/targets.toml", "--json")
    one, two = (zerosum(*search, "--jobs", n, env=home(n)).ok().json() for n in ("1", "2"))
    with Client(running.engine.address, timeout=PATIENCE) as client:  # type: ignore[no-untyped-call]
        processes = client.run(os.getpid)
        command = [*zerosum.command, *search, "--scheduler", running.engine.address]
        with subprocess.Popen(command, env={**os.environ, **home("cluster")}, stdout=subprocess.PIPE) as run:
            while not (busy := [worker for worker, tasks in client.processing().items() if tasks]):
                assert run.poll() is None
                time.sleep(0.01)
            os.kill(processes[busy[0]], signal.SIGKILL)
            out, _ = run.communicate(timeout=PATIENCE)
    assert {**json.loads(out), "seconds": 0} == {**one, "seconds": 0} == {**two, "seconds": 0}
    assert one["good"] > 0


@pytest.mark.full
def test_what_kills_every_worker_is_skipped_as_on_this_machine(running: Running) -> None:
    tasks: list[dict[str, Any]] = [{"n": n} for n in range(6)]
    tasks[3] = {"n": 3, "die": True}
    tasks[5] = {"n": 5, "refuse": "It has no end."}
    assert rows(running.engine, tasks) == rows(Local(2), tasks)


@pytest.mark.full
def test_a_worker_that_runs_out_of_memory_is_named_and_the_rest_is_done(tmp_path: Path) -> None:
    small = Running(tmp_path, "300MiB")
    tasks: list[dict[str, Any]] = [{"n": 0}, {"n": 1, "fill": True}, {"n": 2}]
    found = rows(small.engine, tasks)
    small.process.communicate("")
    assert "may have run out of memory" in json.loads(found[1])["skipped"]
    assert [found[0], found[2]] == ['{"n": 0}', '{"n": 2}']


def test_a_bug_is_raised_here(running: Running) -> None:
    with pytest.raises(RuntimeError, match="ours"):
        rows(running.engine, [{"n": 0, "bug": "ours"}])


def test_another_version_is_refused_before_anything_is_sent(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "__version__", "99.0")
    with pytest.raises(EngineError, match=r"has zerosum .*, and this is zerosum 99\.0; all workers need the same"):
        rows(running.engine, [{"n": 0}])


def test_no_scheduler_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CONNECT", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense", "http://x:y"):
        with pytest.raises(EngineError, match="No Dask scheduler answers at") as error:
            rows(Cluster(address), [{"n": 0}])
        assert "\n" not in str(error.value)


@pytest.mark.full
def test_a_scheduler_that_goes_away_leaves_what_came(tmp_path: Path) -> None:
    one = Running(tmp_path)
    tasks = [json.dumps({"n": n, "wait": 0.3}) for n in range(100)]
    arriving = evaluate(JOB, tasks, one.engine, PATIENCE)
    kept = [next(arriving) for _ in range(2)]
    os.kill(one.process.pid, signal.SIGKILL)
    with pytest.raises(EngineError, match="went away"):
        kept.extend(arriving)
    one.stop()
    assert all(json.loads(row) == {"n": at} for at, row in kept)


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zerosum.lab.cluster", None)
    with pytest.raises(MissingClusterError, match=r"zerosum\[cluster\]"):
        list(evaluate(JOB, ["{}"], Cluster("tcp://127.0.0.1:1")))
    assert MissingClusterError.exit_code == 2
