"""Pairs of position and move whose causes are checked, and the check itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from tests.coach.cause_reader import CauseReader
from tests.coach.plain_features import Plain
from tests.coach.positions import moves_to_explain
from tests.solver.random_tables import table
from zerosum.coach.causes import why, words
from zerosum.rules.model import Tie, rules_from_dict
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError, solve

Pair = tuple[Position, Move]
SMALL = 10_000
"""Games with at most as many positions are tried out; of others the solver, checked elsewhere, knows the verdicts."""


def is_small(solution: Solution) -> bool:
    """Whether a game has few positions and an end."""
    return solution.count is not None and solution.count <= SMALL


def plain_of(solution: Solution) -> Plain:
    """Return the plain definitions for a game."""
    if is_small(solution) and solution.rules.tie is not Tie.SUDDEN_DEATH:
        return Plain()
    return Plain(lambda position: solution.value(position).verdict.value)


def check(solution: Solution, pairs: Iterable[Pair]) -> Counter[str]:
    """Check the cause of each pair, and return how often each was met; the first false one is an error."""
    plain, met = plain_of(solution), Counter[str]()
    for position, move in pairs:
        found = why(position, move, solution)
        told = " ".join(words(found))
        wrong = CauseReader(plain, position, move).wrong(found.name, told)
        assert wrong == "", (str(position), position.text_of(move), found.name, told, wrong)
        met[found.name] += 1
    return met


def all_pairs(solution: Solution) -> Iterator[Pair]:
    """Yield every move of every position of a game that ends."""
    return ((position, move) for position, _ in solution.everything() for move in position.legal_moves())


def drawn_pairs(solution: Solution, count: int, seed: int = 3) -> Iterator[Pair]:
    """Yield different pairs from plays at random."""
    return moves_to_explain(solution, count, seed)


def random_variants(count: int, each: int, seed: int = 11) -> Iterator[tuple[Solution, list[Pair]]]:
    """Yield so many random variants with some of their pairs."""
    dice = Random(seed)
    while count > 0:
        try:
            solution = solve(rules_from_dict(table(dice, most=8, sudden_death=dice.random() < 0.25)))
        except SolverError:
            continue
        count -= 1
        yield solution, list(drawn_pairs(solution, each, dice.randrange(1000)))
