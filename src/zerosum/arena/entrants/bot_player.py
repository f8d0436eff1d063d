"""Bots as players: the family `bot:` of a registry. Only doors that may run commands use such a registry."""

from __future__ import annotations

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot import BOT, Bot
from zerosum.arena.entrants.command_line import split_command
from zerosum.arena.entrants.entrant import Turn
from zerosum.base.errors import ZerosumError
from zerosum.players import Player, PlayerInfo, Players
from zerosum.players.registry import Solved
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
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
            raise BotFailedError(f"{self._bot.name} gave no move: {reply.detail}.")
        return reply.move

    def __del__(self) -> None:
        self._bot.close()
