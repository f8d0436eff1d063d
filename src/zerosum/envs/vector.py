"""Gymnasium, many matches at once: `gymnasium.vector.VectorEnv` with the opponent inside.

    import zerosum.envs
    envs = gymnasium.make_vec("zerosum/Sum31-v0", num_envs=1024, opponent="level:5")
    envs = zerosum.envs.vector.DuelVectorEnv(1024, "my-variant.toml", opponent="perfect", advantage="perfect")

Observations, actions and rewards are those of `gymnasium.make` (`gym.py`). A match that is over restarts in the same
step (`AutoresetMode.SAME_STEP`); `infos["final_obs"]` has what the agent saw at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from zerosum.base.extras import missing

try:
    import numpy as np
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.base.errors import BadValueError
from zerosum.base.text import shorten
from zerosum.envs.agent_matches import PlayedAgentMatches, TableAgentMatches
from zerosum.envs.batch import checked_actions, checked_count
from zerosum.envs.duel import Duel, drawing
from zerosum.envs.gym_spaces import Observation, action_space, begin_at, observation_space
from zerosum.envs.opponents import SELF, MatchOpponent
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Seat
from zerosum.rules.position import Position
from zerosum.solver.encoding import encoding_of
from zerosum.solver.game_table import Array, GameTable, table_of

Advantage = Literal["perfect", "opponent"] | None


class FinalObservations(Sequence[Any]):
    """What the agents saw at the end: `[match]` for one match, None if it goes on, `["observation"]` for all.

    Nothing is looked up before it is asked for.
    """

    def __init__(self, over: Array, find: Callable[[], Array], actions: int) -> None:
        self._over, self._find, self._actions = over, find, actions
        self._set: dict[int, Any] = {}
        self._rows: Array | None = None

    def __len__(self) -> int:
        return len(self._over)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._all()[key]
        match = range(len(self))[key]
        if not self._over[match]:
            return None
        if match not in self._set:
            every = self._all()
            self._set[match] = {name: every[name][match].copy() for name in every}
        return self._set[match]

    def __setitem__(self, match: int, seen: Any) -> None:
        """Replace what one agent saw: Gymnasium's wrappers do."""
        self._set[range(len(self))[match]] = seen

    def __iter__(self) -> Iterator[Any]:
        return (self[match] for match in range(len(self)))

    def _all(self) -> Observation:
        """Return the rows of all matches; those of matches that go on are zeros, and nothing is legal at an end."""
        if self._rows is None:
            found = self._find()
            self._rows = np.zeros((len(self), found.shape[1]), np.int32)
            self._rows[self._over] = found
        return {"observation": self._rows, "action_mask": np.zeros((len(self), self._actions), np.int8)}


class DuelVectorEnv(VectorEnv[Observation, Array, Array]):
    """Many matches of an agent against an opponent.

    The agent sits in `seat`, or if that is None, in a seat drawn for each match. With `opponent="self"` it moves for
    both players in turn, and each reward is for the player who made the move. `advantage` puts the exact advantage of
    every action into `infos`, measured in rewards: against perfect play, or against the best play that this opponent
    allows.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Game = "sum31",
        opponent: MatchOpponent = "random",
        *,
        seat: Literal[1, 2] | None = None,
        advantage: Advantage = None,
        render_mode: str | None = None,
    ) -> None:
        _check(seat, {None, 1, 2}, "seat is 1, 2 or None")
        _check(advantage, {None, "perfect", "opponent"}, "advantage is 'perfect', 'opponent' or None")
        _check(render_mode, {None, "ansi"}, "render_mode is 'ansi' or None")
        self.num_envs = checked_count(num_envs)
        self.rules = rules_of(rules)
        self.encoding = encoding_of(self.rules)
        self.render_mode = render_mode
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space(self.encoding)
        self.single_action_space = action_space(self.encoding)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._advantage = advantage
        self._begun = False
        self.table: GameTable | None = table_of(self.rules)
        where = None if seat is None else Seat(seat)
        self._matches: TableAgentMatches | PlayedAgentMatches
        if self.table is not None:
            best = advantage == "opponent"
            self._matches = TableAgentMatches(self.table, self.num_envs, where, opponent, against_opponent=best)
        elif advantage == "opponent":
            raise BadValueError(f"{self.rules.name} has no table of states; only advantage='perfect' is known for it.")
        else:
            self._matches = PlayedAgentMatches(self.rules, self.num_envs, where, opponent)

    def set_opponent(self, opponent: MatchOpponent) -> None:
        """Let another opponent play on, from the next step: a name, a function, or an array of chances.

        For self-play against what the agent has learned, give its chances in every state of `table`.
        """
        self._matches.set_opponent(opponent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin every match: from the start, or at `options["position"]`, a text or one for each match."""
        super().reset(seed=seed)
        self._matches.dice = self.np_random.bit_generator
        self._matches.reset(self._positions(options))
        self._begun = True
        return self._seen(), self._infos()

    def _positions(self, options: dict[str, Any] | None) -> list[Position] | None:
        found = (options or {}).get("position")
        if found is None:
            return None
        texts = [found] * self.num_envs if isinstance(found, str) else list(found)
        if len(texts) != self.num_envs:
            raise BadValueError(f"Give a position, or one for each of the {self.num_envs} matches, not {len(texts)}.")
        known = {text: begin_at({"position": text}, self.encoding.start) for text in dict.fromkeys(texts)}
        return [known[text] for text in texts]

    def step(self, actions: Array | Sequence[int]) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Play an action in each match, and the opponent's reply to it."""
        if not self._begun:
            raise BadValueError("Call reset() first: no match is on.")
        done = self._matches.step(checked_actions(actions, self.num_envs, self.encoding.actions))
        over = done.terminated | done.truncated
        infos = self._infos()
        if over.any():
            final = FinalObservations(over, done.final, self.encoding.actions)
            infos |= {"final_obs": final, "_final_obs": over, "final_info": {}, "_final_info": over}
        return self._seen(), done.rewards, done.terminated, done.truncated, infos

    def _seen(self) -> Observation:
        return {"observation": self._matches.observe(), "action_mask": self._matches.mask()}

    def _infos(self) -> dict[str, Any]:
        return {} if self._advantage is None else {"advantage": self._matches.advantage()}

    def action_masks(self) -> Array:
        """Return 1 for each legal action of each match, where masking libraries look for it."""
        return self._matches.mask()

    def position(self, match: int) -> Position:
        """Return the position of a match."""
        return self._matches.position(match)

    def render(self) -> tuple[str, ...] | None:
        """Return the position of each match as text with `ansi`."""
        if self.render_mode is None:
            return None
        positions = (self.position(match) for match in range(self.num_envs))
        return tuple(drawing(Duel(position), ("seat 1", "seat 2")) for position in positions)


def _check(value: object, known: set[Any], words: str) -> None:
    if value not in known:
        raise BadValueError(f"{words}, not {shorten(repr(value))}.")


__all__ = ["SELF", "DuelVectorEnv", "FinalObservations"]
