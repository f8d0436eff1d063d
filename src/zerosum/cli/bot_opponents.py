"""Programs that play a match at the terminal by a command; only a match with one of them loads this module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot import Bot, with_bots
from zerosum.arena.entrants.entrant import Turn, WithdrawnError, decide
from zerosum.base.text import same_name
from zerosum.cli.console import Console
from zerosum.cli.play_session import BOT_PREFIX, DEFAULT_NAMES, BotGoneError, Opponents
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players import Players
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.record import Ending


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
def bots_started(who: tuple[str, str], console: Console) -> Iterator[Opponents]:
    """Give the opponents among two players, of whom one or both are programs; these are ended in any case."""
    bots: dict[Person, Bot] = {}
    with ExitStack() as stack:
        for person, name in zip(Person, who, strict=True):
            if name.startswith(BOT_PREFIX):
                bots[person] = bot = Bot(name.removeprefix(BOT_PREFIX))
                stack.callback(bot.close)
                bot.start()
        yield BotOpponents(bots, console)
