"""Gymnasium: a game for one agent, whose opponent is a built-in player, a bot, or a function.

    import zerosum.envs
    env = gymnasium.make("zerosum/Sum31-v0", opponent="level:5")
    env = gymnasium.make("zerosum/Game-v0", rules="my-variant.toml", opponent=my_function)

The reward is 1 for a win, -1 for a loss and 0 before. An illegal action forfeits the match.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal

from zerosum.base.extras import missing

try:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env
    from numpy.typing import NDArray
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.arena.entrants import limits as entrant_limits
from zerosum.arena.entrants.entrant import Entrant, Turn, decide
from zerosum.arena.entrants.open_entrant import Computer, open_entrant
from zerosum.arena.strength.named_policies import TABLE, policy_of
from zerosum.base.errors import BadValueError
from zerosum.base.text import shorten
from zerosum.envs import ANY, gym_spaces
from zerosum.envs.duel import Duel, rewards_of
from zerosum.players import Player
from zerosum.players.registry import Choice, PlayerInfo
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position
from zerosum.solver.encoding import encoding_of
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
        known = PLAYERS.find(opponent, human=False)
        # It meets the same positions again and again, so it remembers its choices.
        remembering = lru_cache(maxsize=_REMEMBERED)
        return Computer(replace(known, make=lambda *game: remembering(known.make(*game))))
    return open_entrant(opponent)


def _by_table(name: str, rules: Rules) -> Player:
    chances = policy_of(name, rules).guest.chances

    def player(position: Position) -> Choice:
        return dict(zip(position.legal_moves(), chances(position), strict=True))

    return player


_Step = tuple[gym_spaces.Observation, float, bool, bool, dict[str, Any]]


class DuelEnv(gymnasium.Env[gym_spaces.Observation, Any]):
    """A game against an opponent.

    The agent sits in `seat`, or if that is None, in a seat drawn at each reset. `regret` puts the exact regret of
    each of its moves into `info`. A match may be over before the agent's first move; then the mask is all zeros, and
    any action ends the episode with its result.
    """

    metadata = {"render_modes": list(gym_spaces.RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - theirs

    def __init__(
        self,
        rules: Game,
        opponent: Opponent = "random",
        *,
        seat: Literal[1, 2] | None = None,
        regret: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if seat not in {None, 1, 2}:
            raise BadValueError(f"seat is 1, 2 or None, not {shorten(repr(seat))}.")
        self.rules = rules_of(rules)
        self.encoding = encoding_of(self.rules)
        self.render_mode = gym_spaces.check_mode(render_mode)
        self.observation_space = gym_spaces.observation_space(self.encoding)
        self.action_space = gym_spaces.action_space(self.encoding)
        self._label = gym_spaces.label_of(self.rules, regret=regret)
        self._seat = None if seat is None else Seat(seat)
        self._opponent = open_opponent(opponent)
        self._start = self.encoding.start
        self._duel = Duel(self._start)
        self._moves: list[Move] = []
        self._player = 0

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._duel.position

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for each legal action: the mask of the observation, where masking libraries look for it."""
        mask: NDArray[np.int8] = self._seen()["action_mask"]
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[gym_spaces.Observation, dict[str, Any]]:
        """Begin a match: from the start, or at `options["position"]`, written as `zerosum analyze` does."""
        super().reset(seed=seed)
        self._start = gym_spaces.begin_at(options, self.encoding.start)
        self._duel = Duel(self._start)
        self._moves = []
        self._player = int(self.np_random.integers(2)) if self._seat is None else self._seat - 1
        self._opponent.begin(self.rules)
        self._reply()
        self._show()
        return self._seen(), {}

    def step(self, action: int) -> _Step:
        """Play an action, and the opponent's reply to it."""
        info: dict[str, Any] = {}
        if not self._duel.over:
            move = gym_spaces.move_of(action, self.encoding)
            position = self._duel.position
            legal = position.objection(move) is None
            info |= self._label(position, move if legal else None)
            if legal:
                self._play(move)
                self._reply()
            else:
                self._duel = self._duel.lost_by(Reason.FORFEIT)
            self._show()
        reason, winner = self._duel.reason, self._duel.winner
        if reason is None:
            return self._seen(), 0.0, False, False, info
        if winner is not None:
            self._opponent.end(Outcome(self._duel.seat(winner), reason))
        info["reason"] = reason.value
        return self._seen(), rewards_of(winner)[self._player], winner is not None, winner is None, info

    def _play(self, move: Move) -> None:
        self._duel = self._duel.after(move)
        self._moves.append(move)

    def _reply(self) -> None:
        """Let the opponent move as long as it is its turn; an opponent without a legal move forfeits."""
        while not self._duel.over and self._duel.mover != self._player:
            seed = str(self.np_random.integers(1 << 62))
            turn = Turn(self._start, tuple(self._moves), self._duel.position, entrant_limits.MOVE_SECONDS, seed)
            decision = decide(self._opponent, turn)
            if decision.move is None:
                self._duel = self._duel.lost_by(decision.ending(turn).reason)
            else:
                self._play(decision.move)

    def _seen(self) -> gym_spaces.Observation:
        return gym_spaces.observation_of(self._duel, self._player, self.encoding)

    @property
    def _names(self) -> tuple[str, str]:
        return ("agent", "opponent") if self._player == 0 else ("opponent", "agent")

    def _show(self) -> None:
        gym_spaces.show(self.render_mode, self._duel, self._names)

    def render(self) -> str | None:
        """Return the position as text with `ansi`; with `human` it was printed when it arose."""
        return gym_spaces.rendered(self.render_mode, self._duel, self._names)

    def close(self) -> None:
        """End an opponent that is a program."""
        self._opponent.close()


def check(game: Game) -> None:
    """Run Gymnasium's own test on a game; raise if it fails."""
    made = gymnasium.make(ANY, rules=rules_of(game))
    try:
        check_env(made.unwrapped)
    finally:
        made.close()
