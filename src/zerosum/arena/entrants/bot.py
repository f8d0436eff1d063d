"""The entrant `bot:COMMAND`: started, asked for moves, started again after it failed, ended."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot_process import EndedError, UnreadableError
from zerosum.arena.entrants.bot_session import BotSession, SilentError, position_order
from zerosum.arena.entrants.command_line import BOUNDS, Bounds, missing_file, split_command
from zerosum.arena.entrants.entrant import EntrantReply, Fault, Turn, WithdrawnError, chances_from_bot, judge_text
from zerosum.arena.entrants.protocol import (
    Chances,
    Go,
    SetPosition,
    SimpleMessage,
    SimpleOrder,
    TellIllegal,
    TellResult,
)
from zerosum.base.errors import ZerosumError
from zerosum.base.limits import NAME_LENGTH
from zerosum.base.text import check_player_name, shorten
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position

BOT: Final = "bot"
_NAMELESS: Final = "Bot"
_FAILURES: Final = (EndedError, UnreadableError, SilentError)


def shown_name(text: str) -> str:
    r"""Return a bot's name as it may be shown: without what cannot be, and not too long.

    >>> shown_name("Ev\x1b[31mil  Bot"), shown_name("\x07")
    ('Ev[31mil Bot', 'Bot')
    """
    plain = " ".join("".join(c if c.isprintable() else "" for c in text).split())
    try:
        return check_player_name(plain[:NAME_LENGTH].strip())
    except ZerosumError:
        return _NAMELESS


class Bot:
    """The entrant `bot:COMMAND`."""

    who: Final = BOT

    def __init__(self, command: str, bounds: Bounds = BOUNDS) -> None:
        """Remember the command; it is started by the first match, or by `start`."""
        self._command = split_command(command)
        self._bounds = bounds
        self._talk: BotSession | None = None
        self._rules: Rules | None = None
        self._failures = 0
        self._failed = False
        self.name = _NAMELESS

    def start(self) -> None:
        """Start it and learn its name; an error says what is wrong."""
        talk = BotSession(self._command, self._bounds)
        try:
            talk.greet(monotonic() + self._bounds.start)
        except _FAILURES as error:
            why = str(error) or f"it did not say ugiok in {self._bounds.start:g} seconds"
            last = talk.process.complaints
            talk.process.close()
            absent = missing_file(self._command)
            hint = f" There is no file '{shorten(absent)}' here." if absent else f" It said: {last}" if last else ""
            raise WithdrawnError(f"The bot does not start: {why}.{hint}") from None
        except BaseException:
            talk.process.close()
            raise
        self._talk, self._rules = talk, None
        self.name = shown_name(talk.name)

    def begin(self, rules: Rules) -> None:
        """Get ready for a match; a bot that failed in the last one is started again."""
        while self._failures <= limits.STARTS:
            if self._talk is None:
                self.start()
            talk = self._running()
            try:
                talk.await_owed(monotonic() + self._bounds.quit)
                talk.begin(rules, monotonic() + self._bounds.start)
            except _FAILURES:
                self._drop()
                self._failures += 1
            else:
                self._rules, self._failed = rules, False
                return
        raise WithdrawnError(f"{self.name} failed {self._failures} times in a row and is withdrawn.")

    def _running(self) -> BotSession:
        if self._talk is None:
            raise WithdrawnError("The bot is not running.")
        return self._talk

    def choose(self, turn: Turn) -> EntrantReply:
        """Ask for a move."""
        if self._talk is None or self._rules != turn.position.rules:
            self.begin(turn.position.rules)
        talk = self._running()
        milliseconds = max(int(turn.seconds * 1000), 1)
        deadline = monotonic() + turn.seconds + self._bounds.margin
        try:
            best, score, seconds = talk.go(position_order(turn), Go(movetime=milliseconds), deadline)
        except SilentError:
            talk.order(SimpleOrder.STOP)
            return self._lost(Fault.TIME, f"no move within {milliseconds} ms", turn.seconds)
        except EndedError as error:
            return self._lost(Fault.CRASH, str(error), wrote=self._drop())
        except UnreadableError as error:
            return self._lost(Fault.UNREADABLE, str(error), wrote=self._drop())
        return judge_text(best.move, turn.position, seconds, score)

    def _lost(self, fault: Fault, detail: str, seconds: float = 0.0, wrote: str = "") -> EntrantReply:
        self._failed = True
        return EntrantReply(None, "", seconds, fault, detail, wrote=wrote)

    def _drop(self) -> str:
        """Give the process up; return the last line of its standard error."""
        if self._talk is None:
            return ""
        process, self._talk = self._talk.process, None
        process.close()
        return process.complaints

    def refuse(self, text: str, why: str) -> None:
        """Tell it that its move was not legal."""
        if self._talk is not None:
            self._talk.order(TellIllegal(text or "-", why))

    def chances(self, position: Position) -> Mapping[Move, float] | None:
        """Ask for the chance of every move; None if it does not say, or if what it says is no policy."""
        if self._talk is None or self._rules != position.rules:
            self.begin(position.rules)
        talk = self._running()
        talk.order(SetPosition(str(position)), SimpleOrder.POLICY, SimpleOrder.READY)
        found: Chances | None = None
        try:
            while (said := talk.hear(monotonic() + self._bounds.start)) is not SimpleMessage.READY_OK:
                found = said if isinstance(said, Chances) else found
        except _FAILURES:
            self._drop()
            return None
        return None if found is None else chances_from_bot(found.chances, position)

    def end(self, outcome: Outcome) -> None:
        """Tell it how the match ended."""
        self._failures = self._failures + 1 if self._failed else 0
        if self._talk is not None and not self._talk.owed:
            self._talk.order(TellResult(outcome.winner.value, outcome.reason.value))

    def close(self) -> None:
        """End it: `quit`, a second, and then whatever is left is killed."""
        if self._talk is not None:
            self._talk.process.close(politely=True)
            self._talk = None
