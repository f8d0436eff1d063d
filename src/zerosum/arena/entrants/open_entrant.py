"""An entrant from its name: `level:5`, `bot:COMMAND`, `model:NAME@URL`, `command:COMMAND`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Final

from zerosum.arena.entrants.bot import BOT, Bot
from zerosum.arena.entrants.entrant import Entrant, EntrantReply, Turn
from zerosum.arena.entrants.model_entrant import COMMAND, MODEL, CommandEntrant, ModelEntrant
from zerosum.players import Player, pick
from zerosum.players.registry import PlayerInfo, chances_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import solution_of
from zerosum.strategy.card_player import PLAYERS

OPENERS: Final[dict[str, Callable[[str], Entrant]]] = {
    f"{BOT}:": Bot,
    f"{MODEL}:": ModelEntrant,
    f"{COMMAND}:": CommandEntrant,
}
"""Who comes from outside: the prefix of its name, and how the rest of the name is opened."""


def open_entrant(name: str) -> Entrant:
    """Return the entrant of this name; close it when you are done."""
    for prefix, opener in OPENERS.items():
        if name.startswith(prefix):
            return opener(name[len(prefix) :])
    return Computer(PLAYERS.find(name, human=False))


class Computer(Entrant):
    """A player of the registry."""

    def __init__(self, info: PlayerInfo) -> None:
        self.who = info.name
        self.name = info.title
        self._make = info.make
        self._made: tuple[Rules, Player] | None = None

    def begin(self, rules: Rules) -> None:
        """Solve the game if the player needs that."""
        self._player(rules)

    def choose(self, turn: Turn) -> EntrantReply:
        """Choose as the seed of the turn says."""
        began = monotonic()
        move = pick(self._choice(turn.position), turn.seed)
        return EntrantReply(move, turn.position.text_of(move), monotonic() - began)

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the chance of each move."""
        choice = self._choice(position)
        return choice if isinstance(choice, Mapping) else dict.fromkeys(choice, 1 / len(choice))

    def _choice(self, position: Position) -> Mapping[Move, float] | Sequence[Move]:
        return chances_in(self._player(position.rules)(position), position)

    def _player(self, rules: Rules) -> Player:
        if self._made is None or self._made[0] != rules:
            self._made = rules, self._make(rules, solution_of)
        return self._made[1]
