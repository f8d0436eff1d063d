"""The entrant `bot:COMMAND`: started, asked for moves, started again after it failed, ended; as a player and a policy.

Every `go` is answered by one `bestmove`. `isready` stands before each `go` in the same write, so whatever `bestmove`
comes before its `readyok` was not asked for and is dropped; a bot that was late owes one, and must give it before it is
asked anything else, or it is started again. So no old answer is ever taken for a new one.

Only doors that may run commands use a registry with bots. A bot that answers `policy` tells the chance of every move,
so its strength is exact.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from time import monotonic
from typing import Final

from zerosum.arena.entrants import entrant, limits, protocol
from zerosum.arena.entrants.bot_process import EndedError, Process, UnreadableError
from zerosum.arena.entrants.command_line import BOUNDS, Bounds, missing_file, split_command
from zerosum.arena.strength.named_policies import Policy, remembered
from zerosum.base.errors import ZerosumError
from zerosum.base.limits import NAME_LENGTH
from zerosum.base.text import check_player_name, printable, shorten
from zerosum.players import Player, PlayerInfo, Players
from zerosum.players.levels import STRENGTHS
from zerosum.players.registry import Solved
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move, format_move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position, start_position
from zerosum.strategy.card_player import PLAYERS

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

    def order(self, *orders: protocol.Order) -> None:
        """Send orders."""
        self.process.say(*map(protocol.write_order, orders))

    def hear(self, deadline: float) -> protocol.BotMessage | None:
        """Return the message in the next line. Raises SilentError if none comes in time."""
        line = self.process.hear(deadline)
        if line is None:
            raise SilentError
        try:
            said = protocol.read_message(line)
        except protocol.ProtocolError as error:
            raise UnreadableError(str(error)) from None
        if isinstance(said, protocol.BestMove):
            self.unasked += not self.owed
            self.owed -= bool(self.owed)
        elif said is None and line.strip():
            self.odd.append(line)
        return said

    def hear_until(self, what: protocol.SimpleMessage, deadline: float) -> list[protocol.BotMessage]:
        """Return what it says before `ugiok` or `readyok`."""
        said = []
        while (message := self.hear(deadline)) is not what:
            if message is not None:
                said.append(message)
        return said

    def answers(self, deadline: float, *orders: protocol.Order) -> list[protocol.BotMessage]:
        """Send orders; return what it says until it is ready again."""
        self.order(*orders, protocol.SimpleOrder.READY)
        return self.hear_until(protocol.SimpleMessage.READY_OK, deadline)

    def greet(self, deadline: float) -> None:
        """Ask who it is."""
        self.order(protocol.SimpleOrder.UGI)
        for said in self.hear_until(protocol.SimpleMessage.UGI_OK, deadline):
            if isinstance(said, protocol.Identity):
                setattr(self, said.key, said.text)

    def begin(self, rules: Rules, deadline: float) -> None:
        """Tell it the rules, and wait until it is ready for a new game."""
        lines = rules_lines(rules)
        self.process.say(protocol.write_order(protocol.RulesFollow(len(lines))), *lines)
        self.answers(deadline, protocol.SimpleOrder.NEW_GAME)

    def go(
        self, at: protocol.SetPosition, go: protocol.Go, deadline: float
    ) -> tuple[protocol.BestMove, str | None, float]:
        """Ask for a move; return it with the bot's last score of the position and the seconds it took."""
        self.process.say(protocol.write_order(at), protocol.SimpleOrder.READY.value, protocol.write_order(go))
        began = monotonic()
        self.owed += 1
        score: str | None = None
        ready = False
        while True:
            said = self.hear(deadline)
            if isinstance(said, protocol.BestMove):
                if ready:
                    return said, score, monotonic() - began
                self.owed += 1  # it was not asked for
                self.unasked += 1
            elif said is protocol.SimpleMessage.READY_OK:
                ready = True
            elif isinstance(said, protocol.Info) and said.score:
                score = said.score


def rules_lines(rules: Rules) -> list[str]:
    """Return the lines of a rules file as bots get it: one key a line, every value JSON too.

    A copy of rules has no worked examples, which would need tables.
    """
    return write_rules(replace(rules)).splitlines()


def position_order(turn: entrant.Turn) -> protocol.SetPosition:
    """Return the order that sets a position: by the moves that led to it, or alone if that line is too long."""
    operations = turn.position.rules.operations
    moves = tuple(format_move(move, operations) for move in turn.moves)
    fen = None if turn.start == start_position(turn.start.rules) else str(turn.start)
    at = protocol.SetPosition(fen, moves)
    return at if len(protocol.write_order(at)) < limits.LINE_TO_BOT else protocol.SetPosition(str(turn.position))


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


class Bot(entrant.Entrant):
    """The entrant `bot:COMMAND`."""

    who = BOT

    def __init__(self, command: str, bounds: Bounds = BOUNDS) -> None:
        """Remember the command; it is started by the first match, or by `start`."""
        self._command = split_command(command)
        self._bounds = bounds
        self._talk: BotSession | None = None
        self._rules: Rules | None = None
        self._failures = 0
        self._failed = False
        self.name = _NAMELESS

    def start(self) -> BotSession:
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
            raise entrant.WithdrawnError(f"The bot does not start: {why}.{hint}") from None
        except BaseException:
            talk.process.close()
            raise
        self._talk, self._rules = talk, None
        self.name = shown_name(talk.name)
        return talk

    def begin(self, rules: Rules) -> None:
        """Get ready for a match; a bot that failed in the last one is started again."""
        while self._failures <= limits.STARTS:
            talk = self._talk or self.start()
            try:
                deadline = monotonic() + self._bounds.quit
                while talk.owed:  # it was asked to stop
                    talk.hear(deadline)
                talk.begin(rules, monotonic() + self._bounds.start)
            except _FAILURES:
                self._drop()
                self._failures += 1
            else:
                self._rules, self._failed = rules, False
                return
        raise entrant.WithdrawnError(f"{self.name} failed {self._failures} times in a row and is withdrawn.")

    def _ready_for(self, rules: Rules) -> BotSession:
        if self._talk is None or self._rules != rules:
            self.begin(rules)
        if self._talk is None:
            raise entrant.WithdrawnError("The bot is not running.")
        return self._talk

    def choose(self, turn: entrant.Turn) -> entrant.EntrantReply:
        """Ask for a move."""
        talk = self._ready_for(turn.position.rules)
        milliseconds = max(int(turn.seconds * 1000), 1)
        deadline = monotonic() + turn.seconds + self._bounds.margin
        try:
            best, score, seconds = talk.go(position_order(turn), protocol.Go(movetime=milliseconds), deadline)
        except SilentError:
            talk.order(protocol.SimpleOrder.STOP)
            return self._lost(entrant.Fault.TIME, f"no move within {milliseconds} ms", turn.seconds)
        except EndedError as error:
            return self._lost(entrant.Fault.CRASH, str(error), wrote=self._drop())
        except UnreadableError as error:
            return self._lost(entrant.Fault.UNREADABLE, str(error), wrote=self._drop())
        return entrant.judge_text(best.move, turn.position, seconds, score)

    def _lost(self, fault: entrant.Fault, detail: str, seconds: float = 0.0, wrote: str = "") -> entrant.EntrantReply:
        self._failed = True
        return entrant.EntrantReply(None, "", seconds, fault, detail, wrote=wrote)

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
            self._talk.order(protocol.TellIllegal(text or "-", why))

    def chances(self, position: Position) -> Mapping[Move, float] | None:
        """Ask for the chance of every move; None if it does not say, or if what it says is no policy."""
        talk = self._ready_for(position.rules)
        try:
            said = talk.answers(
                monotonic() + self._bounds.start, protocol.SetPosition(str(position)), protocol.SimpleOrder.POLICY
            )
        except _FAILURES:
            self._drop()
            return None
        found = [message.chances for message in said if isinstance(message, protocol.Chances)]
        return entrant.chances_from_bot(found[-1], position) if found else None

    def end(self, outcome: Outcome) -> None:
        """Tell it how the match ended."""
        self._failures = self._failures + 1 if self._failed else 0
        if self._talk is not None and not self._talk.owed:
            self._talk.order(protocol.TellResult(outcome.winner.value, outcome.reason.value))

    def close(self) -> None:
        """End it: `quit`, a second, and then whatever is left is killed."""
        if self._talk is not None:
            self._talk.process.close(politely=True)
            self._talk = None


class BotFailedError(ZerosumError):
    """A bot that was asked for a move and gave no legal one."""


def with_bots() -> Players:
    """Return a registry with these players and all bots; records call each of them `bot`.

    >>> with_bots().find("bot:sh -c true").name
    'bot'
    """
    found = Players(PLAYERS)
    found.add_family(f"{BOT}:", _bot)
    return found


def _bot(name: str) -> PlayerInfo:
    command = name.partition(":")[2]
    split_command(command)  # one that cannot be run is an error now

    def make(rules: Rules, solved: Solved) -> Player:
        del solved
        bot = Bot(command)
        bot.begin(rules)
        return _Player(bot)

    return PlayerInfo(BOT, "Bot", "a program of yours", make)


class _Player:
    """A bot that runs as long as this object is used."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def __call__(self, position: Position) -> Move:
        reply = self._bot.choose(entrant.Turn(position, (), position, limits.MOVE_SECONDS))
        if reply.move is None:
            raise BotFailedError(f"{self._bot.name} gave no move at '{position}': {reply.detail}.")
        return reply.move

    def __del__(self) -> None:
        self._bot.close()


class NoPolicyError(ZerosumError):
    """A bot that does not tell the chance of every move."""


@contextmanager
def bot_player(command: str, rules: Rules) -> Iterator[tuple[str, Player]]:
    """Start a bot and give its name and what asks it for a move in a position; the bot is ended in any case."""
    with closing(Bot(command)) as bot:
        bot.begin(rules)
        yield bot.name, _Player(bot)


@contextmanager
def bot_policy(command: str, rules: Rules) -> Iterator[Policy]:
    """Start a bot and give it as a policy; each position is asked for once, and the bot is ended in any case."""

    def chances(position: Position) -> Sequence[float]:
        said = bot.chances(position)
        if said is None:
            raise NoPolicyError(
                f"{printable(bot.name)} does not tell the chance of each move at {position} (the order `policy`), "
                "so its strength cannot be computed; let it play: zerosum arena match."
            )
        return [said[move] for move in position.legal_moves()]

    with closing(Bot(command)) as bot:
        bot.begin(rules)
        # A bot that calls itself by the name of one of our players must not be taken for it.
        name = f"{bot.name} (bot)" if bot.name in STRENGTHS else bot.name
        yield Policy(name, remembered(chances))
