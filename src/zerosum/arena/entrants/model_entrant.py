"""Language models as entrants: `model:NAME@URL`, any endpoint that speaks OpenAI's chat completions.

The key comes from the environment alone, and none of our messages contains it. A request that fails (429, 5xx, a
time-out, a dropped connection) is repeated with growing pauses and never counts as a move.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Event, Timer
from typing import Final
from urllib.parse import SplitResult, urlsplit

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.command_line import BadCommandError
from zerosum.arena.entrants.entrant import EntrantReply, Fault, Turn, judge_text
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle, prompt, refusal
from zerosum.arena.entrants.reply_parser import ReplyKind, read_reply
from zerosum.base.english import count
from zerosum.base.errors import ZerosumError
from zerosum.base.text import shorten
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position

MODEL: Final = "model"
KEY: Final = "ZEROSUM_MODEL_KEY"
"""The variable that holds the key of an endpoint."""
_BUSY: Final = 429
_FAILED: Final = 500
_OK: Final = 200
_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0


_NO_MODEL: Final = (
    "A model has a name and an http or https address without a user name in it: "
    "model:mine@http://127.0.0.1:8000/v1, or --model mine --url http://127.0.0.1:8000/v1."
)
"""It does not repeat the address, which may hold a password."""


class NoAnswerError(ZerosumError):
    """An endpoint that gave no answer after all tries; the run stays incomplete."""

    exit_code = 3


class _AgainError(Exception):
    """What may go better the next time; the text says what it was, and `after` when to try."""

    def __init__(self, what: str, after: float = 0.0) -> None:
        super().__init__(what)
        self.after = after


TOOLS: Final[Sequence[Mapping[str, object]]] = (
    {
        "type": "function",
        "function": {
            "name": "move",
            "description": "Make your move.",
            "parameters": {
                "type": "object",
                "properties": {"move": {"type": "string", "description": "The move, such as +5."}},
                "required": ["move"],
            },
        },
    },
)
"""The tools that are sent to an endpoint if the answer is to be a function call."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What an endpoint answered; `cut` is whether it ran into its limit of tokens."""

    text: str
    cut: bool


def _address(url: str) -> SplitResult:
    """Return the parts of an address that can be asked."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and not parts.username and parts.port != 0
    except ValueError:  # no port is that large, no bracket is closed
        good = False
    if not good:
        raise BadCommandError(_NO_MODEL)
    return parts


class Endpoint:
    """An address that answers chats."""

    def __init__(
        self,
        model: str,
        url: str,
        key_env: str = KEY,
        sleep: Callable[[float], None] = time.sleep,
        *,
        settings: Mapping[str, object] | None = None,
        tries: int = limits.TRIES,
    ) -> None:
        """Keep the address; `settings` are sent with every question, such as a temperature or tools."""
        if not model:
            raise BadCommandError(_NO_MODEL)
        self._parts = _address(url)
        self._model = model
        self._key_env = key_env
        self._sleep = sleep
        self._settings = dict(settings or {})
        self._tries = tries
        self.retries = 0
        """How often something went wrong on the way."""

    def ask(self, messages: Sequence[Mapping[str, str]], seconds: float) -> ModelReply:
        """Return the answer to a chat; repeat a request that failed if that may help."""
        body = json.dumps({"model": self._model, "messages": messages, **self._settings}).encode()
        pause = _PAUSE
        for left in reversed(range(self._tries)):
            try:
                return self._post(body, seconds)
            except _AgainError as error:
                self.retries += 1
                if not left:
                    tries = count(self._tries, "try", "tries")
                    raise NoAnswerError(f"{shorten(self._model)} gave no answer in {tries}: {error}.") from None
                self._sleep(min(max(pause, error.after), _LONGEST_PAUSE))
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise NoAnswerError("An endpoint is asked at least once.")

    def _post(self, body: bytes, seconds: float) -> ModelReply:
        parts = self._parts
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=seconds)
        key = os.environ.get(self._key_env, "")
        if not (key.isascii() and key.isprintable()):
            raise BadCommandError(f"The key in {self._key_env} has characters that no key has.")
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        path = f"{parts.path.rstrip('/')}/chat/completions{'?' if parts.query else ''}{parts.query}"
        late = Event()
        try:
            connection.connect()
            # Held apart: a connection lets go of its socket before the answer has been read.
            with _watched(connection.sock, seconds, late):
                connection.request("POST", path, body, headers)
                with connection.getresponse() as response:
                    data = response.read(limits.OUTPUT + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if late.is_set() or isinstance(error, TimeoutError):
                raise _AgainError(f"no answer in {seconds:g} seconds") from None
            # Their texts may quote what was sent, and with it the key.
            raise _AgainError(f"the connection failed ({type(error).__name__})") from None
        finally:
            connection.close()
        if late.is_set():
            raise _AgainError(f"no answer in {seconds:g} seconds")
        if response.status == _BUSY or response.status >= _FAILED:
            raise _AgainError(f"status {response.status}", _seconds(response.headers.get("Retry-After")))
        if response.status != _OK:
            raise NoAnswerError(f"{shorten(self._model)} refuses to answer: status {response.status}.")
        if len(data) > limits.OUTPUT:
            raise _AgainError(f"the answer is larger than {limits.OUTPUT >> 20} MiB")
        return _said(data, key)


@contextlib.contextmanager
def _watched(sock: socket.socket, seconds: float, late: Event) -> Iterator[None]:
    """Close a connection that sends too slowly: a socket's own time-out starts again with every byte."""

    def cut_off() -> None:
        late.set()
        with contextlib.suppress(OSError):  # closed already
            sock.shutdown(socket.SHUT_RDWR)

    watch = Timer(seconds, cut_off)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < len("10000") else 0.0


def _said(data: bytes, key: str) -> ModelReply:
    try:
        choice = json.loads(data)["choices"][0]
        message, cut = choice["message"], choice.get("finish_reason") == "length"
        calls = [one["function"]["arguments"] for one in message.get("tool_calls") or ()]
        text = message.get("content") if calls else message["content"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _AgainError("the answer is not a chat completion") from None
    text = text if isinstance(text, str) else ""
    if calls:
        # Calls are noted as the line that a reply in words would end with: two different moves are no answer there too.
        moves = [_called(one) for one in calls]
        text = f"{text}\n" if cut and None in moves else f"{text}\nMOVE: {', '.join(one or '?' for one in moves)}\n"
        text = text.lstrip()
    if key:
        text = text.replace(key, "[key]")  # an endpoint may say it back
    return ModelReply(text, cut)


def _called(arguments: object) -> str | None:
    """Return the move of a call of the function `move`, None if it has none."""
    try:
        found = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return None
    move = found.get("move") if isinstance(found, dict) else None
    return str(move) if isinstance(move, str | int) and not isinstance(move, bool) else None


class ModelEntrant:
    """The entrant `model:NAME@URL`."""

    who: Final = MODEL

    def __init__(
        self, name: str, style: PromptStyle = DEFAULT_STYLE, *, lenient: bool = False, endpoint: Endpoint | None = None
    ) -> None:
        model, _, url = name.rpartition("@")
        self._endpoint = endpoint or Endpoint(model, url)
        self.name = shorten(model)
        self._style, self._lenient = style, lenient
        self._asked: tuple[Position, list[Mapping[str, str]]] | None = None

    def begin(self, rules: Rules) -> None:
        """Forget the last match."""
        del rules
        self._asked = None

    def choose(self, turn: Turn) -> EntrantReply:
        """Ask for a move; asked again at the same position, the model sees its own answer and why it was refused."""
        if self._asked is None or self._asked[0] is not turn.position:
            self._asked = (
                turn.position,
                [{"role": "user", "content": prompt(turn, self._style, forfeits=turn.forfeits)}],
            )
        began = time.monotonic()
        said = self._endpoint.ask(self._asked[1], turn.seconds)
        self._asked[1].append({"role": "assistant", "content": said.text})
        return judge_reply(said, turn.position, time.monotonic() - began, lenient=self._lenient)

    def refuse(self, text: str, why: str) -> None:
        """Tell it that its move was not legal."""
        if self._asked is not None:
            self._asked[1].append({"role": "user", "content": refusal(text, why)})

    def chances(self, _position: Position) -> Mapping[Move, float] | None:
        """Return nothing: a model does not know its chances."""
        return None

    def end(self, outcome: Outcome) -> None:
        """Do nothing: a model remembers no match."""

    def close(self) -> None:
        """Do nothing: each question opens and closes its own connection."""


def judge_reply(said: ModelReply, position: Position, seconds: float, *, lenient: bool = False) -> EntrantReply:
    """Return what a reply in prose means: a legal move, or a fault."""
    read = read_reply(said.text, position.rules.operations, lenient=lenient, truncated=said.cut)
    if read.kind is ReplyKind.MOVE:
        return judge_text(read.move, position, seconds)
    what = "its reply was cut off" if read.kind is ReplyKind.TRUNCATED else "its reply names no single move"
    return EntrantReply(None, "", seconds, Fault.UNREADABLE, what)
