"""The worker as the server asks it: its errors are the server's problems."""

from __future__ import annotations

from typing import Any

from zerosum.server.domain.problems import Problem
from zerosum.worker.client import WorkerClient
from zerosum.worker.errors import WorkerError


class ServerWorker(WorkerClient):
    """A worker client that raises `Problem`; the codes are the same."""

    async def _answered(self, queue: str, job: str, **arguments: object) -> tuple[bytes, Any]:
        try:
            return await super()._answered(queue, job, **arguments)
        except WorkerError as error:
            raise Problem(error.code, error.detail) from None
