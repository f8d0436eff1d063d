"""The computer players of a match at the terminal: ours, or programs that play by a command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot import Bot
from zerosum.arena.entrants.bot_as_player import with_bots
from zerosum.arena.entrants.entrant import Turn, WithdrawnError, decide
from zerosum.base.errors import ZerosumError
from zerosum.base.text import same_name
from zerosum.cli.console import Console
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup, SetupError
from zerosum.players import OUTSIDE, Players, choose
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.record import Ending
from zerosum.strategy.card_player import PLAYERS

BOT_PREFIX: Final = "bot:"
DEFAULT_NAMES: Final = ("Player 1", "Player 2")


class BotGoneError(ZerosumError):
    """A bot that cannot be started any more; the match is kept."""


class Opponents:
    """The opponents of a match without bots."""

    @property
    def players(self) -> Players:
        """The registry that knows the players of this match."""
        return PLAYERS

    def names(self, given: tuple[str, str] | None) -> tuple[str, str]:
        """Return the names of the two players."""
        return given or DEFAULT_NAMES

    def begin(self, setup: Setup) -> None:
        """Get ready for a match."""

    def choose(self, match: Match) -> Move | Ending:
        """Return the move of the player to move, or how that player loses."""
        return choose(match.setup.who[match.to_move - 1], match.position, match.seed)

    def end(self, outcome: Outcome | None) -> None:
        """Take note of the outcome of a match."""


def resume_command(setup: Setup, match_id: str) -> str:
    """Return the command that continues a match; its bots have to be named again."""
    bots = sum(who in OUTSIDE for who in setup.who)
    return " ".join(("zerosum resume", match_id, *["--vs bot:COMMAND"] * bots))


def players_to_resume(setup: Setup, match_id: str, given: tuple[str, ...]) -> tuple[str, str]:
    """Return who plays when a match continues; the commands of its bots, which no record keeps, are given again."""
    seats = [person for person in Person if setup.who[person - 1] in OUTSIDE]
    if len(given) != len(seats) or not all(name.startswith(BOT_PREFIX) for name in given):
        if not seats:
            raise SetupError(f"No bot plays in match {match_id}; leave out --vs.")
        names = " and ".join(setup.name(person) for person in seats)
        raise SetupError(
            f"No match keeps the command of a bot. To go on with {names}: {resume_command(setup, match_id)}"
        )
    commands = iter(given)
    one, two = (next(commands) if person in seats else setup.who[person - 1] for person in Person)
    return one, two


class BotOpponents(Opponents):
    """The opponents of a match in which at least one person is a bot."""

    def __init__(self, bots: Mapping[Person, Bot], console: Console) -> None:
        self._bots, self._console = bots, console

    @property
    def players(self) -> Players:
        """The registry that knows the players of this match."""
        return with_bots()

    def names(self, given: tuple[str, str] | None) -> tuple[str, str]:
        """Return the names of the two players: those given, else a bot has the name that it reports."""
        if given is not None:
            return given
        one, two = (
            self._bots[person].name if person in self._bots else name
            for person, name in zip(Person, DEFAULT_NAMES, strict=True)
        )
        return (one, two) if not same_name(one, two) else (f"{one[:38]} 1", f"{two[:38]} 2")

    def begin(self, setup: Setup) -> None:
        """Get all bots ready for a match."""
        try:
            for bot in self._bots.values():
                bot.begin(setup.rules)
        except WithdrawnError as error:
            raise BotGoneError(str(error)) from None

    def choose(self, match: Match) -> Move | Ending:
        """Return the move of the player to move, or how that player loses."""
        bot = self._bots.get(match.to_move)
        if bot is None:
            return super().choose(match)
        turn = Turn(match.positions[0], match.moves, match.position, limits.MOVE_SECONDS)
        decision = decide(bot, turn, lenient=match.setup.lenient)
        if decision.move is not None:
            return decision.move
        if decision.replies[-1].wrote:
            self._console.notice(f"{bot.name} wrote: {decision.replies[-1].wrote}")
        return decision.ending(turn)

    def end(self, outcome: Outcome | None) -> None:
        """Report the outcome of a match to all bots."""
        if outcome is not None:
            for bot in self._bots.values():
                bot.end(outcome)


@contextmanager
def opponents_of(who: tuple[str, str], console: Console) -> Iterator[Opponents]:
    """Give the opponents among two players; their programs are started, and ended in any case."""
    bots: dict[Person, Bot] = {}
    with ExitStack() as stack:
        for person, name in zip(Person, who, strict=True):
            if name.startswith(BOT_PREFIX):
                bots[person] = bot = Bot(name[len(BOT_PREFIX) :])
                stack.callback(bot.close)
                bot.start()
        yield BotOpponents(bots, console) if bots else Opponents()
