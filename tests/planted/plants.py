"""The keys, and how one is planted: a field of `Rules` with its reader, and what `Position` does where it is true.

A plant does what somebody would do who adds a key and forgets the rest of the package. It has to come before the rest
of the package is imported, so `sitecustomize.py` plants it as Python starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from typing import Any, Final

VARIABLE: Final = "ZEROSUM_PLANTED"
"""Names the key that is planted."""


def _factor_by_rule(position: Any) -> int:  # noqa: ARG001 - as all factors
    return 1


def _pool_by_rule(position: Any, move: Any) -> tuple[int, ...]:
    at = position.pool.index(move.number)
    pool: tuple[int, ...] = position.pool[:at] + position.pool[at + 1 :]
    return pool


def _whole_pool(rules: Any) -> tuple[int, ...]:
    pool: tuple[int, ...] = rules.pool
    return pool


@dataclass(frozen=True)
class Plant:
    """A key: what it means, what it changes in a move, and games that use it, the last of them small."""

    means: str
    games: tuple[dict[str, Any], ...]
    factor: Callable[[Any], int] = _factor_by_rule
    """How many times a number counts."""
    left: Callable[[Any, Any], tuple[int, ...]] = _pool_by_rule
    """What is left of the pool."""
    refills: bool = False
    """Whether all numbers come back when the total returns to its start."""
    turn: int = 1
    """Moves in a turn."""
    begins_with: Callable[[Any], tuple[int, ...]] = _whole_pool
    """What is in the pool as a match begins."""


def _doubled_while_odd(position: Any) -> int:
    return 1 + len(position.pool) % 2


def _doubled_above(position: Any) -> int:
    return 2 if position.total(position.seat) > position.rules.target else 1


def _with_least_again(position: Any, move: Any) -> tuple[int, ...]:
    pool, whole = _pool_by_rule(position, move), position.rules.pool
    least = min(whole)
    returns = move.number != least and pool.count(least) < whole.count(least)
    return tuple(sorted((*pool, least))) if returns else pool


_SUM31: Final = {"pool": [1, 2, 3, 4, 5, 6, 7, 8, 9], "target": 31, "overshoot": "loses"}
_SUM21: Final = {"pool": [1, 2, 3, 4, 5, 6, 7], "target": 21, "overshoot": "loses"}
_SUM11: Final = {"pool": [1, 2, 3, 4, 5], "target": 11, "overshoot": "loses"}
_LANDS: Final = {"pool": [1, 2, 3, 4], "target": 10}
_CLOSEST: Final = {
    "pool": [1, 2, 3, 4, 5],
    "target": 12,
    "totals": "own",
    "exhausted": "closest",
    "tie": "second-mover",
}
_DUEL: Final = {"pool": [1, 2, 3, 4, 5], "target": 0, "operations": ["add", "subtract"]}
_SMALL_DUEL: Final = _DUEL | {"pool": [1, 2, 3, 4]}
_MIRROR: Final = _CLOSEST | {"pool": [-3, -2, -1, 1, 2, 3], "target": 0, "tie": "first-mover"}
_RETURNS: Final = {"pool": [1, 2, 3, 4], "target": 6, "operations": ["add", "subtract"]}

PLANTS: Final[dict[str, Plant]] = {
    "odd-doubles": Plant(
        "a number that is taken while an odd count is left counts double",
        (_SUM31, _CLOSEST, _LANDS, _SUM11),
        factor=_doubled_while_odd,
    ),
    "above-doubles": Plant(
        "a number counts double above the target",
        (_DUEL, _MIRROR, _SMALL_DUEL),
        factor=_doubled_above,
    ),
    "two-moves": Plant("a turn has two moves", (_SUM31, _CLOSEST, _SUM11), turn=2),
    "least-returns": Plant(
        "the least number comes back when another one is taken",
        (_SUM21, _CLOSEST, _SUM11),
        left=_with_least_again,
    ),
    "start-refills": Plant(
        "all numbers come back when the total returns to its start",
        (_RETURNS,),
        refills=True,
    ),
    "short-start": Plant(
        "a match begins without the greatest number",
        (_SUM31, _CLOSEST, _DUEL, _SUM11),
        begins_with=lambda rules: rules.pool[:-1],
    ),
}


NONE: Final = "none"
"""Stands for no key: the same games as everybody knows them."""


def tables(key: str) -> list[dict[str, Any]]:
    """Return the tables of the games that use a key."""
    games = PLANTS[key].games if key != NONE else [game for one in PLANTS.values() for game in one.games]
    return [
        {"format": 1, "id": f"planted-{n}", "name": f"Planted {n}", **game} | ({} if key == NONE else {key: True})
        for n, game in enumerate(games, 1)
        if game not in games[: n - 1]
    ]


def plant(key: str) -> None:
    """Let the reader, `Rules` and `Position` know a key; nothing else of zerosum may be imported yet."""
    from zerosum.rules import model  # noqa: PLC0415 - changed before the rest of the package is imported

    name = key.replace("-", "_")
    planted = make_dataclass(
        "Rules",
        [(name, bool, field(default=False))],
        bases=(model.Rules,),
        frozen=True,
        slots=True,
        kw_only=True,
        repr=False,
    )
    planted.__module__ = model.__name__
    planted.__doc__ = model.Rules.__doc__
    model.READERS[name] = model.flag
    model.KEYS = (*model.KEYS, key)  # type: ignore[misc]  # likewise
    model.Rules = planted  # type: ignore[misc,assignment]  # that is the plant

    from zerosum.rules import position  # noqa: PLC0415 - it takes `Rules` from the changed module

    _teach(position, name, PLANTS[key])


def _teach(module: Any, name: str, what: Plant) -> None:
    """Change what `Position` does where the key is true."""
    position = module.Position
    play_by_rule, check_by_rule = position.play_unchecked, position.__post_init__

    def seat_after(moves: int, rules: Any) -> Any:
        return module.Seat(1 + moves // what.turn % 2) if getattr(rules, name) else module.Seat(1 + moves % 2)

    def play_unchecked(self: Any, move: Any) -> Any:
        rules, seat = self.rules, self.seat
        if not getattr(rules, name) or move == module.SWAP:
            return play_by_rule(self, move)
        pool = what.left(self, move)
        amount = move.amount * what.factor(self)
        totals = list(self.totals)
        totals[seat - 1 if len(totals) > 1 else 0] += amount
        outcome = module.judge(rules, pool, tuple(totals), seat)
        if outcome is None and (not pool or (what.refills and tuple(totals) == rules.start)):
            pool = rules.pool
        following = seat_after(len(rules.pool) - len(pool), rules) if what.turn > 1 else seat.other
        previous = move if rules.remembers else None
        swap_open = rules.swap and self.previous is None and outcome is None
        return module.unchecked(rules, pool, tuple(totals), following, previous, swap_open, outcome)

    def __post_init__(self: Any) -> None:  # noqa: N807 - it takes the place of that method
        check_by_rule(self)
        if getattr(self.rules, name):
            mover = self.seat.other
            if what.turn > 1:
                mover = seat_after(len(self.rules.pool) - len(self.pool) - 1, self.rules)
            begun = self.pool == what.begins_with(self.rules) and self.totals == self.rules.start
            outcome = None if begun else module.judge(self.rules, self.pool, self.totals, mover)
            object.__setattr__(self, "outcome", outcome)

    position.play_unchecked = play_unchecked
    position.__post_init__ = __post_init__
    if what.begins_with is not _whole_pool:
        _begin(module, name, what.begins_with)


def _begin(module: Any, name: str, begins_with: Callable[[Any], tuple[int, ...]]) -> None:
    """Change what a match begins with where the key is true."""
    start_by_rule = module.start_position

    def start_position(game: Any) -> Any:
        start = start_by_rule(game)
        if not getattr(start.rules, name):
            return start
        return module.unchecked(start.rules, begins_with(start.rules), start.totals, start.seat)

    module.start_position = start_position
