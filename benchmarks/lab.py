"""The lab: metrics, screening, a repair, processes, a cluster, and a second run that finds everything kept.

Times are of the processor, so what else runs on the machine does not count. `--quick` leaves out what takes minutes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path
from random import Random

from benchmarks.measure import PYTHON, at_least, at_most, best
from zerosum.lab.executors import Cluster, Engine, Local, crew
from zerosum.lab.metrics import MANY, evenness, metrics, opening_metrics
from zerosum.lab.store import fact_of, open_store
from zerosum.players.odds import ladder_of
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Overshoot, Reaching, Rules, rules_from_dict, rules_to_dict
from zerosum.solver import graph, solve
from zerosum.solver.fingerprint import fingerprint

_FERRY = "docs/variants/ferry.toml"
_METRICS = "zerosum.lab.metrics:metrics_job"
_PLIES, _SHARE = (7, 13), (0.2, 0.6)
"""What the goal `standard` asks before a game is looked at closely."""
_CLUSTER = """
import sys
if __name__ == "__main__":
    from distributed import LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


def main() -> None:
    """Print every ratio with its bound."""
    quick = "--quick" in sys.argv
    for game in ("sum31", "docs/variants/countdown.toml", "zero-sum-duel", *(() if quick else ("sequence-zero",))):
        rules = load_game(game)
        times = 1 if game == "sequence-zero" else 3
        for way, least in (("plain", 1 << 60), ("NumPy", 0)):
            graph.NUMPY_FROM = least  # type: ignore[misc] # only here
            ladder = best(partial(ladder_of, rules), times, time.process_time)
            seconds = best(partial(metrics, rules), times, time.process_time)
            at_most(f"{rules.id}, metrics, {way} ({seconds:.2f} s)", seconds / ladder, 5, "ladder_of")
    graph.NUMPY_FROM = 3_000  # type: ignore[misc] # as it was
    _full_metrics(100 if quick else 1_000)
    _repair()
    games = _space()
    looked = sum(map(_screened, games))  # loads NumPy
    bare = best(lambda: [solve(rules) for rules in games], clock=time.process_time)
    seconds = best(lambda: sum(map(_screened, games)), clock=time.process_time)
    what = f"screening {len(games)} games, {looked} of them closely ({1000 * seconds / len(games):.1f} ms each)"
    at_most(what, seconds / bare, 3, "bare solves")
    _second_run(games[:60])
    _engines(games, 4 if quick else 24)


def _full_metrics(count: int) -> None:
    """Measure games with one total and 8 to 12 numbers, as a search does."""
    games = list(islice(_drawn(), count))
    metrics(games[0], numpy_from=MANY)  # loads NumPy
    began = time.process_time()
    positions = sum(metrics(rules, numpy_from=MANY)["graph"]["positions"] for rules in games)
    seconds = time.process_time() - began
    what = f"{count:,} games of {positions / count:,.0f} positions, full metrics ({1000 * seconds / count:.0f} ms each)"
    at_least(what, count / seconds, 16, "a second and core")


def _drawn() -> Iterator[Rules]:
    """Yield games such as a designer would write: a pool with some negative numbers, a target within reach."""
    dice = Random(19)
    while True:
        size = dice.randint(8, 12)
        pool = sorted(dice.choices([n for n in range(-4, 13) if n], k=size))
        target = dice.randint(10, 45)
        if not target < sum(n for n in pool if n > 0):
            continue
        yield Rules(
            id="drawn",
            name="Drawn",
            pool=tuple(pool),
            target=target,
            overshoot=Overshoot.LOSES,
            reaching=dice.choice(list(Reaching)),
            swap=dice.random() < 1 / 4,
        )


def _repair() -> None:
    """Repair a game by the command, in a store that is empty."""
    with tempfile.TemporaryDirectory() as folder:
        command = (PYTHON, "-m", "zerosum", "repair", _FERRY, "--goal", "open", "--cost", "1", "--json")
        before = _children()
        subprocess.run(command, env={**os.environ, "ZEROSUM_HOME": folder}, stdout=subprocess.DEVNULL, check=True)
        seconds = _children() - before
    at_most(f"repair of the Ferry at cost 1 ({seconds:.2f} s of processor time)", seconds / 1.5, 1, "1.5 s")


def _children() -> float:
    """Return the processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _space() -> list[Rules]:
    """Return the games of a space like that of a search: pools of up to 10 numbers, targets, two rules."""
    base = rules_to_dict(load_game("sum31"))
    pools = [list(range(1, 9)), list(range(1, 11)), [1, 2, 3, 5, 8, 9, 11]]
    targets = range(9, 45, 4)
    words = product(pools, targets, ("wins", "loses"), ("loses", "play-on"))
    return [
        rules_from_dict(base | {"pool": pool, "target": target, "reaching": reaching, "overshoot": overshoot})
        for pool, target, reaching, overshoot in words
    ]


def _screened(rules: Rules) -> bool:
    """Look at a game as a search does: closely only if its value and openings are within the goal."""
    found = opening_metrics(rules)
    plies, share = found["value"]["plies"] or 0, found["openings"]["share"]
    near = _PLIES[0] <= plies <= _PLIES[1] and _SHARE[0] <= share <= _SHARE[1]
    if near:
        evenness(rules, numpy_from=MANY)
    return near


def _second_run(games: Sequence[Rules]) -> None:
    """Measure games and keep what was found; then the same once more."""

    def run(home: Path) -> float:
        began = time.process_time()
        with open_store(home) as store:
            names = {fingerprint(rules): rules for rules in games}
            kept = store.facts("metrics", names)
            new = {name: fact_of(metrics(rules), rules) for name, rules in names.items() if name not in kept}
            store.keep("metrics", new)
        return time.process_time() - began

    with tempfile.TemporaryDirectory() as folder:
        first, second = run(Path(folder)), run(Path(folder))
    at_most(f"a second run of {len(games)} games ({1000 * second:.0f} ms)", second / first, 0.1, "the first")


def _engines(games: Sequence[Rules], rounds: int) -> None:
    """Measure the same games by one process, by two, and by a cluster of two workers."""
    tasks = [json.dumps(rules_to_dict(rules)) for rules in games] * rounds
    one, two = _seconds(Local(1), tasks), _seconds(Local(2), tasks)
    at_most(f"{len(tasks):,} games, two processes ({two:.1f} s of processor time)", two / one, 1.25, "one process")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "cluster.py"
        script.write_text(_CLUSTER)
        command = [PYTHON, str(script)]
        with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True) as process:
            if process.stdout is None:
                raise RuntimeError("no output")
            cluster = _seconds(Cluster(process.stdout.readline().strip()), tasks)
            process.communicate("")
    what = f"{len(tasks):,} games, a Dask cluster of two workers ({cluster:.1f} s of processor time)"
    at_most(what, cluster / two, 1.3, "--jobs 2")


def _seconds(engine: Engine, tasks: Sequence[str]) -> float:
    """Return the processor time that tasks take, here and in the workers, once these are up."""
    with crew(engine) as work:
        warm: Callable[[Sequence[str]], object] = lambda some: list(work(_METRICS, some, None))  # noqa: E731 - twice
        warm(tasks[:8])
        began = _used_below(os.getpid())
        # A cluster remembers what it was asked, so the tasks of a round differ from those of the one before.
        warm([f"{task} {' ' * n}" for n, task in enumerate(tasks)])
        return _used_below(os.getpid()) - began


def _used_below(pid: int) -> float:
    """Return the processor time of a process and of all below it that run."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    children = [one for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()]
    return own + sum(_used_below(int(child)) for child in children)


if __name__ == "__main__":
    main()
