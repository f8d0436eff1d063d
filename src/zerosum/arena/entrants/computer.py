"""One of our own players as an entrant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic

from zerosum.arena.entrants.entrant import EntrantReply, Turn
from zerosum.players import Player, pick
from zerosum.players.player import chances_in
from zerosum.players.registry import PlayerInfo
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position
from zerosum.solver import solution_of


class Computer:
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

    def refuse(self, text: str, why: str) -> None:
        """Do nothing: our players make legal moves."""

    def end(self, outcome: Outcome) -> None:
        """Do nothing: our players do not care."""

    def close(self) -> None:
        """Do nothing: no process was started."""
