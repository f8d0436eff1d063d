"""OpenSpiel: every game under one name, `zerosum_duel`.

    import zerosum.envs
    pyspiel.load_game("zerosum_duel(game=sum31)")
    pyspiel.load_game(zerosum.envs.openspiel.name_of(rules))     zerosum_duel(rules=BASE64URL): any rules

A game string cannot hold `,()=`, so rules are written as base64url of their JSON. Player 0 begins in seat 1.

OpenSpiel has a transform `zerosum` of general-sum games, which stays as it is.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from json import dumps, loads
from typing import Any, Final

from zerosum.base.extras import missing

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.base import limits
from zerosum.base.errors import RulesError
from zerosum.envs.duel import Duel, drawing, rewards_of
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules, rules_to_dict
from zerosum.rules.position import Position
from zerosum.solver.encoding import Encoding, encoding_of, most_plies

NAME: Final = "zerosum_duel"
_PLAYERS: Final = 2
_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Number duels (zerosum)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=_PLAYERS,
    min_num_players=_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "sum31", "rules": ""},
)


def name_of(game: Game) -> str:
    """Return the string by which OpenSpiel loads a game, whatever its rules.

    >>> name_of("sum31")[:25]
    'zerosum_duel(rules=eyJmb3'
    """
    return f"{NAME}(rules={to_base64(rules_of(game))})"


def to_base64(rules: Rules) -> str:
    """Return rules as the text of OpenSpiel's parameter `rules`: base64url of their JSON, unpadded.

    >>> rules = rules_of("sum31")
    >>> from_base64(to_base64(rules)) == rules
    True
    """
    return urlsafe_b64encode(dumps(rules_to_dict(rules)).encode()).decode().rstrip("=")


def from_base64(text: str) -> Rules:
    """Return the rules that `to_base64` wrote."""
    if len(text) > 2 * limits.RULES_FILE_BYTES:
        raise RulesError(f"rules: larger than {limits.RULES_FILE_BYTES // 1024} KiB.")
    try:
        table = loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        raise RulesError("rules: not base64url of a JSON object; zerosum.envs.openspiel.name_of writes it.") from None
    if not isinstance(table, dict):
        raise RulesError("rules: the JSON is not an object.")
    return rules_of(table)


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A game as OpenSpiel knows it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        rules = from_base64(given["rules"]) if given.get("rules") else rules_of(given.get("game") or "sum31")
        self.rules: Rules = rules
        self.encoding = encoding_of(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=0,
            num_players=_PLAYERS,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_plies(rules),
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> DuelState:
        """Return the start of a match."""
        return DuelState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, object] | None = None
    ) -> _Observer | IIGObserverForPublicInfoGame:
        """Return what writes observations; a history is public, so OpenSpiel's own observer shows it."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            if params:
                raise ValueError(f"Observations of {NAME} take no parameters, but were given {params}.")
            return _Observer(self.encoding)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class DuelState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A position of a match.

    OpenSpiel deep-copies what is in here at every clone, so there are only values whose copy is themselves.
    """

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self._encoding = game.encoding
        self.duel = Duel(game.encoding.start)

    @property
    def position(self) -> Position:
        """The position as zerosum has it."""
        return self.duel.position

    def current_player(self) -> int:
        """Return whose turn it is."""
        return pyspiel.PlayerId.TERMINAL if self.duel.over else self.duel.mover

    def _legal_actions(self, _player: int) -> list[int]:
        return self._encoding.legal(self.duel.position)

    def _apply_action(self, action: int) -> None:
        self.duel = self.duel.after(self._encoding.moves[action])

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.duel.position.text_of(self._encoding.moves[action])

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.duel.over

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser; zeros before the end, and if sudden death was cut off."""
        return list(rewards_of(self.duel.winner))

    def __str__(self) -> str:
        """Return the position as `zerosum analyze` writes it, and whether the seats were swapped."""
        text = str(self.duel.position)
        return f"{text} swapped" if self.duel.swapped else text

    def drawing(self) -> str:
        """Return the position in a few lines for people."""
        return drawing(self.duel, ["Player 0", "Player 1"])


class _Observer:
    """What a player sees, as OpenSpiel asks for it: the numbers of `encoding.py`."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self.tensor = np.zeros(len(encoding.names()), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DuelState, player: int) -> None:
        """Write what a player sees into the tensor."""
        self.tensor[:] = self._encoding.observe(state.position, state.duel.seat(player))

    def string_from(self, state: DuelState, player: int) -> str:
        """Return what a player sees as text."""
        return str(state)


def register() -> None:
    """Register the games with OpenSpiel."""
    pyspiel.register_game(_TYPE, DuelGame)


def check(game: Game) -> None:
    """Run OpenSpiel's own test on a game, with states and games written and read back; raise if it fails."""
    pyspiel.random_sim_test(pyspiel.load_game(name_of(game)), num_sims=5, serialize=True, verbose=False)
