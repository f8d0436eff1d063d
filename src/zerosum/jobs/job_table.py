"""The table of jobs: every question about games that a worker process answers.

A job is a function whose arguments can be written as JSON, and whose result `to_json` can. The decorator `job` makes an
entry of the table: the process calls its function, `WorkerClient.ask` sends its arguments, and the server charges its
cost.

    options = await client.ask(jobs.values, rules_to_dict(rules), "1,2,3,4,7 28 1")

Modules of jobs are imported by the process (`WorkerClient(modules=...)`). None of them needs what a server
needs, so that a worker process stays small.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, ParamSpec, TypeVar

from zerosum.base import errors
from zerosum.rules.position import IllegalMoveError
from zerosum.solver import SolverError, TooLargeError

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_RECORD_CHARACTERS: Final = 1_000
_SMALLER: Final = "Use a smaller pool or smaller numbers."


@dataclass(frozen=True, slots=True)
class Job(Generic[P, T_co]):
    """A question that a worker process can answer."""

    name: str
    function: Callable[P, T_co]
    cost: int
    """How many questions it counts as for a caller with a budget."""
    by_length: bool
    """Whether a long record counts as more."""
    remembered: bool
    """Whether the same question always has the same answer, which the client then remembers."""
    free_again: bool
    """Whether an answer that is remembered costs nothing."""
    measures: bool
    """Whether it measures a game, which takes seconds; a process of its own answers."""
    _signature: inspect.Signature = field(repr=False)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co:
        """Answer the question here and now."""
        return self.function(*args, **kwargs)

    def arguments(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        """Return the arguments by name."""
        return dict(self._signature.bind(*args, **kwargs).arguments)

    def price(self, *args: P.args, **kwargs: P.kwargs) -> int:
        """Return how many questions this one counts as."""
        if not self.by_length:
            return self.cost
        return self.cost * (1 + len(self.arguments(*args, **kwargs)["record"]) // _RECORD_CHARACTERS)


JOBS: Final[dict[str, Job[..., object]]] = {}
"""Every job by its name."""


def job(
    *, cost: int = 1, by_length: bool = False, remembered: bool = True, free_again: bool = False, measures: bool = False
) -> Callable[[Callable[P, T]], Job[P, T]]:
    """Register a function as the job of its name."""

    def register(function: Callable[P, T]) -> Job[P, T]:
        name = function.__name__
        made = Job(name, function, cost, by_length, remembered, free_again, measures, inspect.signature(function))
        if JOBS.setdefault(name, made).function is not function:
            raise ValueError(f"there are two jobs called {name!r}")
        return made

    return register


class JobError(Exception):
    """A question that cannot be answered; `code` says why to programs, the message to people."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        super().__init__(detail)


TOO_LARGE: Final = JobError("too-large", f"Solving this game needs more memory than there is. {_SMALLER}")
_CODES: Final[dict[type[errors.ZerosumError], str]] = {
    SolverError: "no-solution",
    errors.RulesError: "bad-rules",
    errors.RecordError: "bad-record",
    errors.BadNameError: "bad-name",
    errors.IllegalPositionError: "bad-position",
    IllegalMoveError: "illegal-move",
    errors.InvalidTextError: "unreadable-move",
}


def job_error_of(error: errors.ZerosumError) -> JobError:
    """Translate an error of the rooms below."""
    if isinstance(error, TooLargeError):
        return JobError("too-large", f"{error.what} {_SMALLER}")
    return JobError(next((code for kind, code in _CODES.items() if isinstance(error, kind)), "bad-request"), str(error))
