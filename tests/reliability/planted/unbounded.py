"""Planted: no match is ever too long, and no game too large to be tried."""

from __future__ import annotations

import time
from typing import Any

from tests.reliability.wrapped import patch
from zerosum.base import limits as rule_limits
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import Job
from zerosum.server.worker.client import WorkerClient

real = WorkerClient.ask


async def ask(self: WorkerClient, job: Job[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Think here, in the midst of all answers."""
    if job is game_jobs.check:
        time.sleep(1.5)
    return await real(self, job, *args, **kwargs)


def plant() -> None:
    patch(rule_limits, "MATCH_PLIES", 10_000)
    patch(WorkerClient, "ask", ask)
