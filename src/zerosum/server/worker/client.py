"""Asks worker processes the questions of the table of jobs (`jobs.py`); nothing is computed here.

The built-in games have a process of their own, all other rules share another, and a third measures games, so that no
uploaded variant keeps the games waiting, and no measurement the variants. Rules are sent as `rules_to_dict` writes
them; positions, moves and records as text.

Each process has a queue of bounded length, with a fair share for each caller. Of the callers who wait, the one whose
answers have taken least time so far comes first: however many questions one of them has waiting and however hard they
are, another has as much of the process's time.
The process starts with the first question. One that takes too long over an answer is killed; one that has died is
started again and asked a second time. A question whose caller has gone is dropped.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, Final, ParamSpec, Self, TypeVar, cast

from zerosum.base.errors import ZerosumError
from zerosum.jobs import limits
from zerosum.jobs.job_table import Job
from zerosum.rules.game_files import BUILT_IN_IDS, built_in
from zerosum.rules.model import RulesDict, rules_to_dict
from zerosum.rules.record import parse_tags, rules_from_tags

P = ParamSpec("P")
T = TypeVar("T")


class WorkerError(ZerosumError):
    """A question that got no answer. `code` is stable; `detail` says what happened and what to do."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(detail)


_TRIES: Final = 2
_STOPPING: Final = "The worker is stopping; ask again when it is back."
_FAIR_PART: Final = 2
"""One caller may fill one part in this many of the queue."""

_log = logging.getLogger(__name__)


class _DiedError(Exception):
    """The process has ended."""


@dataclass(frozen=True, slots=True)
class _Question:
    caller: str
    line: bytes
    answer: asyncio.Future[bytes]


class _Waiting:
    """Waiting questions: first in, first out for each caller, and the callers by the time that each has taken."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._callers: dict[str, deque[_Question]] = {}
        self._taken: dict[str, int] = {}
        """Turns that callers have taken; who comes new has taken as many as the caller whose turn it was last."""
        self._latest = 0
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._callers.values()))

    def put(self, question: _Question) -> None:
        """Add a question; a full queue, or a caller with more than a fair part of it, is refused."""
        caller = question.caller
        own = self._callers.get(caller, ())
        if len(self) >= self._most or (caller and len(own) >= max(1, self._most // _FAIR_PART)):
            raise WorkerError("busy", "Too many questions are waiting; try again in a moment.")
        self._callers.setdefault(caller, deque()).append(question)
        self._arrived.set()

    async def get(self) -> _Question:
        """Wait for a question and take it."""
        while not self._callers:
            self._arrived.clear()
            await self._arrived.wait()
        caller = min(self._callers, key=self._taken_by)
        self._latest = self._taken_by(caller)
        question = self._callers[caller].popleft()
        if not self._callers[caller]:
            del self._callers[caller]
        return question

    def charge(self, caller: str, seconds: float) -> None:
        """Note how long a caller's answer took: one turn, and one more for every `limits.TURN_SECONDS`."""
        self._taken = {one: taken for one, taken in self._taken.items() if taken > self._latest}
        self._taken[caller] = self._taken_by(caller) + 1 + int(seconds / limits.TURN_SECONDS)

    def _taken_by(self, caller: str) -> int:
        return max(self._latest, self._taken.get(caller, 0))

    def drain(self) -> list[_Question]:
        """Take all questions."""
        left = [one for questions in self._callers.values() for one in questions]
        self._callers.clear()
        return left


class WorkQueue:
    """One worker process and the questions that wait for it."""

    def __init__(self, *, seconds: float, waiting: int, niceness: int = 0, modules: Sequence[str] = ()) -> None:
        self._seconds = seconds
        self._arguments = (str(seconds), str(niceness), *modules)
        self._questions = _Waiting(waiting)
        self._process: Process | None = None
        self._loop: asyncio.Task[None] | None = None
        self._closed = False
        self._numbers = count(1)

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""
        return len(self._questions)

    @property
    def pid(self) -> int | None:
        """The worker process, if it has started."""
        return self._process.pid if self._process else None

    async def ask(self, question: Mapping[str, object], caller: str = "") -> bytes:
        """Return the line that answers a question; questions without a caller share one turn."""
        if self._closed:
            raise WorkerError("stopping", _STOPPING)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": next(self._numbers), **question}).encode() + b"\n"
        self._questions.put(_Question(caller, line, answer))
        if self._loop is None:
            self._loop = asyncio.create_task(self._answer_all())
        try:
            async with asyncio.timeout(2 * self._seconds + limits.ANSWER_PATIENCE_SECONDS):
                return await answer
        except TimeoutError:
            raise WorkerError("busy", "Other questions take long to answer; try again in a moment.") from None

    async def close(self) -> None:
        """End the process; every waiting caller gets an error."""
        self._closed = True
        if self._loop is not None:
            self._loop.cancel()
            with suppress(asyncio.CancelledError):
                await self._loop
            self._loop = None
        for question in self._questions.drain():
            _fail(question, WorkerError("stopping", _STOPPING))
        await self._kill()

    async def _answer_all(self) -> None:
        """Answer one question after the other."""
        while True:
            question = await self._questions.get()
            if question.answer.done():
                continue
            began = asyncio.get_running_loop().time()
            try:
                line = await self._answered(question.line)
            except asyncio.CancelledError:
                _fail(question, WorkerError("stopping", _STOPPING))
                raise
            except WorkerError as error:
                _fail(question, error)
            except Exception:  # noqa: BLE001 - logged; the questions after it are to be answered
                _log.exception("worker failed")
                await self._kill()
                _fail(question, WorkerError("internal", "The worker failed; it has been written to the log."))
            else:
                if not question.answer.done():
                    question.answer.set_result(line)
            self._questions.charge(question.caller, asyncio.get_running_loop().time() - began)

    async def _answered(self, line: bytes) -> bytes:
        for _ in range(_TRIES):
            try:
                process = await self._started()
                async with asyncio.timeout(self._seconds):
                    return await _exchange(process, line)
            except TimeoutError:
                await self._kill()
                taken = f"The answer takes longer than {self._seconds:g} seconds."
                raise WorkerError("thinking-too-long", f"{taken} Try a smaller game.") from None
            except (_DiedError, OSError):
                _log.warning("worker process died")
                await self._kill()
        raise WorkerError("busy", "The calculation was interrupted; try again in a moment.")

    async def _started(self) -> Process:
        if self._process is None:
            command = (sys.executable, "-P", "-m", "zerosum.server.worker.worker_process", *self._arguments)
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, limit=limits.ANSWER_BYTES
            )
            try:
                async with asyncio.timeout(limits.WORKER_START_SECONDS):
                    await _line_from(self._process)
            except TimeoutError:
                raise _DiedError from None
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.communicate()


def _fail(question: _Question, error: WorkerError) -> None:
    if not question.answer.done():
        question.answer.set_exception(error)


async def _exchange(process: Process, line: bytes) -> bytes:
    if process.stdin is None:
        raise _DiedError
    process.stdin.write(line)
    await process.stdin.drain()
    return await _line_from(process)


async def _line_from(process: Process) -> bytes:
    line = await process.stdout.readline() if process.stdout is not None else b""
    if not line.endswith(b"\n"):
        raise _DiedError
    return line


MODULES: Final = (
    "zerosum.jobs.game_jobs",
    "zerosum.jobs.teaching_jobs",
    "zerosum.jobs.pairing",
    "zerosum.jobs.classroom_jobs",
    "zerosum.jobs.quality_jobs",
)
"""The modules that register the jobs below; rooms above name theirs beside it."""
_GAMES: Final = "games"
_VARIANTS: Final = "variants"
_MEASURES: Final = "measures"
_IN_A_BURST: Final = 16
"""A question about one of the games takes a thousandth of a second, so this many times more of them may wait."""
_NICENESS: Final = 10
"""Variants are solved, and games measured, with the processor time that is left over."""
_REMEMBERED: Final = 1_000
"""Answers that are remembered."""


class WorkerClient:
    """The worker processes of one server, or of one program."""

    def __init__(
        self,
        *,
        seconds: float = limits.SECONDS,
        waiting: int = limits.WAITING,
        modules: Sequence[str] = MODULES,
        error: Callable[[str, str], Exception] = WorkerError,
    ) -> None:
        self.queues: Final = {
            _GAMES: WorkQueue(seconds=seconds, waiting=_IN_A_BURST * waiting, modules=modules),
            _VARIANTS: WorkQueue(seconds=seconds, waiting=waiting, niceness=_NICENESS, modules=modules),
            _MEASURES: WorkQueue(seconds=seconds, waiting=waiting, niceness=_NICENESS, modules=modules),
        }
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._error = error
        self.caller = ""

    def on_behalf_of(self, caller: str) -> Self:
        """Return this client with its questions counted to a caller: callers take turns in the queues."""
        client = copy(self)
        client.caller = caller
        return client

    async def ask(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer to a question, or raise why there is none; `job.remembered` answers are kept."""
        arguments = job.arguments(*args, **kwargs)
        key = _key(job.name, arguments)
        if key in self._answers:
            self._answers.move_to_end(key)
            return cast("T", json.loads(self._answers[key])["answer"])
        line = await self._answer(job, arguments)
        if job.remembered:
            self._answers[key] = line
            if len(self._answers) > _REMEMBERED:
                self._answers.popitem(last=False)
        return cast("T", json.loads(line)["answer"])

    def remembers(self, job: Job[P, T], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether an answer is remembered."""
        return _key(job.name, job.arguments(*args, **kwargs)) in self._answers

    async def _answer(self, job: Job[..., object], arguments: Mapping[str, Any]) -> bytes:
        """Return the line that answers a question, or raise the error that it holds."""
        try:
            queue = _MEASURES if job.measures else _queue_for(arguments)
            line = await self.queues[queue].ask({"job": job.name, **arguments}, self.caller)
        except WorkerError as error:
            raise self._error(error.code, error.detail) from None
        answer = json.loads(line)
        if "trace" in answer:
            _log.error("worker failed: %s", answer["trace"])
        if "problem" in answer:
            raise self._error(answer["problem"]["code"], answer["problem"]["detail"])
        return line

    async def close(self) -> None:
        """End all processes; every waiting caller gets an error."""
        for queue in self.queues.values():
            await queue.close()


def _key(job: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([job, arguments], sort_keys=True)


@cache
def _games() -> dict[str, RulesDict]:
    return {game: rules_to_dict(built_in(game)) for game in BUILT_IN_IDS}


def _queue_for(arguments: Mapping[str, Any]) -> str:
    """Return which process answers: that of the built-in games, or that of all other rules."""
    if "free" in arguments:
        return _GAMES  # pupils of a room who wait for partners; no rules say how long that takes
    rules = arguments.get("rules")
    if "record" in arguments:
        try:
            rules = rules_to_dict(rules_from_tags(parse_tags(arguments["record"])[0]))
        except ZerosumError:
            rules = None
    return _GAMES if rules and rules == _games().get(str(rules.get("id"))) else _VARIANTS
