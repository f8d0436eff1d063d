"""Language models as entrants: `model:NAME@URL`, any endpoint that speaks OpenAI's chat completions.

The key comes from the environment alone, and stands in no message of ours. What goes wrong on the way (429, 5xx, a
time-out, a dropped connection) is tried again with growing pauses and never counts as a move.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from zerosum.entrants import limits
from zerosum.entrants.entrant import Fault, Reply, Turn
from zerosum.entrants.judging import judged
from zerosum.entrants.launching import BadCommandError
from zerosum.entrants.prompt import STYLE, Style, prompt, refusal
from zerosum.entrants.replies import Kind, read_reply
from zerosum.rules.errors import ZerosumError
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.numbers import shorten
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


class NoAnswerError(ZerosumError):
    """An endpoint that gave no answer, however often it was asked; the run stays incomplete."""

    exit_code = 3


class _AgainError(Exception):
    """What may go better the next time; the text says what it was, and `after` when to try."""

    def __init__(self, what: str, after: float = 0.0) -> None:
        super().__init__(what)
        self.after = after


@dataclass(frozen=True, slots=True)
class Said:
    """What an endpoint answered; `cut` is whether it ran into its limit of tokens."""

    text: str
    cut: bool


class Endpoint:
    """An address that answers chats."""

    def __init__(self, model: str, url: str, key_env: str = KEY, sleep: Callable[[float], None] = time.sleep) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or not model:
            raise BadCommandError("A model is written model:NAME@URL, such as model:mine@http://127.0.0.1:8000/v1.")
        self._parts: SplitResult = parts
        self._model = model
        self._key_env = key_env
        self._sleep = sleep
        self.retries = 0
        """How often something went wrong on the way."""

    def ask(self, messages: list[Mapping[str, str]], seconds: float) -> Said:
        """Return the answer to a chat; try again where that may help."""
        body = json.dumps({"model": self._model, "messages": messages}).encode()
        pause = _PAUSE
        for left in reversed(range(limits.TRIES)):
            try:
                return self._post(body, seconds)
            except _AgainError as error:
                self.retries += 1
                if not left:
                    tries = f"{limits.TRIES} tries"
                    raise NoAnswerError(f"{shorten(self._model)} gave no answer in {tries}: {error}.") from None
                self._sleep(min(max(pause, error.after), _LONGEST_PAUSE))
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise NoAnswerError("An endpoint is asked at least once.")

    def _post(self, body: bytes, seconds: float) -> Said:
        parts = self._parts
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=seconds)
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if key := os.environ.get(self._key_env):
            if not (key.isascii() and key.isprintable()):
                raise BadCommandError(f"The key in {self._key_env} has characters that no key has.")
            headers["Authorization"] = f"Bearer {key}"
        try:
            connection.request("POST", f"{parts.path.rstrip('/')}/chat/completions", body, headers)
            with connection.getresponse() as response:
                data = response.read(limits.OUTPUT)
        except TimeoutError:
            raise _AgainError(f"no answer in {seconds:g} seconds") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            # Their texts may quote what was sent, and with it the key.
            raise _AgainError(f"the connection failed ({type(error).__name__})") from None
        finally:
            connection.close()
        if response.status == _BUSY or response.status >= _FAILED:
            raise _AgainError(f"status {response.status}", _seconds(response.headers.get("Retry-After")))
        if response.status != _OK:
            raise NoAnswerError(f"{shorten(self._model)} refuses to answer: status {response.status}.")
        return _said(data)


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < len("10000") else 0.0


def _said(data: bytes) -> Said:
    try:
        choice = json.loads(data)["choices"][0]
        text = choice["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise _AgainError("the answer is not a chat completion") from None
    return Said(text if isinstance(text, str) else "", choice.get("finish_reason") == "length")


class Model:
    """The entrant `model:NAME@URL`."""

    who: Final = MODEL

    def __init__(
        self, name: str, style: Style = STYLE, *, lenient: bool = False, endpoint: Endpoint | None = None
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

    def choose(self, turn: Turn) -> Reply:
        """Ask for a move; asked again at the same position, the model sees its own answer and why it was refused."""
        if self._asked is None or self._asked[0] is not turn.position:
            self._asked = turn.position, [{"role": "user", "content": prompt(turn, self._style)}]
        began = time.monotonic()
        said = self._endpoint.ask(self._asked[1], turn.seconds)
        self._asked[1].append({"role": "assistant", "content": said.text})
        return understood(said, turn.position, time.monotonic() - began, lenient=self._lenient)

    def refuse(self, text: str, why: str) -> None:
        """Tell it that its move was not legal."""
        if self._asked is not None:
            self._asked[1].append({"role": "user", "content": refusal(text, why)})

    def chances(self, position: Position) -> Mapping[Move, float] | None:  # noqa: ARG002 - the interface's own
        """Return nothing: a model does not know its chances."""
        return None

    def end(self, outcome: Outcome) -> None:
        """Do nothing: a model remembers no match."""

    def close(self) -> None:
        """Do nothing: every question has a connection of its own."""


def understood(said: Said, position: Position, seconds: float, *, lenient: bool = False) -> Reply:
    """Return what a reply in prose comes to: a legal move, or a fault."""
    read = read_reply(said.text, position.rules.operations, lenient=lenient, truncated=said.cut)
    if read.kind is Kind.MOVE:
        return judged(read.move, position, seconds)
    what = "its reply was cut off" if read.kind is Kind.TRUNCATED else "its reply names no single move"
    return Reply(None, "", seconds, Fault.UNREADABLE, what)
