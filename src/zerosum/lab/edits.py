"""All games near a game: the edits that a repair tries, and what each costs.

A key that changes costs 1, a number added to the pool or taken out of it 2. A tie rule that goes because nothing asks
for it any more costs nothing: a rules file need not say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from zerosum.base import limits
from zerosum.lab.fingerprint import fingerprint
from zerosum.lab.spaces import varied
from zerosum.rules.model import Ban, Exhausted, Overshoot, Reaching, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Operation
from zerosum.rules.rules_dict import rules_to_dict

TARGET: Final = 12
START: Final = 9
ONE_START: Final = 4
BELOW: Final = 2
ABOVE: Final = 3
POOL_COST: Final = 2
_WORDS: Final[dict[str, tuple[object, ...]]] = {
    "reaching": tuple(Reaching),
    "overshoot": tuple(Overshoot),
    "exhausted": tuple(Exhausted),
    "tie": tuple(Tie),
    "ban": tuple(Ban),
    "swap": (False, True),
    "operations": (ADD_ONLY, (Operation.ADD, Operation.SUBTRACT)),
    "totals": tuple(Totals),
}

Pool = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A key, and its value before and after as a rules file writes it; None where the file has no such key."""

    key: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Edited:
    """A game near another, what was changed, and what that costs."""

    rules: Rules
    fingerprint: str
    cost: int
    changes: tuple[Change, ...]


def edited(rules: Rules, most: int) -> Iterator[list[Edited]]:
    """Yield the games of cost 1, those of cost 2, and so on up to `most`; no game twice, nor the game itself.

    Of edits that make the same game the cheapest counts, and of those the one that changes the target, else the one
    whose key comes first.
    """
    seen = {fingerprint(rules)}
    values = _values(rules)
    for cost in range(1, most + 1):
        found: list[Edited] = []
        for given in _combinations(rules, values, cost):
            game = varied(rules, given)
            if game is None:
                continue
            name = fingerprint(game)
            if name not in seen:
                seen.add(name)
                found.append(Edited(game, name, cost, _changes(rules, game, given)))
        yield found


def _values(rules: Rules) -> dict[str, list[object]]:
    """Return the other values of each key but the pool, the target first."""
    values: dict[str, list[object]] = {"target": [rules.target + step for step in _steps(TARGET)]}
    values |= {key: [one for one in words if one != getattr(rules, key)] for key, words in _WORDS.items()}
    values["start"] = [tuple(start + step for start in rules.start) for step in _steps(START)]
    if rules.totals is Totals.OWN:
        first, second = rules.start
        values["start"] += [(first + step, second) for step in _steps(ONE_START)]
        values["start"] += [(first, second + step) for step in _steps(ONE_START)]
    return values


def _steps(most: int) -> list[int]:
    """Return the steps away from 0, the smallest first."""
    return [sign * step for step in range(1, most + 1) for sign in (1, -1)]


def _combinations(rules: Rules, values: dict[str, list[object]], cost: int) -> Iterator[dict[str, object]]:
    """Yield what is given other values at exactly this cost; pools that change as little as possible come first."""
    for numbers in range(cost // POOL_COST + 1):
        for keys in combinations(values, cost - POOL_COST * numbers):
            for pool in _pools(rules.pool, numbers):
                for chosen in product(*(values[key] for key in keys)):
                    given = dict(zip(keys, chosen, strict=True))
                    yield given | {"pool": pool} if numbers else given


def _pools(pool: Pool, numbers: int) -> list[Pool]:
    """Return the pools that differ in exactly so many numbers, added or removed."""
    offered = [one for one in range(min(pool) - BELOW, max(pool) + ABOVE + 1) if one and abs(one) <= limits.VALUE]
    found = {pool}
    for _ in range(numbers):
        added = {tuple(sorted((*one, number))) for one in found for number in offered}
        removed = {tuple(sorted((Counter(one) - Counter([number])).elements())) for one in found for number in one}
        found = added | removed
    whole = Counter(pool)
    far = [one for one in found if ((whole - Counter(one)) + (Counter(one) - whole)).total() == numbers]
    return sorted(one for one in far if 1 <= len(one) <= limits.POOL_NUMBERS)


def _changes(rules: Rules, game: Rules, given: dict[str, object]) -> tuple[Change, ...]:
    before, after = rules_to_dict(rules), rules_to_dict(game)
    return tuple(Change(key, before.get(key), after.get(key)) for key in given)
