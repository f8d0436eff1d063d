"""The lab: metrics, screening, processes, a cluster, and a second run that finds everything kept.

`python -m benchmarks.lab --quick` leaves out what takes minutes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from benchmarks.measure import PYTHON, at_least, at_most, best
from zerosum.lab.executors import Cluster, Engine, Local, crew
from zerosum.lab.fingerprint import fingerprint
from zerosum.lab.metrics import metrics, opening_metrics, screen
from zerosum.lab.store import open_store
from zerosum.lab.stored_metrics import fact_of
from zerosum.players.ladder import ladder_of
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Rules
from zerosum.rules.rules_dict import rules_from_dict, rules_to_dict
from zerosum.solver import graph, solve

_PLIES, _SHARE = (7, 11), (0.3, 0.6)
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
            ladder = best(partial(ladder_of, rules), times)
            seconds = best(partial(metrics, rules), times)
            at_most(f"{rules.id}, metrics, {way} ({seconds:.2f} s)", seconds / ladder, 5, "ladder_of")
    games = _space()
    began = time.perf_counter()
    for rules in games:
        solve(rules)
    bare = time.perf_counter() - began
    began = time.perf_counter()
    looked = sum(_screened(rules) for rules in games)
    seconds = time.perf_counter() - began
    what = f"screening {len(games)} games, {looked} of them closely ({1000 * seconds / len(games):.1f} ms each)"
    at_most(what, seconds / bare, 3, "bare solves")
    _second_run(games[:60])
    _engines(games, 4 if quick else 24)


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
        screen(rules)
    return near


def _second_run(games: Sequence[Rules]) -> None:
    """Measure games and keep what was found; then the same once more."""

    def run(home: Path) -> float:
        began = time.perf_counter()
        with open_store(home) as store:
            names = {fingerprint(rules): rules for rules in games}
            kept = store.facts("screen", names)
            new = {name: fact_of(screen(rules), rules) for name, rules in names.items() if name not in kept}
            store.keep("screen", new)
        return time.perf_counter() - began

    with tempfile.TemporaryDirectory() as folder:
        first, second = run(Path(folder)), run(Path(folder))
    at_most(f"a second run of {len(games)} games ({1000 * second:.0f} ms)", second / first, 0.1, "the first")


def _engines(games: Sequence[Rules], rounds: int) -> None:
    """Measure the same games by one process, by two, and by a cluster of two workers."""
    tasks = [json.dumps(rules_to_dict(rules)) for rules in games] * rounds
    one = _seconds(Local(1), tasks)
    two = _seconds(Local(2), tasks)
    at_least(f"{len(tasks):,} games, two processes ({two:.1f} s)", one / two, 1.6, "one process")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "cluster.py"
        script.write_text(_CLUSTER)
        command = [PYTHON, str(script)]
        with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True) as process:
            if process.stdout is None:
                raise RuntimeError("no output")
            cluster = _seconds(Cluster(process.stdout.readline().strip()), tasks)
            process.communicate("")
    at_most(f"{len(tasks):,} games, a Dask cluster of two workers ({cluster:.1f} s)", cluster / two, 1.3, "--jobs 2")


def _seconds(engine: Engine, tasks: Sequence[str]) -> float:
    """Return how long tasks take once the processes or the connection are up."""
    with crew(engine) as work:
        warm: Callable[[Sequence[str]], object] = lambda some: list(work("screen", some, None))  # noqa: E731 - twice
        warm(tasks[:4])
        began = time.perf_counter()
        # A cluster remembers what it was asked, so the tasks of a round differ from those of the one before.
        warm([f"{task} {' ' * n}" for n, task in enumerate(tasks)])
        return time.perf_counter() - began


if __name__ == "__main__":
    main()
