"""The bot protocol, lines from a bot: read here, and written for our own players (`speaker.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zerosum.arena.entrants.to_bot import ProtocolError
from zerosum.base.numbers import shorten

_CHANCE: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,3})?")


class Short(Enum):
    """An utterance that is one word."""

    UGI_OK = "ugiok"
    READY_OK = "readyok"


@dataclass(frozen=True, slots=True)
class Identity:
    """`id name ...` or `id author ...`."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """What may be set, as the bot describes it: `name Seed type string default`."""

    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """Free text; `score` is `win N`, `loss N` or `unknown` where the bot gives one."""

    text: str
    score: str | None = None


@dataclass(frozen=True, slots=True)
class BestMove:
    """The move that is chosen, as text; empty where the bot wrote none."""

    move: str


@dataclass(frozen=True, slots=True)
class Chances:
    """The chance of every move at the position, as the bot would choose; moves that are not named have none."""

    chances: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a query."""

    text: str


@dataclass(frozen=True, slots=True)
class Complaint:
    """A line that the bot cannot obey, and why."""

    text: str


Utterance = Short | Identity | Option | Info | BestMove | Chances | Response | Complaint
_SCORE: Final = re.compile(r"(?:^|.* )score (win [0-9]{1,6}|loss [0-9]{1,6}|unknown)(?: .*|$)")


def write_utterance(said: Utterance) -> str:
    """Return the line of an utterance, without its end."""
    match said:
        case Short():
            return said.value
        case Identity(key, text):
            return f"id {key} {text}"
        case Option(text):
            return f"option {text}"
        case Info(text, _):
            return f"info {text}"
        case BestMove(move):
            return f"bestmove {move}".rstrip()
        case Chances(chances):
            return " ".join(("policy", *(f"{move}:{chance!r}" for move, chance in chances.items())))
        case Response(text):
            return f"response {text}"
        case Complaint(text):
            return f"error {text}"


def read_utterance(line: str) -> Utterance | None:
    """Return what a line from a bot says, None if that is nothing.

    >>> read_utterance("bestmove +5"), read_utterance("Thinking hard...")
    (BestMove(move='+5'), None)
    """
    word, _, rest = line.strip().partition(" ")
    reader = _UTTERANCES.get(word)
    return None if reader is None else reader(rest.strip())


def _identity(rest: str) -> Utterance | None:
    key, _, text = rest.partition(" ")
    return Identity(key, text.strip()) if key in ("name", "author") else None


def _info(rest: str) -> Utterance:
    found = _SCORE.fullmatch(rest)
    return Info(rest, found[1] if found else None)


def _chances(rest: str) -> Utterance:
    chances: dict[str, float] = {}
    for word in rest.split():
        move, colon, chance = word.rpartition(":")
        if not colon or not _CHANCE.fullmatch(chance) or move in chances:
            raise ProtocolError(f"policy: '{shorten(word)}' is not a move and its chance, such as +5:0.25")
        chances[move] = float(chance)
    return Chances(chances)


_UTTERANCES: Final[dict[str, Callable[[str], Utterance | None]]] = {
    **{short.value: lambda _rest, short=short: short for short in Short},  # type: ignore[misc]  # as `_word` above
    "id": _identity,
    "option": Option,
    "info": _info,
    "bestmove": lambda rest: BestMove(rest.split(" ", 1)[0]),
    "policy": _chances,
    "response": Response,
    "error": Complaint,
}
