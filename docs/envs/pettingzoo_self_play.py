"""Self-play in PettingZoo: one table learns Sequence Zero for both players, and its strength is computed exactly.

python docs/envs/pettingzoo_self_play.py [EPISODES] [POLICY.json]
"""

import json
import random
import sys
from collections import defaultdict

from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of
from zerosum.envs import aec


def learn(episodes, game="sequence-zero", seed=1, rate=0.2):
    """Return the worth of each action by observation: the mean result of matches in which it was chosen."""
    env, dice = aec.env(game), random.Random(seed)
    worth = defaultdict(lambda: [0.0] * env.encoding.actions)
    for episode in range(episodes):
        env.reset()
        explore = 1.0 - episode / episodes
        steps = {agent: [] for agent in env.possible_agents}
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if termination or truncation:
                for row, action in steps[agent]:
                    row[action] += rate * (reward - row[action])
                env.step(None)
                continue
            row = worth[observation["observation"].tobytes()]
            legal = observation["action_mask"].nonzero()[0].tolist()
            action = dice.choice(legal) if dice.random() < explore else max(legal, key=row.__getitem__)
            steps[agent].append((row, action))
            env.step(action)
    return env, worth


def player_of(env, worth):
    """Return what has been learned as a player: a function from a position to its best move."""
    code = env.encoding

    def player(position):
        row = worth.get(code.observe(position, position.seat).tobytes(), [0.0] * code.actions)
        return code.moves[max(code.legal(position), key=row.__getitem__)]

    return player


if __name__ == "__main__":
    episodes, path = int((sys.argv[1:] or [200_000])[0]), (sys.argv[2:] or ["self-play.json"])[0]
    env, worth = learn(episodes)
    with open(path, "w") as file:
        json.dump(document_of(player_of(env, worth), env.rules), file)
    for score in scores_of(policy_of(f"policy:{path}", env.rules), env.encoding.start).against:
        print(f"{score.who:8} {100 * score.average:6.2f} %")
