"""PPO in NumPy: an agent learns Sum31 in 1,024 matches at once; its exact score is known after every rollout.

python docs/envs/ppo.py [SECONDS] [CURVE.svg] [OPPONENT...]

The seconds are those of the processor. The opponents, level:5 and perfect if none are given, take turns.
"""

import os
import sys
import time
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads cost more than they save in nets as small as this one

import numpy as np

from zerosum.arena.strength.best_response import exploitability
from zerosum.arena.strength.named_policies import Policy
from zerosum.arena.strength.policy_report import scores_of
from zerosum.envs.vector import DuelVectorEnv
from zerosum.players.policies import MovePolicy

MATCHES, STEPS, EPOCHS, PARTS, HIDDEN = 1024, 8, 3, 8, 128
CLIP, RATE, GAMMA, LAMBDA = 0.2, 1e-3, 1.0, 0.9


class Net:
    """Two layers of tanh, then a score for each action and a value; trained by Adam."""

    def __init__(self, values, actions, dice):
        self.values = values  # what each number of an observation can be
        sizes = [sum(map(len, values)), HIDDEN, HIDDEN, actions + 1]
        self.weights = [dice.normal(0, (1 / n) ** 0.5, (n, m)).astype(np.float32) for n, m in pairwise(sizes)]
        self.weights[-1] *= 0.1
        self.weights += [np.zeros(m, np.float32) for m in sizes[1:]]
        self.moments = [[np.zeros_like(one) for one in self.weights] for _ in range(2)]
        self.steps = 0

    def features(self, seen):
        """Return a 1 for the value of each number."""
        return np.concatenate([seen[:, [n]] == known for n, known in enumerate(self.values)], axis=1).astype(np.float32)

    def forward(self, inputs, masks):
        """Return the layers, the log of the chance of each action, and the values."""
        layers = [inputs]
        for weights, bias in zip(self.weights[:2], self.weights[3:5], strict=True):
            layers.append(np.tanh(layers[-1] @ weights + bias))
        out = layers[-1] @ self.weights[2] + self.weights[5]
        scores = np.where(masks, out[:, :-1], -1e9)
        scores -= scores.max(axis=1, keepdims=True)
        return layers, scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)), out[:, -1]

    def learn(self, layers, slope, rate):
        """Go a step against the slope of the loss by the outputs."""
        slopes = [None] * 6
        for at in (2, 1, 0):
            slopes[at], slopes[at + 3] = layers[at].T @ slope, slope.sum(axis=0)
            slope = slope @ self.weights[at].T * (1 - layers[at] ** 2)
        self.steps += 1
        for n, slope in enumerate(slopes):
            first, second = (moment[n] for moment in self.moments)
            first[:] += 0.1 * (slope - first)
            second[:] += 0.001 * (slope**2 - second)
            step = first / (1 - 0.9**self.steps) / (np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8)
            self.weights[n] -= rate * step


def rollout(envs, net, seen, dice):
    """Play some steps; return what is needed to learn from them, and what is seen now."""
    rows = []
    for _ in range(STEPS):
        inputs, masks = net.features(seen["observation"]), seen["action_mask"]
        _, logs, values = net.forward(inputs, masks)
        actions = (logs + dice.gumbel(size=logs.shape)).argmax(axis=1)
        seen, rewards, terminated, truncated, _ = envs.step(actions)
        took = logs[np.arange(MATCHES), actions]
        rows.append((inputs, masks, actions, took, values, rewards, terminated | truncated))
    ahead, gain, gains = net.forward(net.features(seen["observation"]), seen["action_mask"])[2], 0.0, []
    for *_, values, rewards, over in reversed(rows):
        delta = rewards + GAMMA * np.where(over, 0, ahead) - values
        gain = delta + GAMMA * LAMBDA * np.where(over, 0, gain)
        gains.append(gain)
        ahead = values
    inputs, masks, actions, took, values, _, _ = (np.concatenate(column) for column in zip(*rows, strict=True))
    gains = np.concatenate(gains[::-1])
    return (inputs, masks, actions, took, gains, gains + values), seen


def update(net, batch, dice, rate, entropy):
    """Learn from a rollout by PPO's clipped loss."""
    size = len(batch[0])
    for _ in range(EPOCHS):
        for part in np.array_split(dice.permutation(size), PARTS):
            inputs, masks, actions, took, gains, returns = (column[part] for column in batch)
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            layers, logs, values = net.forward(inputs, masks)
            chances, rows = np.exp(logs), np.arange(len(part))
            ratio = np.exp(logs[rows, actions] - took)
            clipped = (gains > 0) & (ratio > 1 + CLIP) | (gains < 0) & (ratio < 1 - CLIP)
            push = np.where(clipped, 0, -gains * ratio)
            slope = -chances * push[:, None]
            slope[rows, actions] += push
            spread = -(chances * logs).sum(axis=1, keepdims=True)
            slope += entropy * chances * (logs + spread)
            slope = np.concatenate([np.where(masks, slope, 0), (values - returns)[:, None]], axis=1)
            net.learn(layers, (slope / len(part)).astype(np.float32), rate)


def chances_of(net, table):
    """Return what the net does, as the chance of each action in every state of the game."""
    return np.exp(net.forward(net.features(table.observation), table.mask)[1])


def measured(chances, table):
    """Return the exact scores against level 5 and against perfect play, and how far a best response exploits it."""
    index = {table.position(state).key: state for state in range(table.size)}

    def ask(position):
        state = index[position.key]
        row = chances[state][table.mask[state]].astype(float)
        return (row / row.sum()).tolist()

    policy = MovePolicy(ask, mirrors=False)
    found = scores_of(Policy("learner", policy), table.position(0), ["level:5", "perfect"]).against
    return [*(score.average for score in found), exploitability(policy, table.rules).value]


def train(seconds, opponents=("level:5", "perfect"), seed=1, rollouts=None):
    """Return the environment, the net and the curve: the seconds and the exact figures after each rollout."""

    def done():
        return curve[-1][0] / seconds if rollouts is None else (len(curve) - 1) / rollouts

    dice = np.random.default_rng(seed)
    envs = DuelVectorEnv(MATCHES, "sum31", opponents[0])
    net = Net([np.unique(column) for column in envs.table.observation.T], envs.single_action_space.n, dice)
    seen, _ = envs.reset(seed=seed)
    began, curve = time.process_time(), [(0.0, *measured(chances_of(net, envs.table), envs.table))]
    while done() < 1:
        left = max(1 - done(), 0.05)
        envs.set_opponent(opponents[len(curve) % len(opponents)])
        batch, seen = rollout(envs, net, seen, dice)
        update(net, batch, dice, RATE * left, 0.03 * left)
        curve.append((time.process_time() - began, *measured(chances_of(net, envs.table), envs.table)))
    return envs, net, curve


def picture(curve, names=("score against level 5", "score against perfect", "exploitability")):
    """Return the curve as SVG."""
    wide, high, until = 600, 240, curve[-1][0]
    lines = []
    for n, (name, colour, dash) in enumerate(
        zip(names, ("#1b6ca8", "#2e7d32", "#b3261e"), ("", "6 3", "2 3"), strict=True)
    ):
        points = " ".join(f"{60 + wide * row[0] / until:.1f},{20 + high * (1 - row[n + 1]):.1f}" for row in curve)
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        lines.append(f'<polyline points="{points}" {style}/>')
        lines.append(f'<line x1="{70 + 200 * n}" x2="{95 + 200 * n}" y1="300" y2="300" {style}/>')
        lines.append(f'<text x="{100 + 200 * n}" y="304">{name}</text>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = 20 + high * (1 - share)
        lines.append(f'<line x1="60" x2="{60 + wide}" y1="{y}" y2="{y}" stroke="#999" stroke-opacity="0.4"/>')
        lines.append(f'<text x="52" y="{y + 4}" text-anchor="end">{share:g}</text>')
    lines.append(f'<text x="60" y="278">0 s</text><text x="{60 + wide}" y="278" text-anchor="end">{until:.0f} s</text>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 316" font-family="sans-serif" font-size="12">'
    ground = '<rect width="680" height="316" fill="#fff"/>'
    return "\n".join(
        [head, f"<title>PPO learns Sum31: exact figures after every rollout</title>{ground}", *lines, "</svg>\n"]
    )


if __name__ == "__main__":
    seconds, path, *opponents = [*sys.argv[1:], "60", "ppo.svg"][: max(2, len(sys.argv) - 1)]
    envs, net, curve = train(float(seconds), opponents or ("level:5", "perfect"))
    Path(path).write_text(picture(curve), encoding="utf-8")
    chances = chances_of(net, envs.table)
    print(f"{len(curve) - 1} rollouts, {(len(curve) - 1) * MATCHES * STEPS:,} steps")
    for name, table in (
        ("its chances", chances),
        ("its likeliest moves", chances == chances.max(axis=1, keepdims=True)),
    ):
        five, perfect, exploited = measured(table, envs.table)
        print(f"{name}: {five:.2%} against level 5, {perfect:.2%} against perfect, exploitability {exploited:.4f}")
