"""Who is examined: a model behind an endpoint, or a command that takes its place."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from zerosum.arena.entrants.command_entrant import run_command
from zerosum.arena.entrants.command_line import Bounds, split_command
from zerosum.arena.entrants.model_entrant import KEY, TOOLS, Endpoint, ModelReply, NoAnswerError
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle, refusal
from zerosum.base.english import count
from zerosum.base.text import shorten
from zerosum.exam import limits
from zerosum.exam.items import Item
from zerosum.exam.scoring import GradeKind, read_answer
from zerosum.rules.moves import parse_move

Messages = Sequence[Mapping[str, str]]
_PAUSE: Final = 0.5
_COMMAND_TRIES: Final = 3


class Asker(Protocol):
    """A model or a command that several threads may ask at once."""

    def ask(self, messages: Messages) -> ModelReply:
        """Return the reply to a chat. Raises NoAnswerError if there is none."""


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
            output = run_command(self._command, text, self._seconds, self._bounds)
            if output.fault is None:
                key = os.environ.get(self._key_env, "") if self._key_env else ""
                return ModelReply(output.text.replace(key, "[key]") if key else output.text, cut=False)
            if left:
                self._sleep(pause)
                pause *= 2
        tries = count(self._retries, "try", "tries")
        raise NoAnswerError(f"{shorten(self.name)} gave no reply in {tries}: {output.detail}.")


def replies_to(item: Item, asker: Asker, style: PromptStyle, tries: int, *, lenient: bool) -> list[ModelReply]:
    """Ask an item, again if the reply is no legal move and a try is left; return every reply.

    Replies are only read here. What a move is worth is worked out once, when the run is reported.
    """
    messages = [{"role": "user", "content": item.prompt(style)}]
    replies: list[ModelReply] = []
    while True:
        answer = asker.ask(messages)
        reply = ModelReply(answer.text[-limits.REPLY_CHARACTERS :], answer.cut)
        replies.append(reply)
        if len(replies) >= tries:
            return replies
        read = read_answer(item, reply.text, truncated=reply.cut, lenient=lenient)
        if read.kind is GradeKind.MOVE:
            return replies
        messages += [
            {"role": "assistant", "content": reply.text},
            {"role": "user", "content": refusal(read.move, _objection(item, read.move))},
        ]


def _objection(item: Item, move: str) -> str:
    if not move:
        return "it names no single move"
    position = item.shown.position
    clause = position.objection(parse_move(move, position.rules.operations))
    return "it is not allowed" if clause is None else clause.value
