"""The normal form of a game, the same for games that differ in names alone, and its fingerprint.

Three things change nothing for the players: moving start and target together; the side of the target on which a total
starts, if every number can be added and subtracted; and negating everything, if numbers are only added. Rules with a
key that these arguments do not know are their own normal form.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Final

from zerosum.rules.model import Ban, Rules, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.solver.supports import MOVE_CODES, unknown_key

_LEFT_OUT: Final = ("format", "id", "name", "invalid-move", "examples")
"""Keys that change no position, no move and no outcome."""
_Numbers = tuple[int, ...]
_Form = tuple[_Numbers, _Numbers]
"""A pool and where the totals start, seen from the target."""


def canonical(document: object) -> str:
    """Return a document as JSON, the same text for the same document whatever the order of its keys."""
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def compact(document: object) -> str:
    """Return a document as JSON that keeps the order of its keys."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Normal:
    """A game in normal form: its table of keys, and the normal number of each number of its pool."""

    table: dict[str, object]
    numbers: dict[int, int]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the table as canonical JSON."""
        return hashlib.sha256(canonical(self.table).encode()).hexdigest()


def normal(rules: Rules) -> Normal:
    """Return the normal form of a game."""
    table = {key: value for key, value in rules_to_dict(rules).items() if key not in _LEFT_OUT}
    if unknown_key(MOVE_CODES, rules) is not None:
        return Normal(table | {"start": list(rules.start)}, {number: number for number in rules.pool})
    starts = tuple(start - rules.target for start in rules.start)
    if rules.operations == ADD_ONLY:
        pool, starts = min((rules.pool, starts), _negated(rules.pool, starts))
        numbers = {number: number if pool == rules.pool else -number for number in rules.pool}
    elif any(-number in rules.pool for number in rules.pool):
        # 3 and -3 are two numbers, but two threes would be one move.
        pool, numbers = rules.pool, {number: number for number in rules.pool}
    else:
        pool = tuple(sorted(map(abs, rules.pool)))
        starts = _on_one_side(rules, starts)
        numbers = {number: abs(number) for number in rules.pool}
    return Normal(table | {"pool": list(pool), "start": list(starts), "target": 0}, numbers)


def normal_form(rules: Rules) -> dict[str, object]:
    """Return the table of a game in normal form.

    >>> from zerosum.rules.game_files import load_game
    >>> form = normal_form(load_game("sum31"))
    >>> form["pool"], form["start"], form["target"]
    ([-9, -8, -7, -6, -5, -4, -3, -2, -1], [31], 0)
    """
    return normal(rules).table


def fingerprint(rules: Rules) -> str:
    """Return the fingerprint of a game: the same for games that are the same for their players.

    >>> from dataclasses import replace
    >>> from zerosum.rules.game_files import load_game
    >>> sum31 = load_game("sum31")
    >>> fingerprint(replace(sum31, start=(-1,))) == fingerprint(replace(sum31, target=32))
    True
    """
    return normal(rules).fingerprint


def _negated(pool: _Numbers, starts: _Numbers) -> _Form:
    return tuple(sorted(-number for number in pool)), tuple(-start for start in starts)


def _on_one_side(rules: Rules, starts: _Numbers) -> _Numbers:
    """Return starts below the target; both change sides together if a ban ties one total's moves to the other's."""
    if rules.ban is Ban.MIRROR and rules.totals is Totals.OWN:
        return min(starts, tuple(-start for start in starts))
    return tuple(-abs(start) for start in starts)
