"""The normal form of a game, the same for games that differ in names alone, and its fingerprint.

Two things change nothing for the players: moving start and target together, and the mirrors of a game
(`solver/mirrors.py`). Rules with a key that these arguments do not know are their own normal form.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Final

from zerosum.rules.model import Rules, rules_to_dict
from zerosum.solver.mirrors import first_mirror
from zerosum.solver.supports import MOVE_CODES, unknown_key

_LEFT_OUT: Final = ("format", "id", "name", "invalid-move", "examples")
"""Keys that change no position, no move and no outcome."""


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
    """Return the normal form of a game.

    >>> from zerosum.rules.game_files import load_game
    >>> form = normal(load_game("sum31")).table
    >>> form["pool"], form["start"], form["target"]
    ([-9, -8, -7, -6, -5, -4, -3, -2, -1], [31], 0)
    """
    table = {key: value for key, value in rules_to_dict(rules).items() if key not in _LEFT_OUT}
    numbers, starts = first_mirror(rules)
    if unknown_key(MOVE_CODES, rules) is not None:
        return Normal(table | {"start": list(starts)}, numbers)
    pool = sorted(numbers[number] for number in rules.pool)
    return Normal(table | {"pool": pool, "start": list(starts), "target": 0}, numbers)


def fingerprint(rules: Rules) -> str:
    """Return the fingerprint of a game: the same for games that are the same for their players.

    >>> from dataclasses import replace
    >>> from zerosum.rules.game_files import load_game
    >>> sum31 = load_game("sum31")
    >>> fingerprint(replace(sum31, start=(-1,))) == fingerprint(replace(sum31, target=32))
    True
    """
    return normal(rules).fingerprint
