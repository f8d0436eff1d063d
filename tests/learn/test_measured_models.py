"""`zerosum.measure` asks real models of PyTorch, Stable-Baselines3 and sb3-contrib what they themselves say."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO, RecurrentPPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3 import A2C, DQN, PPO

import zerosum
import zerosum.envs  # it registers the games
from zerosum.rules.position import Position

torch.set_num_threads(1)
GAME = "sum31"


class OneBox(gymnasium.ObservationWrapper):
    """The environment as agents without dictionaries see it."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]

    def observation(self, seen: dict[str, Any]) -> Any:
        return seen["observation"]


def _env(*, box: bool = False) -> gymnasium.Env:

    env = gymnasium.make("zerosum/Sum31-v0", opponent="level:3")
    return OneBox(env) if box else env


def _mask(env: gymnasium.Env) -> Any:
    return env.unwrapped.action_masks()


def _one_by_one(model: Any, chances: Any) -> Any:
    """Return the same model as a function of a position, asked about one observation at a time."""
    encoding = zerosum.encoding_of(zerosum.load_game(GAME))

    def player(position: Position) -> dict[Any, float]:
        legal = encoding.legal(position)
        with torch.no_grad():
            shares = np.asarray(chances(encoding.observe(position, position.seat), encoding.mask(position)), float)
        whole = sum(shares[action] for action in legal)
        return {encoding.moves[action]: shares[action] / whole for action in legal}

    del model
    return player


def _same(found: zerosum.Measured, known: zerosum.Measured) -> None:
    assert found.exploitability == pytest.approx(known.exploitability, abs=1e-5)
    for one, two in zip(found.scores, known.scores, strict=True):
        assert one.who == two.who
        assert [one.as_first, one.as_second] == pytest.approx([two.as_first, two.as_second], abs=1e-5)


@pytest.mark.parametrize("kind", [PPO, A2C])
@pytest.mark.parametrize("box", [False, True])
def test_actor_critics_have_the_chances_that_they_say(kind: Any, box: bool) -> None:
    policy = "MlpPolicy" if box else "MultiInputPolicy"
    model = kind(policy, _env(box=box), n_steps=64, seed=1, device="cpu")
    model.learn(256)

    def chances(seen: Any, mask: Any) -> Any:
        row = seen if box else {"observation": seen, "action_mask": mask}
        return model.policy.get_distribution(model.policy.obs_to_tensor(row)[0]).distribution.probs[0]

    was = model.policy.training
    _same(zerosum.measure(model, GAME), zerosum.measure(_one_by_one(model, chances), GAME))
    assert model.policy.training is was


def test_a_masked_ppo_is_asked_with_its_masks() -> None:
    model = MaskablePPO("MultiInputPolicy", ActionMasker(_env(), _mask), n_steps=64, seed=1, device="cpu")
    model.learn(256)

    def chances(seen: Any, mask: Any) -> Any:
        row = model.policy.obs_to_tensor({"observation": seen, "action_mask": mask})[0]
        return model.policy.get_distribution(row, action_masks=mask).distribution.probs[0]

    _same(zerosum.measure(model, GAME), zerosum.measure(_one_by_one(model, chances), GAME))
    # What it always plays is what it predicts.
    greedy = zerosum.measure(model, GAME, greedy=True)
    encoding = zerosum.encoding_of(zerosum.load_game(GAME))

    def predicted(position: Position) -> Any:
        mask = encoding.mask(position)
        seen = {"observation": encoding.observe(position, position.seat), "action_mask": mask}
        action, _ = model.predict(seen, action_masks=mask, deterministic=True)
        return encoding.moves[int(action)]

    _same(greedy, zerosum.measure(predicted, GAME))


def test_a_dqn_takes_the_best_legal_action() -> None:
    model = DQN("MultiInputPolicy", _env(), learning_starts=32, buffer_size=256, seed=1, device="cpu")
    model.learn(64)

    def chances(seen: Any, mask: Any) -> Any:
        row = model.policy.obs_to_tensor({"observation": seen, "action_mask": mask})[0]
        values = model.policy.q_net(row)[0].numpy()
        best = np.where(mask.astype(bool), values, -np.inf).argmax()
        return np.eye(len(values))[best]

    _same(zerosum.measure(model, GAME), zerosum.measure(_one_by_one(model, chances), GAME))


def test_a_model_that_remembers_is_refused() -> None:
    model = RecurrentPPO("MultiInputLstmPolicy", _env(), n_steps=16, batch_size=16, device="cpu")
    with pytest.raises(zerosum.BadValueError, match="remembers earlier positions"):
        zerosum.measure(model, GAME)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_a_module_is_its_softmax(kind: Any) -> None:
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Linear(11, 32), torch.nn.Dropout(0.5), torch.nn.ReLU(), torch.nn.Linear(32, 9))
    net.to(kind)

    def chances(seen: Any, mask: Any) -> Any:
        net.eval()
        scores = net(torch.as_tensor(seen).to(kind)).double().numpy()
        net.train()
        return np.where(mask.astype(bool), np.exp(scores), 0.0)

    _same(zerosum.measure(net, GAME), zerosum.measure(_one_by_one(net, chances), GAME))
    assert net.training
    flat = zerosum.measure(torch.nn.Linear(11, 9, bias=False), GAME, name="linear")
    assert flat.player == "linear"
    with pytest.raises(zerosum.BadValueError, match="a score for each of 9 actions"):
        zerosum.measure(torch.nn.Linear(11, 8), GAME)


def test_labels_teach_a_module_to_play_perfectly() -> None:
    """Trained on the exact labels, a small network gets from all mistakes to nearly none in seconds."""
    torch.manual_seed(1)
    table = zerosum.game_table(GAME)
    seen = torch.as_tensor(table.observation.astype(np.float32))
    right = torch.as_tensor(table.labels.keeping.astype(np.float32))
    legal = torch.as_tensor(table.mask.copy())
    net = torch.nn.Sequential(torch.nn.Linear(11, 256), torch.nn.ReLU(), torch.nn.Linear(256, 9))
    before = zerosum.measure(net, GAME, greedy=True)
    steps = torch.optim.Adam(net.parameters(), 0.01)
    for _ in range(600):
        scores = net(seen).masked_fill(~legal, -1e9)
        loss = -(torch.log_softmax(scores, 1) * right / right.sum(1, keepdim=True)).sum(1).mean()
        steps.zero_grad()
        loss.backward()
        steps.step()
    after = zerosum.measure(net, GAME, greedy=True)
    assert before.exploitability > 0.9
    assert sum(one.regret for one in after.mistakes()) < sum(one.regret for one in before.mistakes()) / 4
    assert after.against("level:5").average > before.against("level:5").average + 0.2
