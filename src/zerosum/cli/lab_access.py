"""The store of the lab, as commands use it: where it only saves time, a command does without one that is unusable.

Options of commands that look at many games: where the work is done, and how long one game may take.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from zerosum.base.progress import Progress, silent
from zerosum.cli.user_data import home
from zerosum.lab.executors import Cluster, Engine, Local
from zerosum.lab.lab_json import Metrics
from zerosum.lab.metrics import measure
from zerosum.lab.store import Store, StoreError, open_store
from zerosum.lab.stored_metrics import keep_metrics, keep_odds, read_metrics, read_odds
from zerosum.players.odds import Odds, Pairing, certain, odds_from
from zerosum.rules.model import Rules
from zerosum.rules.position import Position

PATIENCE: Final = 10.0
_MOST_JOBS: Final = 256


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--jobs` and `--scheduler`; `engine_from_options` reads them."""
    jobs = click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(1, _MOST_JOBS),
        help="Processes on this machine.  [default: one for each core]",
    )
    scheduler = click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler that runs already.")
    return jobs(scheduler(command))


def engine_from_options(jobs: int | None, scheduler: str | None) -> Engine:
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


_T = TypeVar("_T")
_said: list[str] = []


def user_store() -> Store:
    """Open the store of this user."""
    return open_store(Path(home()))


def with_store(work: Callable[[Store], _T]) -> _T | None:
    """Do work with the store; None where it cannot be used, which is said once."""
    try:
        with user_store() as store:
            return work(store)
    except StoreError as error:
        if not _said:
            _said.append(str(error))
            sys.stderr.write(f"{error} Going on without it.\n")
        return None


def cached_odds(start: Position, pairings: Sequence[Pairing], progress: Progress = silent) -> Odds:
    """Return the exact chances of each pairing from the start of a game; only what is not kept yet is computed."""
    rules = start.rules
    found = {pairing: chance for pairing in pairings if (chance := certain(start, pairing)) is not None}
    missing = [pairing for pairing in dict.fromkeys(pairings) if pairing not in found]
    if not missing:
        return Odds(found)
    kept = with_store(lambda store: read_odds(store, rules, missing)) or Odds({})
    missing = [pairing for pairing in missing if pairing not in kept.first_wins]
    if missing:
        new = odds_from(start, missing, progress)
        with_store(lambda store: keep_odds(store, rules, new))
        kept = Odds(kept.first_wins | new.first_wins, new.error)
    every = kept.first_wins | found
    return Odds({pairing: every[pairing] for pairing in pairings}, kept.error)


def cached_metrics(rules: Rules) -> Metrics:
    """Return the metrics of a game, measured only if they are not kept yet."""
    kept = with_store(lambda store: read_metrics(store, rules))
    if kept is not None:
        return kept
    document, odds = measure(rules)
    with_store(lambda store: keep_metrics(store, rules, document, odds))
    return document
