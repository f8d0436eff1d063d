"""Work done in this process, for tests of what is done and not of where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

from zerosum.base.errors import ZerosumError
from zerosum.lab.batches import Row, skipped
from zerosum.lab.goals import Document, Goal


def inline(job: str, tasks: Sequence[str], patience: float | None = None) -> Iterator[Row]:  # noqa: ARG001 - like `evaluate`
    """Yield the row of each task."""
    module, _, name = job.partition(":")
    function = getattr(import_module(module), name)
    for at, task in enumerate(tasks):
        try:
            yield at, function(task)
        except ZerosumError as error:
            yield at, skipped(str(error))


def misses(goal: Goal, document: Document) -> list[str]:
    """Return the paths of the lines that a game does not meet."""
    return [bound.path for bound in goal.bounds if bound.distance(document) > 0]
