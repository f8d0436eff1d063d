"""Programs at the table: who plays by a command, and what it does when it is its turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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

if TYPE_CHECKING:
    from zerosum.arena.entrants.bot import Bot

PREFIX: Final = "bot:"
_DEFAULTS: Final = ("Player 1", "Player 2")


class BotGoneError(ZerosumError):
    """A bot that cannot be started any more; the match is kept."""


@dataclass(frozen=True)
class Outsiders:
    """The bots of a match, or of a series, by the person they play as; mostly there is none."""

    bots: Mapping[Person, Bot]
    console: Console

    @property
    def players(self) -> Players:
        """The registry that knows the players of this table."""
        if not self.bots:
            return PLAYERS
        from zerosum.arena.entrants.bot_as_player import with_bots  # noqa: PLC0415 - most matches are played without programs

        return with_bots()

    def names(self, given: tuple[str, str] | None) -> tuple[str, str]:
        """Return the names of the two players: those given, else a bot is called what it says."""
        if given is not None:
            return given
        one, two = (
            self.bots[person].name if person in self.bots else name
            for person, name in zip(Person, _DEFAULTS, strict=True)
        )
        return (one, two) if not same_name(one, two) else (f"{one[:38]} 1", f"{two[:38]} 2")

    def begin(self, setup: Setup) -> None:
        """Get all bots ready for a match."""
        if not self.bots:
            return
        from zerosum.arena.entrants.entrant import WithdrawnError  # noqa: PLC0415 - most matches are played without programs

        try:
            for bot in self.bots.values():
                bot.begin(setup.rules)
        except WithdrawnError as error:
            raise BotGoneError(str(error)) from None

    def choose(self, match: Match) -> Move | Ending:
        """Return the move of whoever is to move, or how it loses."""
        bot = self.bots.get(match.to_move)
        if bot is None:
            return choose(match.setup.who[match.to_move - 1], match.position, match.seed)
        from zerosum.arena.entrants import limits  # noqa: PLC0415 - most matches are played without programs
        from zerosum.arena.entrants.entrant import Turn, decide  # noqa: PLC0415 - likewise

        turn = Turn(match.positions[0], match.moves, match.position, limits.MOVE_SECONDS)
        decision = decide(bot, turn, lenient=match.setup.lenient)
        if decision.move is not None:
            return decision.move
        if decision.replies[-1].wrote:
            self.console.notice(f"{bot.name} wrote: {decision.replies[-1].wrote}")
        return decision.ending(turn)

    def end(self, outcome: Outcome | None) -> None:
        """Tell all bots how a match ended."""
        if outcome is not None:
            for bot in self.bots.values():
                bot.end(outcome)


@contextmanager
def outsiders(who: tuple[str, str], console: Console) -> Iterator[Outsiders]:
    """Start the bots among two players, and end them in any case."""
    bots: dict[Person, Bot] = {}
    with ExitStack() as stack:
        for person, name in zip(Person, who, strict=True):
            if name.startswith(PREFIX):
                from zerosum.arena.entrants.bot import Bot  # noqa: PLC0415 - likewise

                bots[person] = bot = Bot(name[len(PREFIX) :])
                stack.callback(bot.close)
                bot.start()
        yield Outsiders(bots, console)


def to_resume(setup: Setup, match_id: str) -> str:
    """Return the command that goes on with a match; its bots have to be named again."""
    bots = sum(who in OUTSIDE for who in setup.who)
    return " ".join(("zerosum resume", match_id, *["--vs bot:COMMAND"] * bots))


def missing(setup: Setup, match_id: str, given: tuple[str, ...]) -> tuple[str, str]:
    """Return who plays when a match goes on: its bots, whose commands no record keeps, as they are given now."""
    seats = [person for person in Person if setup.who[person - 1] in OUTSIDE]
    if len(given) != len(seats) or not all(name.startswith(PREFIX) for name in given):
        if not seats:
            raise SetupError(f"No bot plays in match {match_id}; leave out --vs.")
        names = " and ".join(setup.name(person) for person in seats)
        raise SetupError(f"No match keeps the command of a bot. To go on with {names}: {to_resume(setup, match_id)}")
    brought = iter(given)
    one, two = (next(brought) if person in seats else setup.who[person - 1] for person in Person)
    return one, two
