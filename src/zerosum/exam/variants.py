"""Fresh variants: games like a given one that were drawn for one exam, so that nobody has seen them.

A draw is taken or thrown away by the solver's figures alone: nobody looks at it, and no model is asked about it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random
from typing import Final

from zerosum.coach.puzzles import found_at_random
from zerosum.rules.errors import RulesError, ZerosumError
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError, solution_of

DRAWS: Final = 300
"""Draws after which a game counts as having no fresh variants."""
FEWEST_POSITIONS: Final = 150
MOST_POSITIONS: Final = 300_000
SHORTEST: Final = 3
"""Plies that perfect play from the start must last."""
CHOICE_SHARE: Final = 0.1
"""The least share of positions met at random that are real choices."""
SPARE: Final = 4
"""Real choices that must be there for each one that is asked for."""
_LARGEST_POOL: Final = 11
_LARGEST_ENDLESS_POOL: Final = 8
_WIDER: Final = 4
_SAMPLE: Final = 400


class NoVariantError(ZerosumError):
    """A game of which no fresh variant was found."""


def fresh_variant(rules: Rules, place: int, needed: int, seed: str, known: Collection[Rules]) -> Rules:
    """Return a variant of a game with at least `needed` real choices, unlike those that are known."""
    dice = Random(seed)
    for _ in range(DRAWS):
        try:
            drawn = _drawn(rules, place, dice)
            if all(_key(drawn) != _key(other) for other in known) and is_good(solution_of(drawn), needed):
                return drawn
        except (RulesError, SolverError):
            continue
    raise NoVariantError(f"No fresh variant of {rules.name} was found in {DRAWS} draws; ask for --fresh 0.")


def _key(rules: Rules) -> tuple[object, ...]:
    return rules.pool, rules.target, rules.start


def _drawn(rules: Rules, place: int, dice: Random) -> Rules:
    """Return a game with another pool and, unless it ends where it starts, another target."""
    widest = max(map(abs, rules.pool)) + _WIDER
    numbers = [n for n in range(-widest, widest + 1) if n > 0 or (n < 0 and min(rules.pool) < 0)]
    most = _LARGEST_ENDLESS_POOL if rules.tie is Tie.SUDDEN_DEATH else _LARGEST_POOL
    size = min(len(rules.pool) + dice.choice((-1, 0, 0, 1)), most, len(numbers))
    pool = tuple(sorted(dice.sample(numbers, max(size, 2))))
    target = rules.target
    if target not in rules.start:
        # As far in sums of the pool as in the game itself, give or take a third.
        share = sum(map(abs, pool)) / sum(map(abs, rules.pool))
        away = (target - rules.start[0]) * share * dice.uniform(2 / 3, 4 / 3)
        target = rules.start[0] + (round(away) or 1)
    return replace(rules, id=f"{rules.id[:48]}-fresh-{place}", name=f"Number Duel {place}", pool=pool, target=target)


def is_good(solution: Solution, needed: int) -> bool:
    """Whether a game is worth asking about, by the solver's figures."""
    positions = solution.positions
    if positions is not None and not FEWEST_POSITIONS <= positions <= MOST_POSITIONS:
        return False
    plies = solution.value(solution.start).plies
    if plies is not None and plies < SHORTEST:
        return False
    met = choices = 0

    def look(position: Position) -> Position:
        nonlocal met, choices
        met += 1
        choices += len({option.value.verdict for option in solution.options(position)}) > 1
        return position

    for _ in found_at_random(solution, Random("figures"), look):
        if met >= max(_SAMPLE, SPARE * needed / CHOICE_SHARE) or choices >= max(SPARE * needed, CHOICE_SHARE * _SAMPLE):
            break
    return choices >= SPARE * needed and choices >= CHOICE_SHARE * met
