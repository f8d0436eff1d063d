"""The worker process: it answers questions about games, one JSON line for each on its standard input.

    {"id": 1, "job": "values", "rules": {...}, "position": "1,2,3,4,7 28 1"}
    {"id": 1, "answer": [{"move": "+3", "verdict": "win", "plies": 1}, ...]}
    {"id": 2, "problem": {"code": "too-large", "detail": "..."}}

Solving takes a whole processor and much memory, so it happens here and never where requests are answered. The cost of a
question is bounded twice: the solver estimates its memory and refuses, and the system bounds the address space. The
caller bounds the time and kills this process; if the caller has died, an alarm does. No question ends the process:
every error is an answer too.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from traceback import format_exc
from types import ModuleType
from typing import BinaryIO, Final

from zerosum.base.documents import dumps, to_json
from zerosum.base.errors import ZerosumError
from zerosum.jobs import limits
from zerosum.jobs.game_jobs import solved
from zerosum.jobs.job_table import JOBS, TOO_LARGE, JobError, job_error_of

resource: ModuleType | None
try:
    import resource
except ImportError:  # not on every system
    resource = None


READY: Final = b'{"ready": true}\n'
_GRACE: Final = 5
"""Seconds that the caller is given to kill this process before it ends itself."""


def answer(line: bytes) -> bytes:
    """Return the line that answers a question; every error is an answer too."""
    number: object = None
    try:
        question = json.loads(line)
        number = question.pop("id")
        job = JOBS[question.pop("job")]
        found = {"answer": to_json(_with_room(lambda: job(**question)))}
    except MemoryError:
        found = _problem(TOO_LARGE)
    except JobError as error:
        found = _problem(error)
    except ZerosumError as error:
        found = _problem(job_error_of(error))
    except Exception:  # noqa: BLE001 - the next question must be answered, whatever is wrong with this one
        found = {
            **_problem(JobError("internal", "The worker failed; it has been written to the log.")),
            "trace": format_exc(limit=-8),
        }
    return dumps({"id": number, **found}).encode() + b"\n"


def _problem(error: JobError) -> dict[str, object]:
    return {"problem": {"code": error.code, "detail": str(error)}}


def _with_room(job: Callable[[], object]) -> object:
    """Return what a job gives; if memory runs out, try once more without the remembered solutions."""
    with suppress(MemoryError):
        return job()
    solved.cache_clear()
    return job()


def serve(questions: Iterable[bytes], answers: BinaryIO, seconds: float) -> None:
    """Answer every line until there are no more."""
    answers.write(READY)
    answers.flush()
    for line in questions:
        _alarm(seconds)
        answers.write(answer(line))
        answers.flush()
        _alarm(0)


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _bound_memory() -> None:
    """Bound the address space if the system can: an error here is better than a machine without memory."""
    if resource is None:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = limits.ADDRESS_SPACE if hard == resource.RLIM_INFINITY else min(hard, limits.ADDRESS_SPACE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main() -> None:
    """Run the process. Its arguments: seconds for each answer, niceness, and the modules that register jobs."""
    seconds, niceness = float(sys.argv[1]), int(sys.argv[2])
    # Ctrl-C at a terminal is meant for the server, which ends this process when it has finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory()
    if hasattr(os, "nice"):
        os.nice(niceness)
    for module in sys.argv[3:]:
        import_module(module)
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer, seconds + _GRACE)


if __name__ == "__main__":
    main()
