"""A process that thinks: it answers questions about games, one JSON line for each on its standard input.

    {"id": 1, "job": "values", "rules": {...}, "position": "1,2,3,4,7 28 1"}
    {"id": 1, "answer": [{"move": "+3", "verdict": "win", "plies": 1}, ...]}
    {"id": 2, "problem": {"code": "too-large", "detail": "..."}}

Solving takes all of a processor and a lot of memory, and so it happens here and never where requests are answered. What
a question costs is bounded twice: the solver estimates its memory and refuses, and the system bounds the address space.
Time is bounded by whoever asks, who ends this process; should that one be gone, an alarm ends it. No question does:
what goes wrong is answered as a problem.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from traceback import format_exc
from typing import BinaryIO, Final

from zerosum.rules.errors import ZerosumError
from zerosum.server import limits
from zerosum.server.jobs import JOBS, TOO_LARGE, Refusal, refusal_of, solved

READY: Final = b'{"ready": true}\n'
_GRACE: Final = 5
"""Seconds that whoever asks is given to end this process, before it ends itself."""


def answer(line: bytes) -> bytes:
    """Return the line that answers a question; whatever goes wrong is an answer too."""
    number: object = None
    try:
        question = json.loads(line)
        number = question.pop("id")
        job = JOBS[question.pop("job")]
        found = {"answer": _with_room(lambda: job(**question))}
    except MemoryError:
        found = _problem(TOO_LARGE)
    except Refusal as refusal:
        found = _problem(refusal)
    except ZerosumError as error:
        found = _problem(refusal_of(error))
    except Exception:  # noqa: BLE001 - the next question is to be answered, whatever is wrong with this one
        found = {**_problem(Refusal("internal", "")), "trace": format_exc(limit=-8)}
    return json.dumps({"id": number, **found}).encode() + b"\n"


def _problem(refusal: Refusal) -> dict[str, object]:
    return {"problem": {"code": refusal.code, "detail": str(refusal)}}


def _with_room(job: Callable[[], object]) -> object:
    """Return what a job gives; if the memory is full, once more without what is remembered of other games."""
    with suppress(MemoryError):
        return job()
    solved.cache_clear()
    return job()


def serve(questions: Iterable[bytes], answers: BinaryIO, seconds: float) -> None:
    """Answer every line, until there are no more."""
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
    """Let the system refuse memory beyond the limit, where it can: better an error here than a system without any."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = limits.THINKING_ADDRESS_SPACE if hard == resource.RLIM_INFINITY else min(hard, limits.THINKING_ADDRESS_SPACE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main() -> None:
    """Answer questions for as long as somebody asks; the arguments are the seconds for each, and a niceness."""
    seconds, niceness = float(sys.argv[1]), int(sys.argv[2])
    # Ctrl-C at a terminal is meant for the server, which ends this process when it has finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory()
    if hasattr(os, "nice"):
        os.nice(niceness)
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer, seconds + _GRACE)


if __name__ == "__main__":
    main()
