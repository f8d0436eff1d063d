"""Endpoints of language models: any address that speaks OpenAI's chat completions.

The key comes from the environment alone, and none of our messages contains it. A request that fails (429, 5xx, a
time-out, a dropped connection) is repeated with growing pauses and never counts as an answer.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event, Timer
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.command_line import BadCommandError
from zerosum.base.english import count
from zerosum.base.errors import ZerosumError
from zerosum.base.files import read_text
from zerosum.base.text import printable, shorten

KEY: Final = "ZEROSUM_MODEL_KEY"
"""The variable that holds the key of an endpoint."""
MASK: Final = "[key]"
"""What stands where an endpoint says the key back."""
_BUSY: Final = 429
_FAILED: Final = 500
_OK: Final = 200
_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_LONGEST_WISH: Final = 120.0
"""Seconds that an endpoint may ask us to wait, by Retry-After."""
_NAME: Final = 100
"""Characters of a model's own name or of a finish reason that are kept."""
_SENTENCE: Final = 300
_MOST_TOKENS: Final = 10**12
_REFUSED: Final = frozenset({"content_filter", "refusal"})
"""Finish reasons of a reply that was withheld."""
_SPOKEN: Final = frozenset({"text", "output_text"})
"""The types of the parts of a message that are its answer; others are thoughts or pictures."""

Messages = Sequence[Mapping[str, Any]]

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

    def __init__(self, what: str, after: float = 0.0, *, busy: bool = False) -> None:
        super().__init__(what)
        self.after = after
        self.busy = busy


MOVE_TOOL: Final[Mapping[str, object]] = {
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
}
"""The tool that is sent to an endpoint if the answer is to be a function call."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a reply took, as far as the endpoint says; of several requests, all together."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    """The tokens of the answer, thoughts included."""
    reasoning_tokens: int | None = None
    """Of them, those of thoughts."""
    seconds: float | None = None
    """From the request to the last byte of the answer, without failures and pauses before it."""
    finish: str = ""
    """Why the endpoint stopped, in its own word."""
    model: str = ""
    calls: int = 0
    """How many calls of tools were answered on the way."""

    def after(self, earlier: Usage) -> Usage:
        """Return this and what an earlier request took, added up."""
        added: dict[str, Any] = {}
        for name in ("prompt_tokens", "completion_tokens", "reasoning_tokens", "seconds", "calls"):
            one, two = getattr(earlier, name), getattr(self, name)
            added[name] = two if one is None else one if two is None else one + two
        return replace(self, **added)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool other than `move`, which somebody has to answer."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What an endpoint answered."""

    text: str
    cut: bool
    """Whether it ran into its limit of tokens."""
    refused: bool = False
    """Whether the model, or a filter before it, refused to answer; the text then says why."""
    usage: Usage = Usage()
    calls: tuple[ToolCall, ...] = ()
    """The calls of tools that it waits for."""


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


def key_of(variable: str) -> str:
    """Return the key that a variable holds, or the first line of the file that VARIABLE_FILE names; none is empty."""
    path = os.environ.get(f"{variable}_FILE", "")
    if os.environ.get(variable) or not path:
        return os.environ.get(variable, "")
    return read_text(path, limits.KEY_FILE_BYTES).partition("\n")[0].strip()


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

    def ask(self, messages: Messages, seconds: float, **settings: object) -> ModelReply:
        """Return the answer to a chat; repeat a request that failed if that may help.

        An endpoint that is busy (429) gets at least `limits.BUSY_SECONDS` of pauses, however few tries there are.
        """
        body = json.dumps({"model": self._model, "messages": messages, **self._settings, **settings}).encode()
        pause, waited, tried = _PAUSE, 0.0, 0
        while True:
            try:
                return self._post(body, seconds)
            except _AgainError as error:
                self.retries += 1
                tried += 1
                if tried >= self._tries and not (error.busy and waited < limits.BUSY_SECONDS):
                    tries = count(tried, "try", "tries")
                    raise NoAnswerError(f"{shorten(self._model)} gave no answer in {tries}: {error}.") from None
                wait = max(pause, min(error.after, _LONGEST_WISH))
                self._sleep(wait)
                waited += wait if error.busy else 0.0
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _post(self, body: bytes, seconds: float) -> ModelReply:
        parts = self._parts
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=seconds)
        key = key_of(self._key_env)
        if not (key.isascii() and key.isprintable()):
            raise BadCommandError(f"The key in {self._key_env} has characters that no key has.")
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        path = f"{parts.path.rstrip('/')}/chat/completions{'?' if parts.query else ''}{parts.query}"
        late = Event()
        began = time.monotonic()
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
        self._check(response, data, key)
        reply = _said(data, key)
        return replace(reply, usage=replace(reply.usage, seconds=round(time.monotonic() - began, 3)))

    def _check(self, response: http.client.HTTPResponse, data: bytes, key: str) -> None:
        """Raise an error if an answer is none, with the endpoint's own sentence about it."""
        status = response.status
        if status == _OK and len(data) > limits.OUTPUT:
            raise _AgainError(f"the answer is larger than {limits.OUTPUT >> 20} MiB")
        if status == _OK:
            return
        sentence = _complaint(data, key)
        what = f'status {status}, "{sentence}"' if sentence else f"status {status}"
        if status == _BUSY or status >= _FAILED:
            raise _AgainError(what, _seconds(response.headers.get("Retry-After")), busy=status == _BUSY)
        raise NoAnswerError(f"{shorten(self._model)} refuses to answer: {what}.")


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
    """Return how long an endpoint asks us to wait; nothing if it names a date."""
    return float(text) if text and re.fullmatch(r"[0-9]{1,4}(?:\.[0-9]{1,6})?", text) else 0.0


def _complaint(data: bytes, key: str) -> str:
    """Return what an endpoint says about an error, in one line without the key; nothing if it says nothing."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        text = data.decode(errors="replace").strip()
        found = "" if text.startswith("<") else text  # a page is no sentence
    for name in ("error", "message", "detail"):
        if isinstance(found, dict) and name in found:
            found = found[name]
    if not isinstance(found, str):
        return ""
    return _shown(found, key, _SENTENCE).rstrip(".")


def _shown(text: object, key: str, most: int) -> str:
    """Return a text of an endpoint as it may be kept and shown; nothing if it is none."""
    if not isinstance(text, str):
        return ""
    plain = _masked(" ".join(text.split()), key)
    return printable(plain if len(plain) <= most else f"{plain[: most - 1]}…")


def _masked(text: str, key: str) -> str:
    return text.replace(key, MASK) if key else text


def _said(data: bytes, key: str) -> ModelReply:
    """Return what a completion says."""
    try:
        found = json.loads(data)
        choice = found["choices"][0]
        message, finish = choice["message"], choice.get("finish_reason")
        calls = [_call(one) for one in message.get("tool_calls") or ()]
        refusal = message.get("refusal")
        content = message.get("content") if calls or refusal else message["content"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _AgainError("the answer is not a chat completion") from None
    text, withheld = _spoken(content)
    withheld = refusal or withheld
    refused = bool(withheld) or finish in _REFUSED
    if refused and isinstance(withheld, str):
        text = f"{text}\n{withheld}".strip()
    cut = finish == "length"
    moves = [_called(call.arguments) for call in calls if call.name.rpartition(".")[2] == "move"]
    if moves:
        text = _with_moves(text, moves, cut=cut)
    ended, model = _shown(finish, key, _NAME), _shown(found.get("model"), key, _NAME)
    usage = replace(_usage(found.get("usage")), finish=ended, model=model)
    return ModelReply(_masked(text, key), cut, refused, usage, () if moves else tuple(calls))


def _with_moves(text: str, moves: Sequence[str | None], *, cut: bool) -> str:
    """Return a text with calls noted as the line that a reply in words ends with: two moves are no answer there too."""
    line = "" if cut and None in moves else f"MOVE: {', '.join(move or '?' for move in moves)}\n"
    return f"{text}\n{line}".lstrip()


def _spoken(content: object) -> tuple[str, object]:
    """Return the text of a message, which may come in parts, and a refusal among them."""
    if not isinstance(content, list):
        return (content if isinstance(content, str) else ""), None
    texts: list[str] = []
    withheld: object = None
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            withheld = part.get("refusal") or withheld
            text = part.get("text")
            if isinstance(text, str) and part.get("type", "text") in _SPOKEN:
                texts.append(text)
    return "".join(texts), withheld


def _usage(found: object) -> Usage:
    """Return the tokens that an endpoint counts, under either of the names that are in use."""
    if not isinstance(found, dict):
        return Usage()
    details = found.get("completion_tokens_details") or found.get("output_tokens_details")
    return Usage(
        prompt_tokens=_tokens(found.get("prompt_tokens", found.get("input_tokens"))),
        completion_tokens=_tokens(found.get("completion_tokens", found.get("output_tokens"))),
        reasoning_tokens=_tokens(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
    )


def _tokens(found: object) -> int | None:
    return found if type(found) is int and 0 <= found < _MOST_TOKENS else None


def _call(found: Any) -> ToolCall:
    """Return a call of a tool; its arguments are text, or an object at some endpoints."""
    function = found["function"]
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(str(found.get("id") or "call"), str(function.get("name") or "move"), text)


def _called(arguments: str) -> str | None:
    """Return the move of a call of the function `move`, None if it has none."""
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    move = found.get("move") if isinstance(found, dict) else None
    return str(move) if isinstance(move, str | int) and not isinstance(move, bool) else None
