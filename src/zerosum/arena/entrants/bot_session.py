"""A conversation with a process that speaks the protocol.

Every `go` is answered by one `bestmove`. `isready` stands before each `go` in the same write, so whatever `bestmove`
comes before its `readyok` was not asked for and is dropped; a bot that was late owes one, and must give it before it is
asked anything else, or it is started again. So no old answer is ever taken for a new one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot_process import Process, UnreadableError
from zerosum.arena.entrants.command_line import BOUNDS, Bounds
from zerosum.arena.entrants.entrant import Turn
from zerosum.arena.entrants.protocol import (
    BestMove,
    BotMessage,
    Go,
    Identity,
    Info,
    Order,
    ProtocolError,
    RulesFollow,
    SetPosition,
    SimpleMessage,
    SimpleOrder,
    read_message,
    write_order,
)
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import Rules
from zerosum.rules.moves import format_move
from zerosum.rules.position import start_position

_KEPT: Final = 5


class SilentError(Exception):
    """The bot has not answered in time."""


class BotSession:
    """A conversation with a process that speaks the protocol."""

    def __init__(self, command: Sequence[str], bounds: Bounds = BOUNDS) -> None:
        self.process = Process(command, bounds)
        self.name = ""
        self.author = ""
        self.owed = 0
        """How many `bestmove`s it still has to give."""
        self.unasked = 0
        """How many it gave that nobody had asked for."""
        self.odd: deque[str] = deque(maxlen=_KEPT)
        """The last lines that are no protocol."""

    def order(self, *orders: Order) -> None:
        """Send orders."""
        self.process.say(*map(write_order, orders))

    def hear(self, deadline: float) -> BotMessage | None:
        """Return the message in the next line. Raises SilentError if none comes in time."""
        line = self.process.hear(deadline)
        if line is None:
            raise SilentError
        try:
            said = read_message(line)
        except ProtocolError as error:
            raise UnreadableError(str(error)) from None
        if isinstance(said, BestMove):
            self.unasked += not self.owed
            self.owed -= bool(self.owed)
        elif said is None and line.strip():
            self.odd.append(line)
        return said

    def await_(self, what: SimpleMessage, deadline: float) -> None:
        """Wait for `ugiok` or `readyok`; what comes before it is looked at and dropped."""
        while (said := self.hear(deadline)) is not what:
            if isinstance(said, Identity):
                setattr(self, said.key, said.text)

    def greet(self, deadline: float) -> None:
        """Ask who it is."""
        self.order(SimpleOrder.UGI)
        self.await_(SimpleMessage.UGI_OK, deadline)

    def begin(self, rules: Rules, deadline: float) -> None:
        """Tell it the rules, and wait until it is ready for a new game."""
        lines = rules_lines(rules)
        self.process.say(write_order(RulesFollow(len(lines))), *lines)
        self.order(SimpleOrder.NEW_GAME, SimpleOrder.READY)
        self.await_(SimpleMessage.READY_OK, deadline)

    def await_owed(self, deadline: float) -> None:
        """Wait until it has answered the last question, after it was asked to stop."""
        while self.owed:
            self.hear(deadline)

    def go(self, at: SetPosition, go: Go, deadline: float) -> tuple[BestMove, str | None, float]:
        """Ask for a move; return it with the bot's last score of the position and the seconds it took."""
        self.process.say(write_order(at), SimpleOrder.READY.value, write_order(go))
        began = monotonic()
        self.owed += 1
        score: str | None = None
        ready = False
        while True:
            said = self.hear(deadline)
            if isinstance(said, BestMove):
                if ready:
                    return said, score, monotonic() - began
                self.owed += 1  # it was not asked for
                self.unasked += 1
            elif said is SimpleMessage.READY_OK:
                ready = True
            elif isinstance(said, Info) and said.score:
                score = said.score


def rules_lines(rules: Rules) -> list[str]:
    """Return the lines of a rules file as bots get it: one key a line, every value JSON too.

    A copy of rules has no worked examples, which would need tables.
    """
    return write_rules(replace(rules)).splitlines()


def position_order(turn: Turn) -> SetPosition:
    """Return the order that sets a position: by the moves that led to it, or alone if that line is too long."""
    operations = turn.position.rules.operations
    moves = tuple(format_move(move, operations) for move in turn.moves)
    fen = None if turn.start == start_position(turn.start.rules) else str(turn.start)
    at = SetPosition(fen, moves)
    return at if len(write_order(at)) < limits.LINE_TO_BOT else SetPosition(str(turn.position))
