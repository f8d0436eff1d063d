"""Exact labels instead of matches: the net of ppo.py learns which moves keep a win, in every position of Sum31.

python docs/envs/exact_labels.py [EXPLOITABILITY]
"""

import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from ppo import Net, chances_of, measured

from zerosum.rules.game_files import load_game
from zerosum.solver.game_table import table_of


def train(until, seed=1, rate=3e-3):
    """Learn until the exact exploitability is at most `until`; return the table, the chances and the steps."""
    table = table_of(load_game("sum31"))
    net = Net([np.unique(column) for column in table.observation.T], table.actions, np.random.default_rng(seed))
    inputs, keeping = net.features(table.observation), table.labels.keeping
    for step in range(1, 5_000):
        layers, logs, _ = net.forward(inputs, table.mask)
        right = np.where(keeping, np.exp(logs), 0)
        # The slope of the log of the chance of any right move.
        slope = np.exp(logs) - right / right.sum(axis=1, keepdims=True)
        net.learn(layers, np.pad(slope, ((0, 0), (0, 1))).astype(np.float32) / table.size, rate)
        if step % 25 == 0 and measured(chances_of(net, table), table)[2] <= until:
            break
    return table, chances_of(net, table), step


if __name__ == "__main__":
    began = time.process_time()
    table, chances, steps = train(float((sys.argv[1:] or [0.01])[0]))
    five, perfect, exploited = measured(chances, table)
    print(f"{steps} steps over all {table.size} positions, {time.process_time() - began:.1f} s")
    print(f"{five:.2%} against level 5, {perfect:.2%} against perfect, exploitability {exploited:.4f}")
