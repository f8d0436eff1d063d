"""OpenSpiel's own Q-learners play each other at The Last Straw, and what they have learned is scored exactly.

python docs/envs/openspiel_q_learner.py [EPISODES] [POLICY.json]
"""

import json
import sys

import numpy as np
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import Environment, StepType, TimeStep
from open_spiel.python.rl_tools import LinearSchedule

import zerosum
import zerosum.envs  # it registers the games
from zerosum import encoding_of
from zerosum.arena.strength.named_policies import document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of

GAME = "last-straw"


def learn(episodes, game=GAME, seed=1):
    """Return two learners after matches against each other: one for each seat."""
    np.random.seed(seed)  # noqa: NPY002 - QLearner draws from it
    env = Environment(f"zerosum_duel(game={game})")
    actions, plies = env.action_spec()["num_actions"], 4 * episodes
    agents = [QLearner(seat, actions, epsilon_schedule=LinearSchedule(1.0, 0.1, plies)) for seat in range(2)]
    for _ in range(episodes):
        now = env.reset()
        while not now.last():
            now = env.step([agents[now.current_player()].step(now).action])
        for agent in agents:
            agent.step(now)
    return agents


def player_of(agents, game=GAME):
    """Return what has been learned as a player: a function from a position to a move."""
    code = encoding_of(zerosum.load_game(game))

    def player(position):
        seen, seat = code.observe(position, position.seat).astype(float).tolist(), position.seat - 1
        told = {"info_state": [seen] * 2, "legal_actions": [code.legal(position)] * 2, "current_player": seat}
        return code.moves[agents[seat].step(TimeStep(told, None, None, StepType.MID), is_evaluation=True).action]

    return player


if __name__ == "__main__":
    episodes, path = int((sys.argv[1:] or [30_000])[0]), (sys.argv[2:] or ["q-learners.json"])[0]
    rules = zerosum.load_game(GAME)
    with open(path, "w") as file:
        json.dump(document_of(player_of(learn(episodes)), rules), file)
    for score in scores_of(policy_of(f"policy:{path}", rules), zerosum.start_position(rules)).against:
        print(f"{score.who:8} {100 * score.average:6.2f} %")
