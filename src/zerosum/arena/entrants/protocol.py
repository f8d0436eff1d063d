"""The bot protocol: UGI, the Universal Game Interface, with rules. This module reads and writes lines and sends none.

An `Order` goes to a bot, a `BotMessage` comes from it. Reading returns None for a line that means nothing here: both
sides ignore unknown words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zerosum.base.text import shorten

_NUMBER: Final = re.compile(r"[0-9]{1,12}")


class ProtocolError(Exception):
    """A line that begins with a known word and goes on with something unknown."""


class SimpleOrder(Enum):
    """An order that is one word."""

    UGI = "ugi"
    READY = "isready"
    NEW_GAME = "uginewgame"
    STOP = "stop"
    POLICY = "policy"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class SetOption:
    """Give an option a value."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class RulesFollow:
    """The next lines, this many, are a rules file with every key."""

    lines: int


@dataclass(frozen=True, slots=True)
class SetPosition:
    """Look at a position: the start of the game or one in text (`fen`), and the moves played since."""

    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Go:
    """Choose a move, within limits; times in milliseconds. Without any limit it is `go infinite`, until `stop`."""

    movetime: int | None = None
    clocks: tuple[int, int, int, int] | None = None
    """The time left of seat 1 and seat 2, and what each gains with a move."""
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """Ask what the bot believes: `gameover`, `p1turn` or `result`. The referee never relies on it."""

    what: str


@dataclass(frozen=True, slots=True)
class TellIllegal:
    """The last move was not legal, and why."""

    move: str
    reason: str


@dataclass(frozen=True, slots=True)
class TellResult:
    """The match is over: the seat that won, and why."""

    winner: int
    reason: str


Order = SimpleOrder | SetOption | RulesFollow | SetPosition | Go | Query | TellIllegal | TellResult
_CLOCKS: Final = ("p1time", "p2time", "p1inc", "p2inc")
_QUERIES: Final = ("gameover", "p1turn", "result")


def write_order(order: Order) -> str:
    """Return the line of an order, without its end."""
    match order:
        case SimpleOrder():
            return order.value
        case SetOption(name, value):
            return f"setoption name {name} value {value}".rstrip()
        case RulesFollow(lines):
            return f"rules {lines}"
        case SetPosition(fen, moves):
            where = "position startpos" if fen is None else f"position fen {fen}"
            return f"{where} moves {' '.join(moves)}" if moves else where
        case Go():
            return f"go {_write_limits(order)}"
        case Query(what):
            return f"query {what}"
        case TellIllegal(move, reason):
            return f"tell illegal {move} {reason}"
        case TellResult(winner, reason):
            return f"tell result {winner} {reason}"


def _write_limits(go: Go) -> str:
    parts = [] if go.clocks is None else [f"{name} {time}" for name, time in zip(_CLOCKS, go.clocks, strict=True)]
    parts += [f"{name} {value}" for name in ("movetime", "depth", "nodes") if (value := getattr(go, name)) is not None]
    return " ".join(parts) or "infinite"


def read_order(line: str) -> Order | None:
    """Return the order that a line gives, None if it is none.

    >>> read_order("position startpos moves +5 +6")
    SetPosition(fen=None, moves=('+5', '+6'))
    """
    word, _, rest = line.strip().partition(" ")
    if word in _ORDERS:
        return _ORDERS[word](rest.strip())
    return next((order for order in SimpleOrder if order.value == word), None)


def _set_option(rest: str) -> Order:
    found = re.fullmatch(r"name +(.+?)(?: +value(?: +(.*))?)?", rest)
    if found is None:
        raise ProtocolError("write: setoption name NAME value VALUE")
    return SetOption(found[1], found[2] or "")


def _at(rest: str) -> Order:
    words = rest.split()
    at = words.index("moves") if "moves" in words else len(words)
    where, moves = words[:at], tuple(words[at + 1 :])
    if where == ["startpos"]:
        return SetPosition(None, moves)
    if where[:1] == ["fen"] and where[1:]:
        return SetPosition(" ".join(where[1:]), moves)
    raise ProtocolError("write: position startpos [moves M...] or position fen POSITION [moves M...]")


def _go(rest: str) -> Order:
    words = rest.split()
    given: dict[str, int] = {}
    while words:
        name = words.pop(0)
        if name in _CLOCKS or name in ("movetime", "depth", "nodes"):
            given[name] = _number(f"go {name}", words.pop(0) if words else "")
    clocks = tuple(given.pop(name, 0) for name in _CLOCKS) if any(name in given for name in _CLOCKS) else None
    return Go(given.get("movetime"), clocks, given.get("depth"), given.get("nodes"))  # type: ignore[arg-type]  # four


def _query(rest: str) -> Order:
    if rest not in _QUERIES:
        raise ProtocolError(f"query is one of {', '.join(_QUERIES)}")
    return Query(rest)


def _tell(rest: str) -> Order | None:
    words = [*rest.split(" ", 2), "", ""]
    if words[0] == "illegal":
        return TellIllegal(words[1], words[2])
    if words[0] == "result" and words[1] in ("1", "2"):
        return TellResult(int(words[1]), words[2])
    return None


def _number(what: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ProtocolError(f"{what}: '{shorten(text)}' is not a number")
    return int(text)


_ORDERS: Final[dict[str, Callable[[str], Order | None]]] = {
    "setoption": _set_option,
    "rules": lambda rest: RulesFollow(_number("rules", rest)),
    "position": _at,
    "go": _go,
    "query": _query,
    "tell": _tell,
}


_CHANCE: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,3})?")


class SimpleMessage(Enum):
    """A message that is one word."""

    UGI_OK = "ugiok"
    READY_OK = "readyok"


@dataclass(frozen=True, slots=True)
class Identity:
    """`id name ...` or `id author ...`."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class BotOption:
    """What may be set, as the bot describes it: `name Seed type string default`."""

    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """Free text; `score` is `win N`, `loss N` or `unknown` if the bot gives one."""

    text: str
    score: str | None = None


@dataclass(frozen=True, slots=True)
class BestMove:
    """The move that is chosen, as text; empty if the bot wrote none."""

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
class ErrorMessage:
    """Why the bot cannot obey a line."""

    text: str


BotMessage = SimpleMessage | Identity | BotOption | Info | BestMove | Chances | Response | ErrorMessage
_SCORE: Final = re.compile(r"(?:^|.* )score (win [0-9]{1,6}|loss [0-9]{1,6}|unknown)(?: .*|$)")


def write_message(message: BotMessage) -> str:
    """Return the line of a message, without its end."""
    match message:
        case SimpleMessage():
            return message.value
        case Identity(key, text):
            return f"id {key} {text}"
        case BotOption(text):
            return f"option {text}"
        case Info(text, _):
            return f"info {text}"
        case BestMove(move):
            return f"bestmove {move}".rstrip()
        case Chances(chances):
            return " ".join(("policy", *(f"{move}:{chance!r}" for move, chance in chances.items())))
        case Response(text):
            return f"response {text}"
        case ErrorMessage(text):
            return f"error {text}"


def read_message(line: str) -> BotMessage | None:
    """Return what a line from a bot says, None if that is nothing.

    >>> read_message("bestmove +5"), read_message("Thinking hard...")
    (BestMove(move='+5'), None)
    """
    word, _, rest = line.strip().partition(" ")
    if word in _MESSAGES:
        return _MESSAGES[word](rest.strip())
    return next((message for message in SimpleMessage if message.value == word), None)


def _identity(rest: str) -> BotMessage | None:
    key, _, text = rest.partition(" ")
    return Identity(key, text.strip()) if key in ("name", "author") else None


def _info(rest: str) -> BotMessage:
    found = _SCORE.fullmatch(rest)
    return Info(rest, found[1] if found else None)


def _chances(rest: str) -> BotMessage:
    chances: dict[str, float] = {}
    for word in rest.split():
        move, colon, chance = word.rpartition(":")
        if not colon or not _CHANCE.fullmatch(chance) or move in chances:
            raise ProtocolError(f"policy: '{shorten(word)}' is not a move and its chance, such as +5:0.25")
        chances[move] = float(chance)
    return Chances(chances)


_MESSAGES: Final[dict[str, Callable[[str], BotMessage | None]]] = {
    "id": _identity,
    "option": BotOption,
    "info": _info,
    "bestmove": lambda rest: BestMove(rest.split(" ", 1)[0]),
    "policy": _chances,
    "response": Response,
    "error": ErrorMessage,
}
