"""Q-learning in Gymnasium: an agent learns Sum31 from matches against level 5, until it beats it, by exact score.

python docs/envs/gymnasium_q_learning.py [EPISODES] [POLICY.json]
"""

import json
import sys
from collections import defaultdict

import gymnasium
import numpy as np

import zerosum.envs  # noqa: F401 - it registers the games
from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of


def learn(episodes, opponent="level:5", name="zerosum/Sum31-v0", seed=1, rate=0.1):
    """Return the environment and Q: what each action is worth, by observation."""
    env = gymnasium.make(name, opponent=opponent).unwrapped
    dice, q = np.random.default_rng(seed), defaultdict(lambda: np.zeros(env.action_space.n))
    env.reset(seed=seed)
    for episode in range(episodes):
        explore, done = 1.0 - episode / episodes, False
        seen, _ = env.reset()
        while not done:
            row, legal = q[seen["observation"].tobytes()], seen["action_mask"].nonzero()[0]
            if not len(legal):
                break  # the opponent has won before our first move
            action = dice.choice(legal) if dice.random() < explore else legal[row[legal].argmax()]
            seen, reward, terminated, truncated, _ = env.step(action)
            done = terminated or truncated
            ahead = 0.0 if done else q[seen["observation"].tobytes()][seen["action_mask"] == 1].max()
            row[action] += rate * (reward + ahead - row[action])
    return env, q


def player_of(env, q):
    """Return what has been learned as a player: a function from a position to its best move."""

    def player(position):
        legal = env.encoding.legal(position)
        row = q[env.encoding.observe(position, position.seat).tobytes()]
        return env.encoding.moves[max(legal, key=row.__getitem__)]

    return player


if __name__ == "__main__":
    episodes, path = int((sys.argv[1:] or [100_000])[0]), (sys.argv[2:] or ["q-learner.json"])[0]
    env, q = learn(episodes)
    with open(path, "w") as file:
        json.dump(document_of(player_of(env, q), env.rules), file)
    for score in scores_of(policy_of(f"policy:{path}", env.rules), env.encoding.start).against:
        print(f"{score.who:8} {100 * score.average:6.2f} %")
