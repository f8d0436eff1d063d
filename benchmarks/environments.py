"""Environments: a step of PettingZoo's against one of OpenSpiel's Python games, and what PPO learns in a minute."""

from __future__ import annotations

import re
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from random import Random

from open_spiel.python.games import tic_tac_toe
from open_spiel.python.rl_environment import Environment

from benchmarks.measure import PYTHON, at_least, best
from zerosum.envs import aec
from zerosum.envs.openspiel import name_of

_STEPS = 10_000
_LEARNER = Path(__file__).parent.parent / "docs" / "envs" / "ppo.py"
_SECONDS = 60
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
    _learn()


def _learn() -> None:
    """Print what the example of PPO reaches, exactly, in a minute of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        command = (PYTHON, str(_LEARNER), str(_SECONDS), str(Path(folder, "curve.svg")))
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rises = Path(folder, "curve.svg").stat().st_size > 0
    level, perfect = map(float, re.findall(r"its chances: ([\d.]+)% against level 5, ([\d.]+)%", told)[0])
    what = f"Sum31, PPO after {_SECONDS} s of CPU{', with its curve' if rises else ''}"
    at_least(f"{what}, against level 5", level, 92, "one per cent")
    at_least(f"{what}, against perfect", perfect, 49, "one per cent")


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
