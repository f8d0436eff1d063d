"""Who is examined: a model behind an endpoint, or a command that takes its place."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol

from zerosum.arena.entrants.command_line import Bounds, split_command
from zerosum.arena.entrants.model_endpoint import (
    KEY,
    MASK,
    MOVE_TOOL,
    Endpoint,
    Messages,
    ModelReply,
    NoAnswerError,
    ToolCall,
    Usage,
)
from zerosum.arena.entrants.model_entrant import run_command
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle, refusal
from zerosum.base.english import count
from zerosum.base.text import shorten
from zerosum.exam import limits
from zerosum.exam.items import Item
from zerosum.exam.referee_tools import NO_TOOLS, REFEREE, REFEREE_TOOLS, answer_call
from zerosum.exam.scoring import GradeKind, read_answer
from zerosum.rules.moves import parse_move

CallAnswer = Callable[[ToolCall], str]
"""Answers a call of a tool, as text."""
_PAUSE: Final = 0.5
_COMMAND_TRIES: Final = 3
_MOVE_CHOICE: Final = {"type": "function", "function": {"name": "move"}}


class Asker(Protocol):
    """A model or a command that several threads may ask at once."""

    def ask(self, messages: Messages, call: CallAnswer | None = None) -> ModelReply:
        """Return the reply to a chat, in which `call` answers calls of tools. Raises NoAnswerError if there is none."""


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
        tools: str = NO_TOOLS,
        settings: Mapping[str, object] | None = None,
        retries: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        by_call = style.format is AnswerFormat.TOOL
        offered = [*((MOVE_TOOL,) if by_call else ()), *(REFEREE_TOOLS if tools == REFEREE else ())]
        sent = {**(settings or {}), **({"tools": offered} if offered else {})}
        more = {} if retries is None else {"tries": retries}
        self._endpoint = Endpoint(model, url, key_env, sleep, settings=sent, **more)
        self._seconds = seconds
        self._last_word = {"tool_choice": _MOVE_CHOICE if by_call else "none"}

    def ask(self, messages: Messages, call: CallAnswer | None = None) -> ModelReply:
        """Return the reply to a chat; tools may be called a few times, then the endpoint is told to answer."""
        if call is None:
            return self._endpoint.ask(messages, self._seconds)
        chat: list[Mapping[str, Any]] = [*messages]
        used = Usage()
        for left in reversed(range(limits.TOOL_ROUNDS + 1)):
            reply = self._endpoint.ask(chat, self._seconds, **({} if left else self._last_word))
            used = reply.usage.after(used)
            if not reply.calls:
                break
            if left:
                used = replace(used, calls=used.calls + len(reply.calls))
                chat += [_calling(reply), *(_called(one, call(one)) for one in reply.calls)]
        return replace(reply, usage=used, calls=())


def _calling(reply: ModelReply) -> Mapping[str, Any]:
    """Return the message in which a model called tools."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.calls
    ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _called(call: ToolCall, answer: str) -> Mapping[str, Any]:
    """Return the message that answers a call."""
    return {"role": "tool", "tool_call_id": call.id, "content": answer}


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

    def ask(self, messages: Messages, call: CallAnswer | None = None) -> ModelReply:
        """Run the command; one that fails is run again, and a failure is never a reply. It has no tools."""
        del call
        text = "\n".join(message["content"] for message in messages if message["role"] == "user")
        pause = _PAUSE
        for left in reversed(range(self._retries)):
            output = run_command(self._command, text, self._seconds, self._bounds)
            if output.fault is None:
                key = os.environ.get(self._key_env, "") if self._key_env else ""
                return ModelReply(output.text.replace(key, MASK) if key else output.text, cut=False)
            if left:
                self._sleep(pause)
                pause *= 2
        tries = count(self._retries, "try", "tries")
        raise NoAnswerError(f"{shorten(self.name)} gave no reply in {tries}: {output.detail}.")


def replies_to(
    item: Item, asker: Asker, style: PromptStyle, tries: int, *, lenient: bool, tools: str = NO_TOOLS
) -> list[ModelReply]:
    """Ask an item, again if the reply is no legal move and a try is left; return every reply.

    Replies are only read here. What a move is worth is worked out once, when the run is reported.
    """
    messages = [{"role": "user", "content": item.prompt(style)}]
    replies: list[ModelReply] = []
    call = partial(answer_call, item) if tools == REFEREE else None
    while True:
        answer = asker.ask(messages, call)
        reply = replace(answer, text=answer.text[-limits.REPLY_CHARACTERS :])
        replies.append(reply)
        if len(replies) >= tries:
            return replies
        read = read_answer(item, reply, lenient=lenient)
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
