"""Measuring players: an array in one call, exploitability against OpenSpiel's, a level fit, ratings with intervals."""

from __future__ import annotations

from functools import partial
from random import Random
from time import process_time

import zerosum
from benchmarks.measure import at_least, at_most, best
from tests.solver.peers.openspiel import SHAPES, name_of
from tests.solver.peers.policies import exploitability_by_openspiel
from zerosum.arena.strength.best_response import exploitability
from zerosum.arena.strength.decisions import Decision, judge_of
from zerosum.arena.strength.level_fit import fit_level
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.ratings import ratings_of
from zerosum.rules.game_files import load_game
from zerosum.solver import solution_of

_TINY = {"format": 1, "id": "tiny", "name": "Tiny", "pool": [1, 2, 3], "target": 4}
_DECISIONS = 2_000
_FIT = 0.25
_ENTRANTS = 6
_RATINGS = 30.0
_MEASURED = {"sum31": 0.1, "sequence-zero": 5.0}


def main() -> None:
    """Print how long each takes."""
    for game, limit in _MEASURED.items():
        _measured(game, limit)
    _exploitability()
    _fit()
    _ratings()


def _measured(game: str, limit: float) -> None:
    """Time the first measurement of a game in this process, from its rules to the line that beats an array."""

    def work() -> None:
        table = zerosum.game_table(game)
        chances = table.mask / table.mask.sum(axis=1, keepdims=True)
        zerosum.measure(chances, game)

    zerosum.measure("random", _TINY)  # loads what is loaded once
    cost = best(work, 1, process_time)
    at_most(f"{game}, measure of an array ({cost:.2f} s of CPU)", cost / limit, 1, f"{limit:g} s")


def _exploitability() -> None:
    rules = load_game("sum31")
    solution_of(rules)
    policy = policy_of("level:5", rules).guest
    ours = best(partial(exploitability, policy, rules), 20, process_time)
    theirs = best(
        partial(exploitability_by_openspiel, name_of("sum31"), policy, rules, SHAPES["sum31"]), 1, process_time
    )
    what = f"Sum31, exploitability of level:5 ({1000 * ours:.1f} ms against {theirs:.0f} s)"
    at_least(what, theirs / ours, 1_000, "faster than OpenSpiel's")


def _fit() -> None:
    solution = solution_of(load_game("sum31"))
    judge, dice = judge_of(solution), Random("fit")
    made: list[Decision] = []
    while len(made) < _DECISIONS:
        position = solution.start
        while position.outcome is None:
            move = dice.choice(position.legal_moves())
            made.append(judge(position, move))
            position = position.play_unchecked(move)
    cost = best(partial(fit_level, made))
    at_most(f"level fit of {len(made):,} decisions ({1000 * cost:.0f} ms)", cost / _FIT, 1, f"{_FIT} s")


def _ratings() -> None:
    dice = Random("ratings")
    names = [f"player {n}" for n in range(_ENTRANTS)]
    results = {
        (one, two): tuple(dice.randint(0, 40) for _ in range(5))
        for n, one in enumerate(names)
        for two in names[n + 1 :]
    }
    cost = best(partial(ratings_of, results, "seed"), 1)
    what = f"ratings of {_ENTRANTS} players, {len(results)} pairings, 2,000 resamples ({cost:.1f} s)"
    at_most(what, cost / _RATINGS, 1, f"{_RATINGS:g} s")


if __name__ == "__main__":
    main()
