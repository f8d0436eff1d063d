"""What a question can be answered with instead of an answer."""

from __future__ import annotations

from zerosum.base.errors import ZerosumError


class WorkerError(ZerosumError):
    """A question that got no answer. `code` is stable; `detail` says what happened and what to do."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(detail)
