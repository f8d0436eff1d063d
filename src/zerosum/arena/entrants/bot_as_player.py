"""A bot as a player of a registry, and as a policy.

Only doors that may run commands use a registry with bots. A bot that answers `policy` tells the chance of every move,
so its strength is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot import BOT, Bot
from zerosum.arena.entrants.command_line import split_command
from zerosum.arena.entrants.entrant import Turn
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.errors import ZerosumError
from zerosum.base.text import printable
from zerosum.players import Player, PlayerInfo, Players
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import MovePolicy
from zerosum.players.registry import Solved
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.strategy.card_player import PLAYERS


class BotFailedError(ZerosumError):
    """A bot that was asked for a move and gave no legal one."""


def with_bots(players: Players = PLAYERS) -> Players:
    """Return a registry with these players and all bots; records call each of them `bot`.

    >>> with_bots().find("bot:sh -c true").name
    'bot'
    """
    found = Players(players)
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
        reply = self._bot.choose(Turn(position, (), position, limits.MOVE_SECONDS))
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
    bot = Bot(command)
    try:
        bot.begin(rules)
        yield bot.name, _Player(bot)
    finally:
        bot.close()


@contextmanager
def bot_policy(command: str, rules: Rules) -> Iterator[Policy]:
    """Start a bot and give it as a policy; each position is asked for once, and the bot is ended in any case."""
    bot = Bot(command)
    known: dict[PositionKey, Sequence[float]] = {}

    def chances(position: Position) -> Sequence[float]:
        found = known.get(position.key)
        if found is None:
            said = bot.chances(position)
            if said is None:
                raise NoPolicyError(
                    f"{printable(bot.name)} does not tell the chance of each move at {position} (the order `policy`), "
                    "so its strength cannot be computed; let it play: zerosum arena match."
                )
            found = known[position.key] = [said[move] for move in position.legal_moves()]
        return found

    try:
        bot.begin(rules)
        # A bot that calls itself by the name of one of our players must not be taken for it.
        name = f"{bot.name} (bot)" if bot.name in STRENGTHS else bot.name
        yield Policy(name, MovePolicy(chances, mirrors=False))
    finally:
        bot.close()
