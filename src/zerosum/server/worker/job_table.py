"""The table of jobs: which questions a worker process can answer. Rooms above add their own.

A job is a function whose keyword arguments are the members of a question and whose result can be written as JSON. A
module that registers jobs when it is imported is named to the process that is to answer them:

    WorkerClient(modules=("zerosum.server.worker.jobs", "zerosum.server.worker.lab_jobs"))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

Job = Callable[..., object]
J = TypeVar("J", bound=Job)

JOBS: Final[dict[str, Job]] = {}
"""Every job by its name."""


def job(name: str) -> Callable[[J], J]:
    """Register a function as the job of this name."""

    def register(function: J) -> J:
        if JOBS.setdefault(name, function) is not function:
            raise ValueError(f"there are two jobs called {name!r}")
        return function

    return register
