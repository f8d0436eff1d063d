"""PettingZoo: a game for two agents who take turns (AEC).

    env = zerosum.envs.aec.env("sum31")
    env.reset()
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))

An illegal action forfeits the match. PettingZoo's usual wrappers are not needed: order, bounds and legality are checked
here, at a fraction of their cost.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from zerosum.base.extras import missing

try:
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.envs import gym_spaces
from zerosum.envs.duel import Duel, rewards_of
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver.encoding import encoding_of

AGENTS: Final = ("player_1", "player_2")
"""Who plays; `player_1` begins. With a swap they change seats, not names."""
_PLAYER: Final = {agent: player for player, agent in enumerate(AGENTS)}


class DuelAECEnv(AECEnv):  # type: ignore[misc]  # it has no types
    """A game as PettingZoo plays it. `regret` puts the exact regret of each move into the info of its agent."""

    metadata: dict[str, Any] = {"render_modes": [*gym_spaces.RENDER_MODES], "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012 - theirs

    def __init__(self, game: Game = "sum31", *, regret: bool = False, render_mode: str | None = None) -> None:
        super().__init__()
        self.rules = rules_of(game)
        self.encoding = encoding_of(self.rules)
        self.metadata = {**self.metadata, "name": f"{self.rules.id.replace('-', '_')}_v0"}
        self.render_mode = gym_spaces.check_mode(render_mode)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: gym_spaces.observation_space(self.encoding) for agent in AGENTS}
        self.action_spaces = {agent: gym_spaces.action_space(self.encoding) for agent in AGENTS}
        self._label = gym_spaces.label_of(self.rules, regret=regret)
        self._duel = Duel(self.encoding.start)

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._duel.position

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return what an agent may do, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match: from the start, or at `options["position"]`, written as `zerosum analyze` does."""
        self._duel = Duel(gym_spaces.begin_at(options, self.encoding.start))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._duel.mover]
        gym_spaces.show(self.render_mode, self._duel, AGENTS)

    def observe(self, agent: str) -> gym_spaces.Observation:
        """Return what an agent sees now; the mask of an agent who is not to move is all zeros."""
        if not self.agents:
            raise ResetNeeded("Call reset() first: no match is on.")
        return gym_spaces.observation_of(self._duel, _PLAYER[agent], self.encoding)

    def step(self, action: int | None) -> None:
        """Play the action of `agent_selection`; an agent whose match is over is taken off with None."""
        if not self.agents:
            raise ResetNeeded("Call reset() first: no match is on.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = gym_spaces.move_of(action, self.encoding)
        before = self._duel
        legal = before.position.objection(move) is None
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._label(before.position, move if legal else None)
        self._duel = before.after(move) if legal else before.lost_by(Reason.FORFEIT)
        if self._duel.reason is not None:
            self._end(self._duel.winner, self._duel.reason)
        # PettingZoo takes both agents off after the end, the one who did not move first.
        self.agent_selection = AGENTS[1 - _PLAYER[agent] if self._duel.over else self._duel.mover]
        gym_spaces.show(self.render_mode, self._duel, AGENTS)

    def _end(self, winner: int | None, reason: Reason) -> None:
        self.terminations = dict.fromkeys(AGENTS, winner is not None)
        self.truncations = dict.fromkeys(AGENTS, winner is None)
        self.rewards = dict(zip(AGENTS, rewards_of(winner), strict=True))
        self._accumulate_rewards()
        self.infos = {agent: {**self.infos[agent], "reason": reason.value} for agent in AGENTS}

    def render(self) -> str | None:
        """Return the position as text with `ansi`; with `human` it was printed when it arose."""
        return gym_spaces.rendered(self.render_mode, self._duel, AGENTS)

    def close(self) -> None:
        """Do nothing: nothing is open."""


def env(game: Game = "sum31", *, regret: bool = False, render_mode: str | None = None) -> DuelAECEnv:
    """Return a game as a PettingZoo environment: a built-in id, the path of a rules file, or rules."""
    return DuelAECEnv(game, regret=regret, render_mode=render_mode)


raw_env = env
"""What PettingZoo's own games call the environment without wrappers: here it is the same."""


def check(game: Game) -> None:
    """Run PettingZoo's own tests on a game; raise if one fails."""
    from pettingzoo.test import api_test, render_test, seed_test  # noqa: PLC0415 - only here

    rules = rules_of(game)
    api_test(env(rules), num_cycles=200)
    seed_test(functools.partial(env, rules), num_cycles=200)
    render_test(functools.partial(env, rules))
