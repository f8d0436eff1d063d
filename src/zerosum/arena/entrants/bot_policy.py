"""A bot as a policy: one that answers `policy` tells the chance of every move, and so its strength is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from zerosum.arena.entrants.bot import Bot
from zerosum.arena.strength.named_policies import Policy
from zerosum.base.errors import ZerosumError
from zerosum.base.text import printable
from zerosum.players.graph import Guest
from zerosum.players.levels import STRENGTHS
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import Position, PositionKey


class NoPolicyError(ZerosumError):
    """A bot that does not tell the chance of every move."""


@contextmanager
def bot_policy(command: str, rules: Rules) -> Iterator[Policy]:
    """Start a bot and give it as a policy; each position is asked for once, and the bot is ended in any case."""
    if rules.tie is Tie.SUDDEN_DEATH:
        raise NoPolicyError(f"{rules.name} has no end of positions, so a bot cannot be asked about all of them.")
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
        yield Policy(name, Guest(chances, mirrors=False))
    finally:
        bot.close()
