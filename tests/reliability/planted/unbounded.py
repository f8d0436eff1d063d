"""Planted: no match is ever too long, and no game too large to be tried."""

from __future__ import annotations

import time
from typing import Any

from tests.reliability.wrapped import patch
from zerosum.base import limits as rule_limits
from zerosum.server.worker.client import WorkerClient

real = WorkerClient.check


async def check(self: WorkerClient, rules: dict[str, Any]) -> None:
    """Think here, in the midst of all answers."""
    time.sleep(1.5)
    await real(self, rules)


def plant() -> None:
    patch(rule_limits, "MATCH_PLIES", 10_000)
    patch(WorkerClient, "check", check)
