"""Planted: no match is ever too long, and no game too large to be tried."""

from __future__ import annotations

import time
from typing import Any

from tests.reliability.wrapped import patch
from zerosum.base import limits as rule_limits
from zerosum.server.worker import jobs
from zerosum.server.worker.client import WorkerClient
from zerosum.server.worker.job_table import Job

real = WorkerClient.ask


async def ask(self: WorkerClient, job: Job[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Think here, in the midst of all answers."""
    if job is jobs.check:
        time.sleep(1.5)
    return await real(self, job, *args, **kwargs)


def plant() -> None:
    patch(rule_limits, "MATCH_PLIES", 10_000)
    patch(WorkerClient, "ask", ask)
