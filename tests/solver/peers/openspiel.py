"""The four games that always end, as OpenSpiel Python games: a peer to agree with and to be measured against.

Written from the rulebooks and as fast as that is plainly done: the used numbers are the bits of one integer, and the
text by which OpenSpiel remembers states is short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyspiel


@dataclass(frozen=True, slots=True)
class Shape:
    """What differs between the four games."""

    pool: tuple[int, ...]
    signs: tuple[int, ...] = (1,)
    own: bool = False
    target: int = 0
    bust: bool = False


SHAPES = {
    "sum-to-zero": Shape(tuple(number for number in range(-9, 10) if number)),
    "sequence-zero": Shape(tuple(range(1, 10)), (1, -1), own=True),
    "zero-sum-duel": Shape(tuple(range(1, 10)), (1, -1)),
    "sum31": Shape(tuple(range(1, 10)), target=31, bust=True),
}


def name_of(game_id: str) -> str:
    """Return the name under which OpenSpiel knows a game."""
    return f"python_{game_id.replace('-', '_')}"


class State(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A position; action 2n or 2n + 1 takes the pool's number n, adding or subtracting where the game does both."""

    def __init__(self, game: pyspiel.Game, shape: Shape) -> None:
        super().__init__(game)
        self._shape = shape
        self._used = 0
        self._totals = [0, 0]
        self._player = 0
        self._winner = -1

    def current_player(self) -> Any:
        """Return whose turn it is."""
        return pyspiel.PlayerId.TERMINAL if self._winner >= 0 else self._player

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - OpenSpiel's own
        signs = len(self._shape.signs)
        left = (at for at in range(len(self._shape.pool)) if not self._used >> at & 1)
        return [at * signs + sign for at in left for sign in range(signs)]

    def _apply_action(self, action: int) -> None:
        shape, player = self._shape, self._player
        at, sign = divmod(action, len(shape.signs))
        side = player if shape.own else 0
        self._used |= 1 << at
        self._totals[side] += shape.pool[at] * shape.signs[sign]
        total = self._totals[side]
        if total == shape.target:
            self._winner = player
        elif shape.bust and total > shape.target:
            self._winner = 1 - player
        elif self._used == (1 << len(shape.pool)) - 1:
            self._winner = self._at_the_end()
        self._player = 1 - player

    def _at_the_end(self) -> int:
        if not self._shape.own:
            return self._player
        first, second = map(abs, self._totals)
        return 0 if first < second else 1

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._winner >= 0

    def returns(self) -> list[float]:
        """Return who has won."""
        return [0.0, 0.0] if self._winner < 0 else [1.0, -1.0] if self._winner == 0 else [-1.0, 1.0]

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - OpenSpiel's own
        return str(action)

    def information_state_string(self, player: int | None = None) -> str:  # noqa: ARG002 - OpenSpiel's own
        """Return what a player knows: everything, as the moves so far."""
        return str(self.history_str())

    def __str__(self) -> str:
        return f"{self._used} {self._totals[0]} {self._totals[1]}"


def register(game_id: str, shape: Shape) -> None:
    """Make a game known to OpenSpiel."""
    game_type = pyspiel.GameType(
        short_name=name_of(game_id),
        long_name=game_id,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=len(shape.pool) * len(shape.signs),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=len(shape.pool),
    )

    class Game(pyspiel.Game):  # type: ignore[misc]  # it has no types
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> State:
            return State(self, shape)

    pyspiel.register_game(game_type, Game)


for _game_id, _shape in SHAPES.items():
    register(_game_id, _shape)
