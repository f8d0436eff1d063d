"""The adapter to Stable-Baselines3, with the library itself: masks, ends, seeds, and an agent that learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

from zerosum.arena.strength.named_policies import Policy
from zerosum.arena.strength.policy_report import scores_of
from zerosum.envs.stable_baselines import DuelVecEnv
from zerosum.envs.vector import DuelVectorEnv
from zerosum.players.policies import MovePolicy
from zerosum.rules.position import Position

torch.set_num_threads(1)  # more of them only wait for each other in nets as small as these


def _made(n: int = 64, game: str = "sum31", opponent: str = "level:5") -> DuelVecEnv:
    return DuelVecEnv(DuelVectorEnv(n, game, opponent))


def test_masks_are_found() -> None:
    env = _made(8)
    assert is_masking_supported(env)
    env.reset()
    masks = get_action_masks(env)
    assert masks.shape == (8, 9)
    assert masks.dtype == np.bool_
    assert (masks == env.envs.action_masks().astype(bool)).all()
    assert len(env.env_method("action_masks", indices=[1, 3])) == 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 8
    with pytest.raises(AttributeError, match="there is action_masks"):
        env.env_method("nonsense")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("seat", 1)


def test_it_is_the_vector_environment() -> None:
    """The same observations, rewards and ends, and the last observation of each match in its info."""
    env, plain = _made(16), DuelVectorEnv(16, "sum31", "level:5")
    env.seed(5)
    row = env.reset()
    seen, _ = plain.reset(seed=5)
    ends = 0
    for _ in range(30):
        assert (row == seen["observation"]).all()
        actions = seen["action_mask"].argmax(axis=1)
        row, rewards, over, infos = env.step(actions)
        seen, expected, terminated, _, told = plain.step(actions)
        assert (rewards == expected).all()
        assert (over == terminated).all()
        for match in range(16):
            if over[match]:
                ends += 1
                assert (infos[match]["terminal_observation"] == told["final_obs"][match]["observation"]).all()
                assert infos[match]["TimeLimit.truncated"] is False
            else:
                assert infos[match] == {}
    assert ends > 50


def test_the_libraries_own_wrapper_and_ppo_take_it() -> None:
    model = PPO("MlpPolicy", VecMonitor(_made(8)), n_steps=16, batch_size=64, device="cpu", seed=1)
    model.learn(256)
    assert model.num_timesteps == 256


def test_maskable_ppo_learns() -> None:
    """By exact score against level 5, before and after."""
    env = _made(128)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=512, learning_rate=2e-3, device="cpu", seed=1)
    before = _score(model, env)
    model.learn(60_000)
    after = _score(model, env)
    assert after > before + 0.2, (before, after)


def _score(model: MaskablePPO, env: DuelVecEnv) -> float:
    encoding = env.envs.encoding

    def chances(position: Position) -> list[float]:
        action, _ = model.predict(
            encoding.observe(position, position.seat),
            action_masks=encoding.mask(position).astype(bool),
            deterministic=True,
        )
        return [float(encoding.action_of[move] == action) for move in position.legal_moves()]

    policy = Policy("learner", MovePolicy(chances, mirrors=False))
    return scores_of(policy, encoding.start, ["level:5"]).against[0].average
