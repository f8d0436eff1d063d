"""Built-in players as bots: they read the protocol and answer, for any program that can talk to a bot.

They choose at once, so only `go infinite` is a search that goes on: its answer waits for `stop`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TextIO

from zerosum.arena.entrants import limits, protocol
from zerosum.arena.entrants.entrant import Turn
from zerosum.arena.entrants.open_entrant import Computer
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

    def __init__(self, who: str, seed: str, say: Callable[[protocol.BotMessage], None]) -> None:
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
            protocol.SetOption: self._set_option,
            protocol.RulesFollow: self._follow,
            protocol.SetPosition: self._look,
            protocol.Go: self._go,
            protocol.Query: self._answer,
            **dict.fromkeys((protocol.TellIllegal, protocol.TellResult), lambda _told: None),
        }
        self._words: Mapping[protocol.SimpleOrder, Callable[[], None]] = {
            protocol.SimpleOrder.UGI: self._introduce,
            protocol.SimpleOrder.READY: self._ready,
            protocol.SimpleOrder.NEW_GAME: self._new_game,
            protocol.SimpleOrder.STOP: self._stop,
            protocol.SimpleOrder.POLICY: self._policy,
            protocol.SimpleOrder.QUIT: lambda: None,
        }

    def take(self, line: str) -> bool:
        """Obey a line; return whether to go on."""
        if self._due:
            self._take_rules(line)
            return True
        try:
            order = protocol.read_order(line)
            if isinstance(order, protocol.SimpleOrder):
                self._words[order]()
            elif order is not None:
                self._obey[type(order)](order)
        except (protocol.ProtocolError, ZerosumError) as error:
            self._say(protocol.ErrorMessage(printable(str(error))))
        else:
            return order is not protocol.SimpleOrder.QUIT
        return True

    def _introduce(self) -> None:
        self._say(protocol.Identity("name", self._computer.name))
        self._say(protocol.Identity("author", "zerosum"))
        self._say(protocol.BotOption(f"name {_SEED} type string default"))
        self._say(protocol.SimpleMessage.UGI_OK)

    def _ready(self) -> None:
        try:
            if not self._thinking:
                self._computer.begin(self._rules)
        finally:
            self._say(protocol.SimpleMessage.READY_OK)  # also if a game is too large: the error follows

    def _new_game(self) -> None:
        self._position, self._thinking = start_position(self._rules), False

    def _set_option(self, option: protocol.SetOption) -> None:
        if option.name.lower() == _SEED.lower():
            self._seed, self._chosen = option.value, 0

    def _follow(self, rules: protocol.RulesFollow) -> None:
        if not 0 < rules.lines <= _MOST_LINES:
            raise protocol.ProtocolError(f"rules have 1 to {_MOST_LINES} lines")
        self._due, self._lines = rules.lines, []

    def _take_rules(self, line: str) -> None:
        self._due -= 1
        self._lines.append(line)
        if self._due:
            return
        try:
            self._rules = load_text("\n".join(self._lines))
        except ZerosumError as error:
            self._say(protocol.ErrorMessage(printable(f"rules: {error}")))
        else:
            self._position = start_position(self._rules)

    def _look(self, at: protocol.SetPosition) -> None:
        position = start_position(self._rules) if at.fen is None else parse_position(at.fen, self._rules)
        for n, text in enumerate(at.moves, 1):
            _, position = play_numbered(position, text, n)
        self._position = position

    def _go(self, go: protocol.Go) -> None:
        if self._position.outcome is not None:
            raise protocol.ProtocolError("the match is over; give a position in which there is a move")
        if go == protocol.Go():
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
        self._say(protocol.BestMove(self._computer.choose(Turn(position, (), position, 0, seed)).text))

    def _policy(self) -> None:
        if self._position.outcome is not None:
            raise protocol.ProtocolError("the match is over")
        chances = self._computer.chances(self._position)
        self._say(protocol.Chances({self._position.text_of(move): chance for move, chance in chances.items()}))

    def _answer(self, query: protocol.Query) -> None:
        outcome = self._position.outcome
        results = {None: "none", Seat.FIRST: "p1win", Seat.SECOND: "p2win"}
        answers = {
            "gameover": str(outcome is not None).lower(),
            "p1turn": str(self._position.seat is Seat.FIRST).lower(),
            "result": results[outcome.winner if outcome else None],
        }
        self._say(protocol.Response(answers[query.what]))


def run_builtin_bot(who: str, seed: str, lines: Iterable[str], out: TextIO) -> None:
    """Answer lines until there are no more, or until `quit`."""

    def say(said: protocol.BotMessage) -> None:
        out.write(f"{protocol.write_message(said)}\n")
        out.flush()

    speaker = BuiltinBot(who, seed, say)
    for line in lines:
        if len(line) <= limits.LINE_TO_BOT and not speaker.take(line.rstrip("\r\n")):
            return
