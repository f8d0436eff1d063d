"""Q-learning in batches: one table of values plays both seats of Sum31, a thousand matches at once, in a second.

To run it: python docs/envs/batch_q_learning.py [STEPS] [POLICY.json]
"""

import json
import sys

import numpy as np

from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.policy_report import scores_of
from zerosum.envs.batch import REWARDS, Batch
from zerosum.rules.position import start_position


def learn(steps, game="sum31", n=1_000, *, seed=1, rate=0.1, explore=0.3):
    """Return the batch, and Q: the value of each action in each state for the player to move, from -1 to 1."""
    batch, dice = Batch(game, n, seed), np.random.default_rng(seed)
    q = np.where(batch.table.mask, 0.0, -np.inf)
    for _ in range(steps):
        states = batch.states.copy()
        actions = np.where(dice.random(n) < explore, batch.sample(), best(q[states], dice))
        outcomes = batch.step(actions)
        # What comes next is the opponent's choice, and worth to us the opposite of what it is to them.
        ahead = np.where(outcomes == 0, -q[batch.states].max(axis=1), REWARDS[outcomes])
        q[states, actions] += rate * (ahead - q[states, actions])
    return batch, q


def best(rows, dice):
    """Return the action of the highest value in each row; of equal ones, any."""
    return (rows + dice.random(rows.shape) * 1e-6).argmax(axis=1)


def policy(batch, q):
    """Return what has been learned in the form that `zerosum measure policy policy:FILE` reads."""
    moves = {}
    for state, action in enumerate(q.argmax(axis=1)):
        position = batch.table.position(state)
        moves[str(position)] = {position.text_of(batch.moves[action]): 1.0}
    return {"schema": 1, "game": batch.rules.id, "policy": moves}


if __name__ == "__main__":
    steps, path = int((sys.argv[1:] or [1_000])[0]), (sys.argv[2:] or ["q-learner.json"])[0]
    batch, q = learn(steps)
    with open(path, "w") as file:
        json.dump(policy(batch, q), file)
    for score in scores_of(policy_of(f"policy:{path}", batch.rules), start_position(batch.rules)).against:
        print(f"{score.who:8} {100 * score.average:6.2f} %")
