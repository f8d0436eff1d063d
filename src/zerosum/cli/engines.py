"""Options of commands that look at many games: where the work is done, and how long one game may take."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final

import click

from zerosum.lab.executors import Cluster, Engine, Local

PATIENCE: Final = 10.0
_MOST_JOBS: Final = 256


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--jobs` and `--scheduler`; `engine_of` reads them."""
    jobs = click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(1, _MOST_JOBS),
        help="Processes on this machine.  [default: one for each core]",
    )
    scheduler = click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler that runs already.")
    return jobs(scheduler(command))


def engine_of(jobs: int | None, scheduler: str | None) -> Engine:
    """Return where the work is done."""
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other: a cluster has its own workers.")
    if scheduler is not None:
        return Cluster(scheduler)
    return Local(jobs or _cores())


def _cores() -> int:
    """Return how many processes can work at once; a container may have fewer cores than its machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


patience_option: Callable[[Any], Any] = click.option(
    "--patience",
    metavar="S",
    type=click.FloatRange(0.1, 86_400),
    default=PATIENCE,
    show_default=True,
    help="Seconds that one game may take; one that takes longer is skipped.",
)
