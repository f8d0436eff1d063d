"""An entrant from its name: `level:5`, `bot:COMMAND`, `model:NAME@URL`, `command:COMMAND`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zerosum.arena.entrants.bot import BOT, Bot
from zerosum.arena.entrants.command_entrant import COMMAND, CommandEntrant
from zerosum.arena.entrants.computer import Computer
from zerosum.arena.entrants.entrant import Entrant
from zerosum.arena.entrants.model_entrant import MODEL, ModelEntrant
from zerosum.players import Players
from zerosum.strategy.card_player import PLAYERS

OPENERS: Final[dict[str, Callable[[str], Entrant]]] = {
    f"{BOT}:": Bot,
    f"{MODEL}:": ModelEntrant,
    f"{COMMAND}:": CommandEntrant,
}
"""Who comes from outside: the prefix of its name, and how the rest of the name is opened."""


def open_entrant(name: str, players: Players = PLAYERS) -> Entrant:
    """Return the entrant of this name; close it when you are done."""
    for prefix, opener in OPENERS.items():
        if name.startswith(prefix):
            return opener(name[len(prefix) :])
    return Computer(players.find(name))
