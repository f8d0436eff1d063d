"""Whom an agent plays against in a one-agent environment: any player, by name or as a function."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from zerosum.arena.entrants.computer import Computer
from zerosum.arena.entrants.entrant import Entrant
from zerosum.arena.entrants.open_entrant import open_entrant
from zerosum.arena.strength.policy_tables import TABLE
from zerosum.base.errors import BadValueError
from zerosum.players import Player
from zerosum.players.player import Choice
from zerosum.players.registry import PlayerInfo, Solved
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.strategy.card_player import PLAYERS

Opponent = str | Player
"""A player by name (`random`, `level:5`, `perfect`, `card`, `policy:FILE`, `bot:COMMAND`), or a function."""
_REMEMBERED: Final = 1 << 16


def open_opponent(opponent: Opponent) -> Entrant:
    """Return an opponent as somebody who can be asked for moves; close it when you are done."""
    if not isinstance(opponent, str):
        if not callable(opponent):
            raise BadValueError("An opponent is the name of a player, such as 'level:5', or a function of a position.")
        return Computer(PlayerInfo("function", "Function", "a function", lambda _rules, _solved: opponent))
    if opponent.startswith(TABLE):
        return Computer(PlayerInfo("policy", "Policy", "plays by a table", lambda rules, _: _by_table(opponent, rules)))
    if opponent in PLAYERS:
        known = PLAYERS.find(opponent)
        return Computer(PlayerInfo(known.name, known.title, known.words, lambda *game: _quick(known, *game)))
    return open_entrant(opponent)


def _quick(known: PlayerInfo, rules: Rules, solved: Solved) -> Player:
    """Return a player who remembers its choices: it meets the same positions again and again."""
    return lru_cache(maxsize=_REMEMBERED)(known.make(rules, solved))


def _by_table(name: str, rules: Rules) -> Player:
    from zerosum.arena.strength.named_policies import policy_of  # noqa: PLC0415 - few play against a table

    chances = policy_of(name, rules).guest.chances

    def player(position: Position) -> Choice:
        return dict(zip(position.legal_moves(), chances(position), strict=True))

    return player
