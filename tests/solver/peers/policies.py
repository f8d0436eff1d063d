"""Our policies for OpenSpiel, and its own measure of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyspiel
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import Policy

from tests.solver.peers.openspiel import Shape, State
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Rules, Seat
from zerosum.rules.position import Position


class Translated(Policy):  # type: ignore[misc]  # it has no types
    """One of our policies; a position's chances are asked for once, so that OpenSpiel pays for nothing of ours."""

    def __init__(self, game: pyspiel.Game, policy: MovePolicy, rules: Rules, shape: Shape) -> None:
        super().__init__(game, [0, 1])
        self._policy, self._rules, self._shape = policy, rules, shape
        self._known: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:  # noqa: ARG002 - OpenSpiel's own
        """Return the chance of each action."""
        key = str(state)
        if key not in self._known:
            chances = self._policy.chances(self._position(state))
            self._known[key] = dict(zip(state.legal_actions(), chances, strict=True))
        return self._known[key]

    def _position(self, state: State) -> Position:
        pool = tuple(self._left(state._used))
        totals = tuple(state._totals) if self._shape.own else (state._totals[0],)
        return Position(self._rules, pool, totals, Seat(state._player + 1))

    def _left(self, used: int) -> Iterator[int]:
        return (number for at, number in enumerate(self._shape.pool) if not used >> at & 1)


def exploitability_by_openspiel(name: str, policy: MovePolicy, rules: Rules, shape: Shape) -> float:
    """Return what OpenSpiel says of a policy in the game that it knows under this name."""
    game: Any = pyspiel.load_game(name)
    return float(nash_conv(game, Translated(game, policy, rules, shape))) / 2
