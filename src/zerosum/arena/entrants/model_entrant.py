"""Language models as entrants: `model:NAME@URL`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

from zerosum.arena.entrants.entrant import EntrantReply, Fault, Turn, judge_text
from zerosum.arena.entrants.model_endpoint import Endpoint, ModelReply
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle, prompt, refusal
from zerosum.arena.entrants.reply_parser import ReplyKind, read_reply
from zerosum.base.text import shorten
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position

MODEL: Final = "model"


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
    if said.refused:
        return EntrantReply(None, "", seconds, Fault.UNREADABLE, "it refused to answer")
    read = read_reply(said.text, position.rules.operations, lenient=lenient, truncated=said.cut)
    if read.kind is ReplyKind.MOVE:
        return judge_text(read.move, position, seconds)
    what = "its reply was cut off" if read.kind is ReplyKind.TRUNCATED else "its reply names no single move"
    return EntrantReply(None, "", seconds, Fault.UNREADABLE, what)
