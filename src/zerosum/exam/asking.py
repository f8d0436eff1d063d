"""Who is examined: a model behind an endpoint, or a command that stands for one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from zerosum.entrants.command import hear
from zerosum.entrants.launching import Bounds, split_command
from zerosum.entrants.model import KEY, TOOLS, Endpoint, NoAnswerError, Said
from zerosum.entrants.prompt import Format, Style, refusal
from zerosum.exam import limits
from zerosum.exam.items import Item
from zerosum.exam.scoring import Kind, grade
from zerosum.rules.moves import parse_move
from zerosum.rules.numbers import shorten

Messages = Sequence[Mapping[str, str]]
_PAUSE: Final = 0.5
_COMMAND_TRIES: Final = 3


class Asker(Protocol):
    """Somebody who can be asked, by several threads at once."""

    def ask(self, messages: Messages) -> Said:
        """Return the reply to a chat; raise a `NoAnswerError` where there is none."""


class ModelAsker:
    """An endpoint that speaks OpenAI's chat completions."""

    def __init__(
        self,
        model: str,
        url: str,
        seconds: float,
        style: Style,
        *,
        key_env: str = KEY,
        settings: Mapping[str, object] | None = None,
        retries: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        tools: Mapping[str, object] = {"tools": TOOLS} if style.format is Format.TOOL else {}
        more = {} if retries is None else {"tries": retries}
        self._endpoint = Endpoint(model, url, key_env, sleep, settings={**(settings or {}), **tools}, **more)
        self._seconds = seconds

    def ask(self, messages: Messages) -> Said:
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

    def ask(self, messages: Messages) -> Said:
        """Run the command; one that fails is run again, and a failure is never a reply."""
        text = "\n".join(one["content"] for one in messages if one["role"] == "user")
        pause = _PAUSE
        for left in reversed(range(self._retries)):
            heard = hear(self._command, text, self._seconds, self._bounds)
            if heard.fault is None:
                key = os.environ.get(self._key_env, "") if self._key_env else ""
                return Said(heard.text.replace(key, "[key]") if key else heard.text, cut=False)
            if left:
                self._sleep(pause)
                pause *= 2
        tries = f"{self._retries} {'try' if self._retries == 1 else 'tries'}"
        raise NoAnswerError(f"{shorten(self.name)} gave no reply in {tries}: {heard.detail}.")


def replies_to(item: Item, asker: Asker, style: Style, tries: int, *, lenient: bool) -> list[Said]:
    """Ask an item, again where the reply is no legal move and a try is left; return every reply."""
    messages = [{"role": "user", "content": item.prompt(style)}]
    found: list[Said] = []
    while True:
        said = asker.ask(messages)
        said = Said(said.text[-limits.REPLY_CHARACTERS :], said.cut)
        found.append(said)
        graded = grade(item, said.text, truncated=said.cut, lenient=lenient)
        if graded.kind is Kind.MOVE or len(found) >= tries:
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
