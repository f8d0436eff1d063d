"""A run: play what is missing, write each pair to the log, and say how it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from time import monotonic

from zerosum.arena import limits
from zerosum.arena.pool import Line, engine_for, played
from zerosum.arena.run_folder import Run
from zerosum.arena.schedule import slot, total
from zerosum.arena.standing import Standing
from zerosum.base.runs import Log, Writer
from zerosum.lab.executors import Engine

Watch = Callable[[Standing, int], None]
"""Called with how a run stands, and how many pairs are in the log."""


def standing_of(run: Run, log: Log) -> Standing:
    """Return how a run stands by its log."""
    standing = Standing(run.plan)
    for line in log.read(sorted(log.at)):
        standing.hear(line)
    standing.settle()
    return standing


def play(run: Run, engine: Engine, watch: Watch = lambda _standing, _done: None) -> Standing:
    """Play the pairs of a run that are missing; return how it stands then."""
    log = run.log()
    with closing(Writer(log)) as writer:
        standing = standing_of(run, log)
        # Once an entrant is withdrawn its pairs are taken back, so what is handed out is looked at anew.
        while not standing.complete:
            _play_on(run, engine_for(engine), writer, standing, watch)
    return standing


def _play_on(run: Run, engine: Engine, writer: Writer, standing: Standing, watch: Watch) -> None:
    """Play until nothing is left, the test is decided, or another entrant is withdrawn."""
    together = all(one.is_policy for one in run.plan.entrants)
    numbers = [
        number
        for number in range(standing.heard + 1, total(run.plan) + 1)
        if number not in writer.log.at and not (standing.withdrawn and standing.is_void(slot(run.plan, number)))
    ]
    out = len(standing.withdrawn)
    unsynced: list[Line] = []
    since = monotonic()
    lines = played(run.plan, numbers, engine)
    try:
        for line in lines:
            unsynced.append(line)
            if together and monotonic() - since < limits.BATCH_SECONDS:
                continue
            _keep(unsynced, writer, standing)
            since = monotonic()
            watch(standing, len(writer.log.at))
            if standing.decided or len(standing.withdrawn) > out:
                return
    finally:
        lines.close()
        _keep(unsynced, writer, standing)


def _keep(lines: list[Line], writer: Writer, standing: Standing) -> None:
    batch = list(lines)
    lines.clear()  # first: whatever stops the writing, no line is written twice
    writer.append(batch)
    for _, body in batch:
        standing.hear(json.loads(body))
