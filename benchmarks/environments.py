"""Environments: a step of PettingZoo's against one of OpenSpiel's Python games, each through its own environment."""

from __future__ import annotations

from functools import partial
from random import Random

from open_spiel.python.games import tic_tac_toe
from open_spiel.python.rl_environment import Environment

from benchmarks.measure import at_least, best
from zerosum.envs import aec
from zerosum.envs.openspiel import name_of

_STEPS = 10_000
THEIRS = tic_tac_toe._GAME_TYPE.short_name  # noqa: SLF001 - importing it has registered it


def main() -> None:
    """Print how many times faster a step is."""
    for game in ("sum31", "zero-sum-duel", "sequence-zero"):
        ours = best(partial(_pettingzoo, game))
        theirs = best(partial(_openspiel, name_of(game)))
        what = f"{game}, a PettingZoo step ({1e6 * ours / _STEPS:.1f} against {1e6 * theirs / _STEPS:.1f} microseconds)"
        at_least(what, theirs / ours, 2, "as fast as OpenSpiel's Python game")
    ratio = best(partial(_openspiel, THEIRS)) / best(partial(_pettingzoo, "sum31"))
    at_least(f"sum31, a PettingZoo step against one of OpenSpiel's {THEIRS}", ratio, 2, "as fast")


def _pettingzoo(game: str) -> None:
    env, dice = aec.env(game), Random(1)
    env.reset()
    for _ in range(_STEPS):
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset()
            observation, *_ = env.last()
        env.step(dice.choice(observation["action_mask"].nonzero()[0]))


def _openspiel(name: str) -> None:
    env, dice = Environment(name), Random(1)
    now = env.reset()
    for _ in range(_STEPS):
        if now.last():
            now = env.reset()
        now = env.step([dice.choice(now.observations["legal_actions"][now.current_player()])])


if __name__ == "__main__":
    main()
