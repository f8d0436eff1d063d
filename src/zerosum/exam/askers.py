"""A run: ask what is missing, write each reply to the log, and stop where nobody answers.

Who is examined: a model behind an endpoint, or a command that stands for one.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from queue import SimpleQueue
from threading import Event, Lock, Semaphore, Thread
from time import monotonic
from typing import Any, Final, Protocol, TypedDict

from zerosum.arena.entrants.command_entrant import hear
from zerosum.arena.entrants.command_line import Bounds, split_command
from zerosum.arena.entrants.model_entrant import KEY, TOOLS, Endpoint, ModelReply, NoAnswerError
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle, refusal
from zerosum.base.numbers import shorten
from zerosum.base.runs import RunError, RunLog, RunLogWriter
from zerosum.exam import limits
from zerosum.exam.exam_run import ExamRun
from zerosum.exam.items import Item
from zerosum.exam.scoring import Grade, GradeKind, grade
from zerosum.rules.moves import parse_move

Messages = Sequence[Mapping[str, str]]
_PAUSE: Final = 0.5
_COMMAND_TRIES: Final = 3


class Asker(Protocol):
    """Somebody who can be asked, by several threads at once."""

    def ask(self, messages: Messages) -> ModelReply:
        """Return the reply to a chat; raise a `NoAnswerError` where there is none."""


class ModelAsker:
    """An endpoint that speaks OpenAI's chat completions."""

    def __init__(
        self,
        model: str,
        url: str,
        seconds: float,
        style: PromptStyle,
        *,
        key_env: str = KEY,
        settings: Mapping[str, object] | None = None,
        retries: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        tools: Mapping[str, object] = {"tools": TOOLS} if style.format is AnswerFormat.TOOL else {}
        more = {} if retries is None else {"tries": retries}
        self._endpoint = Endpoint(model, url, key_env, sleep, settings={**(settings or {}), **tools}, **more)
        self._seconds = seconds

    def ask(self, messages: Messages) -> ModelReply:
        """Return the reply to a chat."""
        return self._endpoint.ask(messages, self._seconds)


class CommandAsker:
    """A command: it gets the question on standard input and replies on standard output; it remembers nothing."""

    def __init__(
        self,
        command: str,
        seconds: float,
        *,
        key_env: str = "",
        retries: int = _COMMAND_TRIES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._command = split_command(command)
        self._bounds = Bounds(secrets=(key_env,) if key_env else ())
        self._key_env = key_env
        self._seconds, self._retries, self._sleep = seconds, retries, sleep

    @property
    def name(self) -> str:
        """How it is called: never by its arguments, which may hold secrets."""
        return os.path.basename(self._command[0])

    def ask(self, messages: Messages) -> ModelReply:
        """Run the command; one that fails is run again, and a failure is never a reply."""
        text = "\n".join(one["content"] for one in messages if one["role"] == "user")
        pause = _PAUSE
        for left in reversed(range(self._retries)):
            heard = hear(self._command, text, self._seconds, self._bounds)
            if heard.fault is None:
                key = os.environ.get(self._key_env, "") if self._key_env else ""
                return ModelReply(heard.text.replace(key, "[key]") if key else heard.text, cut=False)
            if left:
                self._sleep(pause)
                pause *= 2
        tries = f"{self._retries} {'try' if self._retries == 1 else 'tries'}"
        raise NoAnswerError(f"{shorten(self.name)} gave no reply in {tries}: {heard.detail}.")


def replies_to(item: Item, asker: Asker, style: PromptStyle, tries: int, *, lenient: bool) -> list[ModelReply]:
    """Ask an item, again where the reply is no legal move and a try is left; return every reply."""
    messages = [{"role": "user", "content": item.prompt(style)}]
    found: list[ModelReply] = []
    while True:
        said = asker.ask(messages)
        said = ModelReply(said.text[-limits.REPLY_CHARACTERS :], said.cut)
        found.append(said)
        graded = grade(item, said.text, truncated=said.cut, lenient=lenient)
        if graded.kind is GradeKind.MOVE or len(found) >= tries:
            return found
        why = _why(item, graded.move)
        messages += [
            {"role": "assistant", "content": said.text},
            {"role": "user", "content": refusal(graded.move, why)},
        ]


def _why(item: Item, move: str) -> str:
    if not move:
        return "it names no single move"
    position = item.shown.position
    clause = position.objection(parse_move(move, position.rules.operations))
    return "it is not allowed" if clause is None else clause.value


_GRACE: Final = 2.0
"""Seconds that threads have to end their commands when the run is over."""

Watch = Callable[[int, int], None]
"""Called with how many items have been answered, and how many could not be."""
_Found = tuple[int, str | BaseException]


def ask_all(run: ExamRun, asker: Asker, jobs: int = 1, watch: Watch = lambda _done, _failed: None) -> str | None:
    """Ask the items that are missing in the log; return why some still are, None where all are answered.

    An item that gets no answer is left for the next time; after some of them in a row, or where nothing has been
    answered yet, the run is ended.
    """
    log = run.log()
    with closing(RunLogWriter(log)) as writer:
        places = [place for place in range(1, len(run.set.items) + 1) if place not in log.at]
        with closing(_Crew(run, asker, places, jobs)) as crew:
            why = _keep(crew, writer, len(places), watch)
        # Whoever was still waiting when the run was ended may have got an answer.
        writer.append([(place, found) for place, found in crew.left() if isinstance(found, str)])
        return why


def _keep(crew: _Crew, writer: RunLogWriter, count: int, watch: Watch) -> str | None:
    """Write so many replies as they come; return why some did not."""
    log = writer.log
    why: str | None = None
    failed = in_a_row = 0
    for _ in range(count):
        place, found = crew.results.get()
        if isinstance(found, str):
            writer.append([(place, found)])
            in_a_row = 0
        elif isinstance(found, NoAnswerError):
            failed, in_a_row, why = failed + 1, in_a_row + 1, str(found)
        else:
            raise found
        watch(len(log.at), failed)
        if in_a_row >= (limits.FAILURES if log.at else 1):
            break
        crew.go_on()
    return why


class _Crew:
    """Threads that ask; models and commands do the thinking. For each result that is dealt with, one more is asked."""

    def __init__(self, run: ExamRun, asker: Asker, places: list[int], jobs: int) -> None:
        self.results: SimpleQueue[_Found] = SimpleQueue()
        self._run, self._asker = run, asker
        self._ahead, self._guard, self._stop = iter(places), Lock(), Event()
        self._permits = Semaphore(jobs)
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(min(jobs, len(places)))]
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        while True:
            self._permits.acquire()
            with self._guard:
                place = next(self._ahead, None)
            if place is None or self._stop.is_set():
                return
            try:
                self.results.put((place, self._line(place)))
            except BaseException as error:  # noqa: BLE001 - raised where somebody hears of it
                self.results.put((place, error))

    def go_on(self) -> None:
        """Let one more item be asked."""
        self._permits.release()

    def _line(self, place: int) -> str:
        item, plan = self._run.set.items[place - 1], self._run.plan
        replies = replies_to(item, self._asker, plan.style, plan.tries, lenient=plan.lenient)
        told = [LoggedReply(reply=one.text, truncated=one.cut) for one in replies]
        return json.dumps({"n": place, "id": item.id, "replies": told})

    def left(self) -> Iterator[_Found]:
        """Yield the results that nobody has dealt with."""
        while not self.results.empty():
            yield self.results.get()

    def close(self) -> None:
        """Ask nothing more; whoever waits for an answer ends with it, or with this process."""
        self._stop.set()
        self._permits.release(len(self._threads) or 1)
        deadline = monotonic() + _GRACE
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))


class LoggedReply(TypedDict):
    """A reply, as it stands in the log and in files of replies."""

    reply: str
    truncated: bool


def graded(item: Item, told: Iterable[LoggedReply], *, lenient: bool) -> list[Grade]:
    """Return the grades of the replies to an item, one for each try."""
    return [grade(item, one["reply"], truncated=one["truncated"], lenient=lenient) for one in told]


def read_replies(run: ExamRun, log: RunLog) -> list[tuple[Item, list[LoggedReply]]]:
    """Return the items that were answered, with their replies, in the order of the set."""
    found: list[tuple[Item, list[LoggedReply]]] = []
    for line in log.read(sorted(log.at)):
        place = line["n"]
        if not 1 <= place <= len(run.set.items) or line.get("id") != run.set.items[place - 1].id:
            raise RunError(f"Item {place} of the log belongs to another set.")
        found.append((run.set.items[place - 1], _told(line.get("replies"), place)))
    return found


def _told(replies: Any, place: int) -> list[LoggedReply]:  # noqa: ANN401 - what a log holds
    """Return the replies of a line, each looked at: a log may have been written by anybody."""
    try:
        told = [(one["reply"], one["truncated"]) for one in replies]
    except (LookupError, TypeError):
        told = []
    if not told or not all(type(reply) is str and type(cut) is bool for reply, cut in told):
        raise RunError(f"Item {place} of the log cannot be read.")
    return [LoggedReply(reply=reply, truncated=cut) for reply, cut in told]
