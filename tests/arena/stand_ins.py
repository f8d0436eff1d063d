"""Objects that look like those of PyTorch and Stable-Baselines3 to whoever asks them, made of NumPy.

`make full` asks the real ones (tests/torch); these show the same logic where they are not installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from zerosum.solver.game_table import Array, GameTable


class Tensor:
    """An array under the names that a tensor has."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def to(self, **_where: object) -> Tensor:
        return self

    def detach(self) -> Tensor:
        return self

    cpu = double = detach

    def numpy(self) -> Array:
        return np.asarray(self.array, np.float64)


class Module:
    """A network that looks the position up in a table of scores."""

    def __init__(self, table: GameTable, scores: Array) -> None:
        self._rows = {tuple(row): score for row, score in zip(table.observation.tolist(), scores, strict=True)}
        self.training = True
        self.calls = 0
        self.modes: set[bool] = set()

    def parameters(self) -> Iterator[object]:
        return iter(())

    def eval(self) -> None:
        self.training = False

    def train(self, mode: bool) -> None:
        self.training = mode

    def __call__(self, seen: Tensor) -> Tensor:
        self.calls += 1
        self.modes.add(self.training)
        return Tensor(np.array([self._rows[tuple(row)] for row in np.asarray(seen.array).astype(int).tolist()]))


@contextmanager
def no_grad() -> Iterator[None]:
    yield


TORCH = SimpleNamespace(nn=SimpleNamespace(Module=Module), as_tensor=Tensor, no_grad=no_grad)


class ChancesPolicy(Module):
    """The policy of a PPO: a distribution for each observation; `masked` takes masks, as sb3-contrib's does."""

    def __init__(self, table: GameTable, chances: Array, *, both: bool) -> None:
        super().__init__(table, chances)
        self._both = both

    def obs_to_tensor(self, seen: Any) -> tuple[Tensor, bool]:
        assert isinstance(seen, dict) is self._both
        return Tensor(seen["observation"] if self._both else seen), True

    def get_distribution(self, seen: Tensor) -> SimpleNamespace:
        return SimpleNamespace(distribution=SimpleNamespace(probs=self(seen)))


class MaskedPolicy(ChancesPolicy):
    def get_distribution(self, seen: Tensor, action_masks: Array | None = None) -> SimpleNamespace:
        assert action_masks is not None
        shares = self(seen).array * action_masks
        return SimpleNamespace(distribution=SimpleNamespace(probs=Tensor(shares / shares.sum(axis=1, keepdims=True))))


class ValuesPolicy(ChancesPolicy):
    """The policy of a DQN."""

    @property
    def q_net(self) -> Module:
        return self


class RecurrentPolicy(ChancesPolicy):
    def get_distribution(self, seen: Tensor, lstm_states: object = None) -> SimpleNamespace:
        raise AssertionError(f"nobody may ask it: {seen}, {lstm_states}")


def model(policy: ChancesPolicy, table: GameTable, *, both: bool) -> SimpleNamespace:
    """Return a model with a policy; it observes masks too if `both`."""
    kind = SimpleNamespace(dtype=np.dtype(np.int32))
    space = SimpleNamespace(spaces={"observation": kind, "action_mask": kind}) if both else kind
    return SimpleNamespace(
        policy=policy, predict=None, observation_space=space, action_space=SimpleNamespace(n=table.actions)
    )
