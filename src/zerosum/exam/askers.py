"""Who is examined: a model behind an endpoint, or a command that takes its place; and the tools that a model may have.

The tools are a referee who knows the rules and says nothing about good moves: those of `zerosum mcp --no-answers` that
concern one game, the item's own. A run without tools and a run with them are two conditions of the same exam.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final, Protocol

from zerosum.arena.entrants import model_endpoint
from zerosum.arena.entrants.command_line import Bounds, split_command
from zerosum.arena.entrants.open_entrant import run_command
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle, refusal
from zerosum.base.documents import Document
from zerosum.base.english import count
from zerosum.base.errors import BadValueError, ZerosumError
from zerosum.base.text import shorten
from zerosum.coach.analysis import play_on, refereed
from zerosum.exam import limits
from zerosum.exam.items import Item
from zerosum.exam.scoring import GradeKind, read_answer
from zerosum.rules.describe import describe
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position

NO_TOOLS: Final = "none"
REFEREE: Final = "referee"
CONDITIONS: Final = (NO_TOOLS, REFEREE)
"""The conditions of an exam by the tools that a model has."""


def answer_call(item: Item, call: model_endpoint.ToolCall) -> str:
    """Return what the referee answers to a call, as JSON; what is wrong with a call is an answer too."""
    try:
        arguments = json.loads(call.arguments or "{}") or {}
        if call.name not in _TOOLS or not isinstance(arguments, dict):
            raise BadValueError(f"The tools are {', '.join(_TOOLS)}; each takes an object.")
        if not all(isinstance(argument, str) and len(argument) <= limits.TOOL_TEXT for argument in arguments.values()):
            raise BadValueError(f"Every argument is a text of at most {limits.TOOL_TEXT:,} characters.")
        return json.dumps(_TOOLS[call.name](item.shown.position, arguments))
    except ZerosumError as error:
        return json.dumps({"error": str(error)})
    except (ValueError, RecursionError):
        return json.dumps({"error": "The arguments are not JSON."})


def _start(position: Position, arguments: Mapping[str, str]) -> Position:
    text = arguments.get("position", "").strip()
    return parse_position(text, position.rules) if text else position


def _rules(position: Position, _arguments: Mapping[str, str]) -> Document:
    return {"game": position.rules.id, "name": position.rules.name, "words": describe(position.rules, typed=False)}


def _reply(position: Position, arguments: Mapping[str, str]) -> Document:
    at, _ = play_on(_start(position, arguments), arguments.get("moves", "").split())
    if at.outcome is not None:
        raise BadValueError("The match is over; nobody is to move.")
    move = Random(f"{arguments.get('seed', '')}/{at}").choice(at.legal_moves())
    return {**refereed(at, [at.text_of(move)]), "move": at.text_of(move)}


_TOOLS: Final[Mapping[str, Callable[[Position, Mapping[str, str]], Document]]] = {
    "rules": _rules,
    "analyze": lambda position, given: refereed(_start(position, given), given.get("moves", "").split()),
    "reply": _reply,
}
_MOVES: Final = {"type": "string", "description": "Moves from there on, with signs: '+5 +6'. Empty: none."}
_POSITION: Final = {
    "type": "string",
    "description": "'POOL TOTALS SEAT' as in '1,2,3,4,7 28 1'. Empty: the question's.",
}
_SEED: Final = {"type": "string", "description": "Any text; the same seed gives the same move."}


def _tool(name: str, words: str, properties: Mapping[str, Any]) -> Mapping[str, object]:
    parameters = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": words, "parameters": parameters}}


REFEREE_TOOLS: Final = (
    _tool("rules", "Give the rules of the game in words.", {}),
    _tool(
        "analyze",
        "Say where moves lead: the position, who is to move, the legal moves, and who has won once it is over.",
        {"moves": _MOVES, "position": _POSITION},
    ),
    _tool(
        "reply",
        "Choose a legal move at random, as an opponent.",
        {"moves": _MOVES, "position": _POSITION, "seed": _SEED},
    ),
)

CallAnswer = Callable[[model_endpoint.ToolCall], str]
_PAUSE: Final = 0.5
_COMMAND_TRIES: Final = 3
_MOVE_CHOICE: Final = {"type": "function", "function": {"name": "move"}}


class Asker(Protocol):
    """A model or a command that several threads may ask at once."""

    def ask(self, messages: model_endpoint.Messages, call: CallAnswer | None = None) -> model_endpoint.ModelReply:
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
        key_env: str = model_endpoint.KEY,
        tools: str = NO_TOOLS,
        settings: Mapping[str, object] | None = None,
        retries: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        by_call = style.format is AnswerFormat.TOOL
        offered = [*((model_endpoint.MOVE_TOOL,) if by_call else ()), *(REFEREE_TOOLS if tools == REFEREE else ())]
        sent = {**(settings or {}), **({"tools": offered} if offered else {})}
        more = {} if retries is None else {"tries": retries}
        self._endpoint = model_endpoint.Endpoint(model, url, key_env, sleep, settings=sent, **more)
        self._seconds = seconds
        self._last_word = {"tool_choice": _MOVE_CHOICE if by_call else "none"}

    def ask(self, messages: model_endpoint.Messages, call: CallAnswer | None = None) -> model_endpoint.ModelReply:
        """Return the reply to a chat; tools may be called a few times, then the endpoint is told to answer."""
        if call is None:
            return self._endpoint.ask(messages, self._seconds)
        chat: list[Mapping[str, Any]] = [*messages]
        used = model_endpoint.Usage()
        for left in reversed(range(limits.TOOL_ROUNDS + 1)):
            reply = self._endpoint.ask(chat, self._seconds, **({} if left else self._last_word))
            used = reply.usage.after(used)
            if not reply.calls:
                break
            if left:
                used = replace(used, calls=used.calls + len(reply.calls))
                chat.append(_calling(reply))
                chat += [{"role": "tool", "tool_call_id": one.id, "content": call(one)} for one in reply.calls]
        return replace(reply, usage=used, calls=())


def _calling(reply: model_endpoint.ModelReply) -> Mapping[str, Any]:
    """Return the message in which a model called tools."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.calls
    ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


class CommandAsker:
    """A command: it gets the question on standard input and replies on standard output; it remembers nothing."""

    def __init__(self, command: str, seconds: float, *, key_env: str = "", retries: int = _COMMAND_TRIES) -> None:
        self._command = split_command(command)
        self._bounds = Bounds(secrets=(key_env,) if key_env else ())
        self._key_env = key_env
        self._seconds, self._retries = seconds, retries

    @property
    def name(self) -> str:
        """How it is called: never by its arguments, which may hold secrets."""
        return os.path.basename(self._command[0])

    def ask(self, messages: model_endpoint.Messages, call: CallAnswer | None = None) -> model_endpoint.ModelReply:
        """Run the command; one that fails is run again, and a failure is never a reply. It has no tools."""
        del call
        text = "\n".join(message["content"] for message in messages if message["role"] == "user")
        pause = _PAUSE
        for left in reversed(range(self._retries)):
            output = run_command(self._command, text, self._seconds, self._bounds)
            if output.fault is None:
                key = os.environ.get(self._key_env, "") if self._key_env else ""
                return model_endpoint.ModelReply(
                    output.text.replace(key, model_endpoint.MASK) if key else output.text, cut=False
                )
            if left:
                time.sleep(pause)
                pause *= 2
        tries = count(self._retries, "try", "tries")
        raise model_endpoint.NoAnswerError(f"{shorten(self.name)} gave no reply in {tries}: {output.detail}.")


def replies_to(
    item: Item, asker: Asker, style: PromptStyle, tries: int, *, lenient: bool, tools: str = NO_TOOLS
) -> list[model_endpoint.ModelReply]:
    """Ask an item, again if the reply is no legal move and a try is left; return every reply.

    Replies are only read here. What a move is worth is worked out once, when the run is reported.
    """
    messages = [{"role": "user", "content": item.prompt(style)}]
    replies: list[model_endpoint.ModelReply] = []
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
        messages.append({"role": "assistant", "content": reply.text})
        messages.append({"role": "user", "content": refusal(read.move, _objection(item, read.move))})


def _objection(item: Item, move: str) -> str:
    if not move:
        return "it names no single move"
    position = item.shown.position
    clause = position.objection(parse_move(move, position.rules.operations))
    return "it is not allowed" if clause is None else clause.value
