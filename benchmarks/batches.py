"""Many matches at once against a loop over `Position.play_unchecked` that plays the same moves of the same matches.

Both in one process, and both told the moves, which were drawn before. The time is the processor's, so that other work
on the machine counts little.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.measure import at_least, at_most, best
from zerosum.envs.batch import Batch
from zerosum.envs.vector import DuelVectorEnv
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import start_position
from zerosum.solver import solve
from zerosum.solver.game_table import Array, compile_table, table_of

_MATCHES = 16_384
_GAMES = ("sum31", "zero-sum-duel")
_STEPS = 16
_TIMES = 40
_MILLION = 1e6
_AGAINST: dict[str, dict[int, float]] = {
    "sum31": {64: 1.0, 1_024: 8.0, 16_384: 20.0},
    "zero-sum-duel": {16_384: 15.0},
    "sequence-zero": {16_384: 8.0},
}
"""Matches of each game against an opponent inside, and how many million steps a second are expected of them."""


def cpu(work: Callable[[], object], times: int = _TIMES) -> float:
    """Return the least processor time of several runs, in seconds."""
    return best(work, times, time.process_time)


def main() -> None:
    """Print every ratio."""
    for game in _GAMES:
        _stepping(load_game(game))
    for game, limits in _AGAINST.items():
        _against_level_5(load_game(game), limits)
    for game in GAME_IDS:
        rules = load_game(game)
        if rules.tie is not Tie.SUDDEN_DEATH:
            _compiling(rules)


def _stepping(rules: Rules) -> None:
    batch = Batch(rules, _MATCHES, seed=1)
    drawn: list[Array] = []
    for _ in range(_STEPS):
        drawn.append(batch.sample().copy())
        batch.step(drawn[-1])
    loop = _loop(rules, drawn)

    def step(batch: Batch, actions: Array) -> None:
        batch.step(actions)

    def look(batch: Batch, actions: Array) -> None:
        batch.step(actions)
        batch.observe()
        batch.mask()

    def draw(batch: Batch, _: Array) -> None:
        batch.step(batch.sample())

    _tell(rules, "steps", _rate(batch, step, drawn), loop, 400)
    _tell(rules, "steps with observation and mask", _rate(batch, look, drawn), loop, 100)
    rate = _rate(batch, draw, drawn)
    _tell(rules, "steps with a random policy", rate, loop, 80)
    at_least(f"{rules.name}, steps with a random policy in a second", rate / _MILLION, 15, "a million")
    _tell(rules, "steps by arithmetic", _rate(Batch(rules, _MATCHES, arithmetic=True), step, drawn), loop, 40)


def _tell(rules: Rules, what: str, rate: float, loop: float, limit: float) -> None:
    figures = f"{rate / _MILLION:.0f} million a second against {loop / _MILLION:.2f}"
    at_least(f"{rules.name}, {what}, {_MATCHES:,} at once ({figures})", rate / loop, limit, "a loop over Position")


def _loop(rules: Rules, drawn: list[Array]) -> float:
    """Return how many moves a second a loop plays."""
    start = start_position(rules)
    moves = [[rules.moves[action] for action in actions.tolist()] for actions in drawn]

    def play() -> None:
        positions = [start] * _MATCHES
        for row in moves:
            after = [one.play_unchecked(move) for one, move in zip(positions, row, strict=True)]
            positions = [one if one.outcome is None else start for one in after]

    return _MATCHES * _STEPS / cpu(play, 5)


def _rate(batch: Batch, step: Callable[[Batch, Array], None], drawn: list[Array]) -> float:
    """Return how many moves a second a batch plays."""

    def play() -> None:
        batch.reset()
        for actions in drawn:
            step(batch, actions)

    play()
    return _MATCHES * _STEPS / cpu(play)


def _against_level_5(rules: Rules, limits: dict[int, float]) -> None:
    """Time `VectorEnv` with level 5 inside, observations and masks; every run plays the same legal moves."""

    def made() -> DuelVectorEnv:
        table_of.cache_clear()
        envs = DuelVectorEnv(64, rules, "level:5")
        envs.reset(seed=1)
        return envs

    at_most(f"{rules.name}, making a VectorEnv against level 5", cpu(made, 3), 1, "a second")
    dice = np.random.default_rng(1)
    for n, limit in limits.items():
        envs = DuelVectorEnv(n, rules, "level:5")
        seen, _ = envs.reset(seed=1)
        drawn = []
        for _ in range(_STEPS):
            drawn.append((seen["action_mask"] * dice.random(seen["action_mask"].shape)).argmax(axis=1))
            seen, *_ = envs.step(drawn[-1])

        def play(envs: DuelVectorEnv = envs, drawn: list[Array] = drawn) -> None:
            envs.reset(seed=1)
            for actions in drawn:
                envs.step(actions)

        rate = n * _STEPS / cpu(play)
        at_least(f"{rules.name}, steps in a second against level 5, {n:,} at once", rate / _MILLION, limit, "a million")


def _compiling(rules: Rules) -> None:
    """Compare compiling a table, with all its labels, with solving the game."""

    def compiled() -> None:
        table = compile_table(rules)
        if table is not None:
            _ = table.labels

    ours, solver = cpu(compiled, 7), cpu(lambda: solve(rules), 7)
    what = f"{rules.name}, compiling its table with labels ({1000 * ours:.1f} ms against {1000 * solver:.1f} ms)"
    at_most(what, ours / solver, 20, "solving it")


if __name__ == "__main__":
    main()
