"""The worker as the server asks it: its errors are the server's problems."""

from __future__ import annotations

from typing import Any

from zerosum.rules.rules_dict import RulesDict
from zerosum.server.domain.problems import Problem
from zerosum.server.worker.client import MODULES, WorkerClient, WorkerError
from zerosum.server.worker.lab_jobs import MODULE, QualityDocument, RepairsDocument


class ServerWorker(WorkerClient):
    """A worker client that raises `Problem`, with the same codes, and that knows the lab's questions too."""

    def __init__(self) -> None:
        super().__init__(modules=(*MODULES, MODULE))

    async def quality(self, rules: RulesDict) -> QualityDocument:
        """Return the findings and figures of a game."""
        document: QualityDocument = await self._recall(rules, "quality")
        return document

    async def repairs(self, rules: RulesDict) -> RepairsDocument:
        """Return the cheapest changes that make a game a good one."""
        document: RepairsDocument = await self._recall(rules, "repairs")
        return document

    async def _answered(self, queue: str, job: str, **arguments: object) -> tuple[bytes, Any]:
        try:
            return await super()._answered(queue, job, **arguments)
        except WorkerError as error:
            raise Problem(error.code, error.detail) from None
