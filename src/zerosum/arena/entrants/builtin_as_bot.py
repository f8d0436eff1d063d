"""Built-in players as bots: they read the protocol and answer, for any program that can talk to a bot.

They choose at once, so only `go infinite` is a search that goes on: its answer waits for `stop`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TextIO

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.entrant import Turn
from zerosum.arena.entrants.open_entrant import Computer
from zerosum.arena.entrants.protocol import (
    BestMove,
    BotMessage,
    BotOption,
    Chances,
    ErrorMessage,
    Go,
    Identity,
    Order,
    ProtocolError,
    Query,
    Response,
    RulesFollow,
    SetOption,
    SetPosition,
    SimpleMessage,
    SimpleOrder,
    TellIllegal,
    TellResult,
    read_order,
    write_message,
)
from zerosum.base.errors import ZerosumError
from zerosum.base.text import printable
from zerosum.rules.game_files import built_in, load_text
from zerosum.rules.model import Seat
from zerosum.rules.notation import parse_position, play_numbered
from zerosum.rules.position import Position, start_position
from zerosum.strategy.card_player import PLAYERS

_FIRST_GAME: Final = "sum31"
_SEED: Final = "Seed"
_MOST_LINES: Final = 100


class BuiltinBot:
    """A player that answers orders; `take` is given every line."""

    def __init__(self, who: str, seed: str, say: Callable[[BotMessage], None]) -> None:
        self._computer = Computer(PLAYERS.find(who, human=False))
        self._seed = seed
        self._say = say
        self._chosen = 0
        self._rules = built_in(_FIRST_GAME)
        self._position: Position = start_position(self._rules)
        self._due = 0
        """Lines of a rules file that are still to come."""
        self._lines: list[str] = []
        self._thinking = False
        self._obey: Mapping[type, Callable[..., None]] = {
            SetOption: self._set_option,
            RulesFollow: self._follow,
            SetPosition: self._look,
            Go: self._go,
            Query: self._answer,
            TellIllegal: lambda _told: None,
            TellResult: lambda _told: None,
        }
        self._words: Mapping[SimpleOrder, Callable[[], None]] = {
            SimpleOrder.UGI: self._introduce,
            SimpleOrder.READY: self._ready,
            SimpleOrder.NEW_GAME: self._new_game,
            SimpleOrder.STOP: self._stop,
            SimpleOrder.POLICY: self._policy,
            SimpleOrder.QUIT: lambda: None,
        }

    def take(self, line: str) -> bool:
        """Obey a line; return whether to go on."""
        if self._due:
            self._take_rules(line)
            return True
        try:
            order = read_order(line)
            if order is not None:
                self._take(order)
        except (ProtocolError, ZerosumError) as error:
            self._say(ErrorMessage(printable(str(error))))
        else:
            return order is not SimpleOrder.QUIT
        return True

    def _take(self, order: Order) -> None:
        if isinstance(order, SimpleOrder):
            self._words[order]()
        else:
            self._obey[type(order)](order)

    def _introduce(self) -> None:
        self._say(Identity("name", self._computer.name))
        self._say(Identity("author", "zerosum"))
        self._say(BotOption(f"name {_SEED} type string default"))
        self._say(SimpleMessage.UGI_OK)

    def _ready(self) -> None:
        try:
            if not self._thinking:
                self._computer.begin(self._rules)
        finally:
            self._say(SimpleMessage.READY_OK)  # also if a game is too large: the error follows

    def _new_game(self) -> None:
        self._position, self._thinking = start_position(self._rules), False

    def _set_option(self, option: SetOption) -> None:
        if option.name.lower() == _SEED.lower():
            self._seed, self._chosen = option.value, 0

    def _follow(self, rules: RulesFollow) -> None:
        if not 0 < rules.lines <= _MOST_LINES:
            raise ProtocolError(f"rules have 1 to {_MOST_LINES} lines")
        self._due, self._lines = rules.lines, []

    def _take_rules(self, line: str) -> None:
        self._due -= 1
        self._lines.append(line)
        if self._due:
            return
        try:
            self._rules = load_text("\n".join(self._lines))
        except ZerosumError as error:
            self._say(ErrorMessage(printable(f"rules: {error}")))
        else:
            self._position = start_position(self._rules)

    def _look(self, at: SetPosition) -> None:
        position = start_position(self._rules) if at.fen is None else parse_position(at.fen, self._rules)
        for n, text in enumerate(at.moves, 1):
            _, position = play_numbered(position, text, n)
        self._position = position

    def _go(self, go: Go) -> None:
        if self._position.outcome is not None:
            raise ProtocolError("the match is over; give a position in which there is a move")
        if go == Go():
            self._thinking = True
        else:
            self._move()

    def _stop(self) -> None:
        if self._thinking:
            self._move()

    def _move(self) -> None:
        self._thinking = False
        position, seed = self._position, f"{self._seed}/{self._chosen}"
        self._chosen += 1
        self._say(BestMove(self._computer.choose(Turn(position, (), position, 0, seed)).text))

    def _policy(self) -> None:
        if self._position.outcome is not None:
            raise ProtocolError("the match is over")
        chances = self._computer.chances(self._position)
        self._say(Chances({self._position.text_of(move): chance for move, chance in chances.items()}))

    def _answer(self, query: Query) -> None:
        outcome = self._position.outcome
        results = {None: "none", Seat.FIRST: "p1win", Seat.SECOND: "p2win"}
        answers = {
            "gameover": str(outcome is not None).lower(),
            "p1turn": str(self._position.seat is Seat.FIRST).lower(),
            "result": results[outcome.winner if outcome else None],
        }
        self._say(Response(answers[query.what]))


def run_builtin_bot(who: str, seed: str, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until there are no more, or until `quit`."""

    def say(said: BotMessage) -> None:
        out.write(f"{write_message(said)}\n")
        out.flush()

    speaker = BuiltinBot(who, seed, say)
    for line in lines:
        if len(line) <= limits.LINE_TO_BOT and not speaker.take(line.rstrip("\r\n")):
            return
