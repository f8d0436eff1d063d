"""Random variants, the same in every run: all keys, small and large numbers."""

from __future__ import annotations

import random
from typing import Any

RulesDict = dict[str, Any]
LARGE = 1_000_000


def numbers(dice: random.Random, count: int) -> list[int]:
    """Return a pool: small numbers, few different ones, pairs that cancel, or numbers near a million."""
    kind = dice.randrange(5)
    if kind == 0:
        return [dice.choice((-1, 1)) * (LARGE - dice.randrange(5)) for _ in range(count)]
    if kind == 1:
        few = [dice.choice((-1, 1)) * dice.randint(1, 6) for _ in range(2)]
        return [dice.choice(few) for _ in range(count)]
    if kind == 2:
        half = [dice.randint(1, 7) for _ in range((count + 1) // 2)]
        return [*half, *(-number for number in half)][:count]
    if kind == 3:
        return dice.sample(range(1, 10), count)
    return [dice.choice([number for number in range(-9, 10) if number]) for _ in range(count)]


def table(dice: random.Random, *, most: int, sudden_death: bool = False) -> RulesDict:
    """Return the table of a variant that ends, or of one with sudden death."""
    subtracts = dice.random() < 0.5
    pool = numbers(dice, dice.randint(1, most - 1 if subtracts else most))
    own = sudden_death or dice.random() < 0.5
    # Targets that some sum of the numbers hits, so that they matter with large numbers too.
    some = dice.sample(pool, dice.randint(0, len(pool)))
    target = max(-LARGE, min(LARGE, sum(some) + dice.choice((0, 0, 1, -3))))
    start: int | list[int] = dice.choice((0, 0, 2, -5))
    if own and dice.random() < 0.5:
        start = dice.choice(([0, 1], [3, -3], [target + 2, target - 2], [-4, 4]))
    if any(abs(one) > LARGE for one in (start if isinstance(start, list) else [start])):
        start = 0
    found: RulesDict = {
        "format": 1,
        "id": "random",
        "name": "Random",
        "pool": pool,
        "target": target,
        "start": start,
        "totals": "own" if own else "shared",
        "operations": ["add", "subtract"] if subtracts else ["add"],
        "reaching": dice.choice(("wins", "wins", "loses")),
        "ban": dice.choice(("none", "none", "mirror")),
        "swap": dice.random() < 0.3,
    }
    if target not in (start if isinstance(start, list) else [start]):
        found["overshoot"] = dice.choice(("play-on", "play-on", "loses"))
    if sudden_death:
        found |= {"exhausted": "closest", "tie": "sudden-death"}
    elif own and dice.random() < 0.7:
        found |= {"exhausted": "closest", "tie": dice.choice(("first-mover", "second-mover"))}
    return found
