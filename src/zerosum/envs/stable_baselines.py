"""Stable-Baselines3: many matches as its `VecEnv`, whose agents may mask illegal actions.

    from sb3_contrib import MaskablePPO
    from zerosum.envs.stable_baselines import DuelVecEnv
    from zerosum.envs.vector import DuelVectorEnv

    model = MaskablePPO("MlpPolicy", DuelVecEnv(DuelVectorEnv(64, "sum31", "level:5")))

`MaskablePPO` finds the masks by itself, so an observation is only the row of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from zerosum.base.extras import missing

try:
    import numpy as np
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.envs.gym_spaces import observation_space
from zerosum.envs.vector import DuelVectorEnv
from zerosum.solver.game_table import Array


class DuelVecEnv(VecEnv):  # type: ignore[misc]  # it is not installed where types are checked
    """A `DuelVectorEnv` as Stable-Baselines3 takes it."""

    def __init__(self, envs: DuelVectorEnv) -> None:
        self.envs = envs
        self._actions: Array = np.zeros(envs.num_envs, np.int64)
        seen = observation_space(envs.encoding)["observation"]
        super().__init__(envs.num_envs, seen, envs.single_action_space)

    def reset(self) -> Array:
        """Begin every match; `seed` was called before if the matches are to be the same again."""
        seed = next((one for one in self._seeds if one is not None), None)
        seen, _ = self.envs.reset(seed=seed)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return self._row(seen)

    def step_async(self, actions: Array) -> None:
        """Keep the actions until `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play them; the info of a match that is over has its last observation."""
        seen, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        over = terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            final = infos["final_obs"]["observation"]
            for match in np.flatnonzero(over).tolist():
                told[match] = {"terminal_observation": final[match], "TimeLimit.truncated": bool(truncated[match])}
        return self._row(seen), rewards.astype(np.float32), over, told

    def _row(self, seen: dict[str, Any]) -> Array:
        row: Array = seen["observation"]
        return row

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Return what a method returns for each match: there is `action_masks`."""
        if method_name != "action_masks":
            raise AttributeError(f"A match in many has no method '{method_name}'; there is action_masks.")
        masks = self.envs.action_masks().astype(np.bool_)
        return [masks[match] for match in self._chosen(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the environment once for each match."""
        return [getattr(self.envs, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: all matches share one environment; its opponent is changed by `envs.set_opponent`."""
        raise AttributeError(f"'{attr_name}' cannot be set for single matches; use the methods of `envs`.")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Return that no match has a wrapper of its own."""
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: int | Iterable[int] | None) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
