"""Many seeds: `make reliability` runs a thousand, on all processors."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.reliability.report import Harness, Report, Say, quietly, some

SEEDS = 1_000
COMMANDS = 1_000
SECONDS = 900


def run_seeds(seeds: range, commands: int = COMMANDS, say: Say = quietly, processes: int | None = None) -> Report:
    """Run seeds and return which of them are wrong, and how."""
    report = Report("sim", "simulation by seed")
    sent = acknowledged = events = 0
    began, virtual = time.monotonic(), 0.0
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        for seed, found in zip(seeds, pool.map(_run, seeds, [commands] * len(seeds), chunksize=4), strict=True):
            say(f"{seed - seeds.start} of {len(seeds)} seeds")
            wrong, counts, seconds = found
            report.broken += [f"seed {seed}: {one}" for one in wrong[:3]]
            sent, acknowledged, events = sent + counts[0], acknowledged + counts[1], events + counts[2]
            virtual += seconds
    report.check_time(time.monotonic() - began, SECONDS, "all seeds took")
    report.figures = {
        "seeds": len(seeds),
        "commands": sent,
        "acknowledged": acknowledged,
        "events": events,
        "hours of virtual time": f"{virtual / 3600:.1f}",
        "wrong": len(report.broken),
    }
    return report


def _run(seed: int, commands: int) -> tuple[list[str], tuple[int, int, int], float]:
    # Only in a process of its own: the simulation silences the log and sets the collector of garbage.
    from tests.simulation.run import simulate  # noqa: PLC0415

    try:
        found = simulate(seed, commands)
    except Exception as error:  # noqa: BLE001 - a seed that does not end is wrong too
        return [f"{type(error).__name__}: {error}"], (0, 0, 0), 0.0
    return found.wrong, (found.sent, found.acknowledged, found.events), found.seconds


def _full(say: Say) -> Iterator[Report]:
    yield run_seeds(range(some(SEEDS)), say=say)


HARNESSES: dict[str, Harness] = {"seeds": _full}
