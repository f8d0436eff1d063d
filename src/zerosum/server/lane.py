"""Questions on their way to one process that thinks: they wait in a line of bounded length and are answered in turn.

The process is begun at the first question. One that takes too long over an answer is ended; one that has died, whatever
killed it, is begun anew and asked a second time. A question whose asker has gone is passed over.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Final

from zerosum.server.problems import Problem

_ANSWER_BYTES: Final = 16 * 1024 * 1024
"""An answer; the review of the longest match is a tenth of that."""
_START_SECONDS: Final = 30
"""Seconds for a process to begin, on a machine with much else to do."""
_PATIENCE_SECONDS: Final = 10
"""Nobody waits longer for their turn and an answer than for two answers and so many seconds."""
_TRIES: Final = 2

_log = logging.getLogger(__name__)


class _DiedError(Exception):
    """The process is no more."""


@dataclass(frozen=True, slots=True)
class _Question:
    line: bytes
    answer: asyncio.Future[bytes]


class Lane:
    """One process that thinks, and who waits for it."""

    def __init__(self, *, seconds: float, waiting: int, niceness: int = 0) -> None:
        self._seconds = seconds
        self._niceness = niceness
        self._questions: asyncio.Queue[_Question] = asyncio.Queue(waiting)
        self._process: Process | None = None
        self._conducting: asyncio.Task[None] | None = None
        self._closed = False
        self._numbers = count(1)

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""
        return self._questions.qsize()

    @property
    def pid(self) -> int | None:
        """The process that thinks, if one has begun."""
        return self._process.pid if self._process else None

    async def ask(self, question: Mapping[str, object]) -> bytes:
        """Return the line that answers a question."""
        if self._closed:
            raise Problem("stopping")
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": next(self._numbers), **question}).encode() + b"\n"
        try:
            self._questions.put_nowait(_Question(line, answer))
        except asyncio.QueueFull:
            raise Problem("busy", "Too many questions wait to be thought about; try again in a moment.") from None
        if self._conducting is None:
            self._conducting = asyncio.create_task(self._conduct())
        try:
            async with asyncio.timeout(2 * self._seconds + _PATIENCE_SECONDS):
                return await answer
        except TimeoutError:
            raise Problem("busy", "Others' questions take long to think about; try again in a moment.") from None

    async def close(self) -> None:
        """End the process; whoever still waits is told."""
        self._closed = True
        if self._conducting is not None:
            self._conducting.cancel()
            with suppress(asyncio.CancelledError):
                await self._conducting
            self._conducting = None
        while not self._questions.empty():
            _tell(self._questions.get_nowait(), Problem("stopping"))
        await self._end()

    async def _conduct(self) -> None:
        """Answer one question after the other."""
        while True:
            question = await self._questions.get()
            if question.answer.done():
                continue
            try:
                line = await self._think(question.line)
            except asyncio.CancelledError:
                _tell(question, Problem("stopping"))
                raise
            except Problem as problem:
                _tell(question, problem)
            except Exception:  # noqa: BLE001 - logged; the questions after it are to be answered
                _log.exception("thinking failed")
                await self._end()
                _tell(question, Problem("internal"))
            else:
                if not question.answer.done():
                    question.answer.set_result(line)

    async def _think(self, line: bytes) -> bytes:
        for _ in range(_TRIES):
            try:
                process = await self._begun()
                async with asyncio.timeout(self._seconds):
                    return await _exchange(process, line)
            except TimeoutError:
                await self._end()
                taken = f"Thinking about this takes longer than {self._seconds:g} seconds."
                raise Problem("thinking-too-long", f"{taken} Try a smaller game.") from None
            except (_DiedError, OSError):
                _log.warning("a process that thinks has died")
                await self._end()
        raise Problem("busy", "Thinking about this was interrupted; try again in a moment.")

    async def _begun(self) -> Process:
        if self._process is None:
            arguments = ("-P", "-m", "zerosum.server.thinker", str(self._seconds), str(self._niceness))
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, stdin=PIPE, stdout=PIPE, limit=_ANSWER_BYTES
            )
            try:
                async with asyncio.timeout(_START_SECONDS):
                    await _line_from(self._process)
            except TimeoutError:
                raise _DiedError from None
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.communicate()


def _tell(question: _Question, problem: Problem) -> None:
    if not question.answer.done():
        question.answer.set_exception(problem)


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
