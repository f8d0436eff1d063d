"""The questions about games, as awaitable methods. Nothing is computed here: see `server/worker/worker_process.py`.

The built-in games have a process of their own, and all other rules share another, so that no uploaded variant, however
hard, keeps the games waiting. Rules go in as `rules_to_dict` writes them; positions, moves and records as text. What
goes wrong is a `WorkerError`.

What a question can be answered with instead of an answer.

Questions on their way to one worker process: a queue of bounded length with a fair share for each caller.

Callers take turns: however many questions one of them has waiting, another's first question waits for one answer of
each caller before it and no more. The process starts with the first question. One that takes too long over an answer
is killed; one that has died is started again and asked a second time. A question whose caller has gone is dropped.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, Final, Self

from zerosum.base.errors import ZerosumError
from zerosum.coach.answer_types import (
    CardDocument,
    CommentDocument,
    JudgedDocument,
    LessonsDocument,
    OptionDocument,
    PlayedOutDocument,
    PuzzleDocument,
    ReasonDocument,
)
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.rules_dict import RulesDict, rules_to_dict
from zerosum.rules.tags import parse_tags, rules_from_tags
from zerosum.server.worker import limits


class WorkerError(ZerosumError):
    """A question that got no answer. `code` is stable; `detail` says what happened and what to do."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(detail)


_ANSWER_BYTES: Final = 16 * 1024 * 1024
"""The longest answer; the review of the longest match is a tenth of that."""
_START_SECONDS: Final = 30
"""Seconds for a process to start, on a busy machine."""
_PATIENCE_SECONDS: Final = 10
"""Nobody waits longer for an answer than twice the time of one answer, and these seconds."""
_TRIES: Final = 2
_STOPPING: Final = "The worker is stopping; ask again when it is back."
_FAIR_PART: Final = 2
"""One caller may fill one part in this many of the queue."""

_log = logging.getLogger(__name__)


class _DiedError(Exception):
    """The process has ended."""


@dataclass(frozen=True, slots=True)
class _Question:
    line: bytes
    answer: asyncio.Future[bytes]


class _Waiting:
    """Waiting questions: first in, first out for each caller, and the callers in turn."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._callers: OrderedDict[str, deque[_Question]] = OrderedDict()
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return self._count

    def put(self, caller: str, question: _Question) -> None:
        """Add a question; a full queue, or a caller with more than a fair part of it, is refused."""
        own = self._callers.get(caller, ())
        if self._count >= self._most or (caller and len(own) >= max(1, self._most // _FAIR_PART)):
            raise WorkerError("busy", "Too many questions are waiting; try again in a moment.")
        self._callers.setdefault(caller, deque()).append(question)
        self._count += 1
        self._arrived.set()

    async def get(self) -> _Question:
        """Wait for a question and take it; its caller then has the last turn."""
        while not self._callers:
            self._arrived.clear()
            await self._arrived.wait()
        caller, questions = self._callers.popitem(last=False)
        self._count -= 1
        question = questions.popleft()
        if questions:
            self._callers[caller] = questions
        return question

    def drain(self) -> list[_Question]:
        """Take all questions."""
        left = [one for questions in self._callers.values() for one in questions]
        self._callers.clear()
        self._count = 0
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
        self._questions.put(caller, _Question(line, answer))
        if self._loop is None:
            self._loop = asyncio.create_task(self._answer_all())
        try:
            async with asyncio.timeout(2 * self._seconds + _PATIENCE_SECONDS):
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
            self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=_ANSWER_BYTES)
            try:
                async with asyncio.timeout(_START_SECONDS):
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


MODULES: Final = ("zerosum.server.worker.jobs", "zerosum.server.worker.teaching_jobs")
"""The modules that register the jobs below; rooms above name theirs beside it."""
_GAMES: Final = "games"
_VARIANTS: Final = "variants"
_IN_A_BURST: Final = 16
"""A question about one of the games takes a thousandth of a second, so this many times more of them may wait."""
_NICENESS: Final = 10
"""Variants are solved with the processor time that is left over."""
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
    ) -> None:
        self.queues: Final = {
            _GAMES: WorkQueue(seconds=seconds, waiting=_IN_A_BURST * waiting, modules=modules),
            _VARIANTS: WorkQueue(seconds=seconds, waiting=waiting, niceness=_NICENESS, modules=modules),
        }
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self.caller = ""

    def on_behalf_of(self, caller: str) -> Self:
        """Return this client with its questions counted to a caller: callers take turns in the queues."""
        client = copy(self)
        client.caller = caller
        return client

    async def check(self, rules: RulesDict) -> None:
        """Solve a game, or raise the error that it is too large."""
        await self._recall(rules, "check")

    async def choose(self, rules: RulesDict, who: str, position: str, seed: str) -> str:
        """Return the move of a computer player; the same seed gives the same move."""
        move: str = await self._ask(_queue(rules), "choose", rules=rules, who=who, position=position, seed=seed)
        return move

    async def values(self, rules: RulesDict, position: str) -> list[OptionDocument]:
        """Return `move`, `verdict` and `plies` of every legal move of an unfinished position, the best first."""
        values: list[OptionDocument] = await self._recall(rules, "values", position=position)
        return values

    async def analyze(self, rules: RulesDict, position: str, moves: list[str], *, why: bool = False) -> dict[str, Any]:
        """Return what `zerosum analyze --json` prints, without its schema; an empty position is the start."""
        document: dict[str, Any] = await self._recall(rules, "analyze", position=position, moves=moves, why=why)
        return document

    async def hint(self, rules: RulesDict, position: str, step: int) -> list[str]:
        """Return a step of a hint as sentences: 1 whether there is a good move, 2 which, 3 why, 4 the lines."""
        sentences: list[str] = await self._recall(rules, "hint", position=position, step=step)
        return sentences

    async def hinted(self, rules: RulesDict, position: str) -> str:
        """Return the move that a hint speaks of."""
        move: str = await self._recall(rules, "hinted", position=position)
        return move

    async def reason(self, rules: RulesDict, position: str, move: str) -> ReasonDocument:
        """Return why a legal move is good or bad and the lines behind it, told to the player who makes it."""
        document: ReasonDocument = await self._recall(rules, "reason", position=position, move=move)
        return document

    async def comment(self, record: str) -> CommentDocument:
        """Return what the coach says, while a match is played, of its last moves."""
        document: CommentDocument = await self._ask(_queue_of(record), "comment", record=record)
        return document

    async def review(self, record: str) -> dict[str, Any]:
        """Return `json`, what `zerosum review --json` prints without its schema, and `pieces`, as in `web.review`."""
        document: dict[str, Any] = await self._ask(_queue_of(record), "review", record=record)
        return document

    async def puzzles(self, rules: RulesDict, seed: str, count: int) -> list[dict[str, Any]]:
        """Return `count` puzzles, from easy to hard; the same seed gives the same ones."""
        found: list[dict[str, Any]] = await self._ask(_queue(rules), "puzzles", rules=rules, seed=seed, count=count)
        return found

    async def daily(self, rules: RulesDict, day: str) -> PuzzleDocument:
        """Return the puzzle of a day, whose game these rules are."""
        found: PuzzleDocument = await self._recall(rules, "daily", day=day)
        return found

    async def puzzle_hints(self, rules: RulesDict, position: str) -> list[str]:
        """Return the hints for a puzzle, none of which names a winning move."""
        sentences: list[str] = await self._recall(rules, "puzzle hints", position=position)
        return sentences

    async def played_out(self, rules: RulesDict, position: str, move: str) -> PlayedOutDocument:
        """Return what a legal move leads to, without saying which other moves would win."""
        found: PlayedOutDocument = await self._recall(rules, "played out", position=position, move=move)
        return found

    async def knowledge(self, rules: RulesDict) -> dict[str, Any]:
        """Return what `zerosum solve --json` prints, without its schema, with `best_play` (moves) and `words`."""
        document: dict[str, Any] = await self._recall(rules, "knowledge")
        return document

    async def overview(self, rules: RulesDict) -> dict[str, Any]:
        """Return `known`, as `knowledge` does, or why it is `unsolved`, and in `headline` and `remarks` what is odd."""
        document: dict[str, Any] = await self._recall(rules, "overview")
        return document

    async def card(self, rules: RulesDict) -> CardDocument:
        """Return what `zerosum card --json` prints, without its schema."""
        document: CardDocument = await self._recall(rules, "card")
        return document

    async def lessons(self, rules: RulesDict) -> LessonsDocument:
        """Return the course of a game; for a variant its card is searched first."""
        document: LessonsDocument = await self._recall(rules, "lessons")
        return document

    async def exercise(self, rules: RulesDict, learner: list[int]) -> str:
        """Return the position of the exercise that is due: `learner` is the step, then as `Learner` has it."""
        position: str = await self._recall(rules, "exercise", learner=learner)
        return position

    async def judge(self, rules: RulesDict, learner: list[int], step: int, position: str, move: str) -> JudgedDocument:
        """Return whether a move solves an exercise of a step, and where the learner stands after it."""
        document: JudgedDocument = await self._ask(
            _queue(rules), "judge", rules=rules, learner=learner, step=step, position=position, move=move
        )
        return document

    async def close(self) -> None:
        """End all processes; every waiting caller gets an error."""
        for queue in self.queues.values():
            await queue.close()

    def knows_lessons(self, rules: RulesDict) -> bool:
        """Whether the course of a game is remembered, and so costs nothing."""
        return _key("lessons", rules, {}) in self._answers

    async def _recall(self, rules: RulesDict, job: str, **arguments: object) -> Any:  # noqa: ANN401 - what the job answers
        """Ask a question that always has the same answer, and remember it."""
        key = _key(job, rules, arguments)
        if key in self._answers:
            self._answers.move_to_end(key)
            return json.loads(self._answers[key])["answer"]
        line, answer = await self._answered(_queue(rules), job, rules=rules, **arguments)
        self._answers[key] = line
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    async def _ask(self, queue: str, job: str, **arguments: object) -> Any:  # noqa: ANN401 - likewise
        _, answer = await self._answered(queue, job, **arguments)
        return answer

    async def _answered(self, queue: str, job: str, **arguments: object) -> tuple[bytes, Any]:
        """Return the line that answers a question and what it says, or raise the error that it holds."""
        line = await self.queues[queue].ask({"job": job, **arguments}, self.caller)
        found = json.loads(line)
        if "trace" in found:
            _log.error("worker failed: %s", found["trace"])
        if "problem" in found:
            raise WorkerError(found["problem"]["code"], found["problem"]["detail"])
        return line, found["answer"]


def _key(job: str, rules: RulesDict, arguments: dict[str, object]) -> str:
    return json.dumps([job, rules, arguments], sort_keys=True)


@cache
def _games() -> dict[str, RulesDict]:
    return {game: rules_to_dict(built_in(game)) for game in GAME_IDS}


def _queue(rules: RulesDict) -> str:
    return _GAMES if rules == _games().get(str(rules.get("id"))) else _VARIANTS


def _queue_of(record: str) -> str:
    try:
        return _queue(rules_to_dict(rules_from_tags(parse_tags(record)[0])))
    except ZerosumError:
        return _VARIANTS
