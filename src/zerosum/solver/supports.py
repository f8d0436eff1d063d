"""The methods of solving, and which rules each of them supports.

A method supports a game only if the value of *every* key of its `Rules` is named here. A key or a value that is added
to the rules later is named nowhere, so a game that uses it goes to `Method.PLAYING`, which asks `Position` for
everything and knows no rule. To solve it faster, teach another method the rule, then name it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from importlib.util import find_spec
from typing import Final

from zerosum.rules.model import (
    ANYTHING,
    Ban,
    Exhausted,
    InvalidMove,
    Overshoot,
    Reaching,
    Rules,
    Shape,
    Tie,
    Totals,
    key_text,
    unknown_keys,
)
from zerosum.rules.moves import ADD_ONLY, Operation
from zerosum.solver.value import SolverError


class Method(Enum):
    """A method of solving."""

    BOARD = "one integer for the whole game"
    ROWS = "one integer for each set of used numbers"
    REACHING = "only the positions that play can reach"
    ENDLESS = "rounds near the target, and the pattern beyond"
    MASKS = "a byte for each set of used numbers, by NumPy"
    PLAYING = "by playing, whatever the rules are"


ADD_OR_SUBTRACT: Final = (Operation.ADD, Operation.SUBTRACT)

_ENDS: Final[Shape] = {
    "id": ANYTHING,
    "name": ANYTHING,
    "pool": ANYTHING,
    "target": ANYTHING,
    "operations": (ADD_ONLY, ADD_OR_SUBTRACT),
    "totals": (Totals.SHARED, Totals.OWN),
    "start": ANYTHING,
    "reaching": (Reaching.WINS, Reaching.LOSES),
    "overshoot": (Overshoot.PLAY_ON, Overshoot.LOSES),
    "exhausted": (Exhausted.LAST_MOVER, Exhausted.CLOSEST),
    "tie": (None, Tie.FIRST_MOVER, Tie.SECOND_MOVER),
    # Only legal moves are solved; what a referee does about others changes nothing.
    "invalid_move": (InvalidMove.ASK_AGAIN, InvalidMove.FORFEIT),
    "ban": (Ban.NONE, Ban.MIRROR),
    # A swap is played by `Solution`, before any of these methods.
    "swap": (False,),
}
"""Every game that ends: the pool is never refilled."""
_REFILLED: Final[Shape] = {
    **_ENDS,
    "totals": (Totals.OWN,),
    "exhausted": (Exhausted.CLOSEST,),
    "tie": (Tie.SUDDEN_DEATH,),
}
_NOTHING_BANNED: Final[Shape] = {**_ENDS, "ban": (Ban.NONE,)}

SUPPORTED: Final[Mapping[Method, tuple[Shape, ...]]] = {
    Method.BOARD: (_ENDS,),
    Method.ROWS: (
        {**_NOTHING_BANNED, "totals": (Totals.OWN,)},
        {**_NOTHING_BANNED, "totals": (Totals.SHARED,), "operations": (ADD_OR_SUBTRACT,)},
    ),
    Method.REACHING: (_ENDS,),
    Method.ENDLESS: (_REFILLED,),
    Method.MASKS: ({**_NOTHING_BANNED, "totals": (Totals.SHARED,), "operations": (ADD_ONLY,)},),
}
"""The shapes of rules that each method supports; `Method.PLAYING` needs none."""

MOVE_CODES: Final[Shape] = {
    **_ENDS,
    "tie": (None, Tie.FIRST_MOVER, Tie.SECOND_MOVER, Tie.SUDDEN_DEATH),
    "swap": (False, True),
}
"""The rules whose moves `graph_codes.py` writes as constants."""


class UnknownKeyError(SolverError):
    """A key, or a value of a key, that a fast method does not know; only playing the moves is right."""

    def __init__(self, rules: Rules, key: str, value: object) -> None:
        self.key = key
        self.value = value
        super().__init__(f"{rules.name}: the fast methods do not know {key_text(rules, key)}.")


def unknown_key(shape: Shape, rules: Rules) -> tuple[str, object] | None:
    """Return the first key of some rules whose value a shape does not name, with that value; None if it names all."""
    keys = unknown_keys(shape, rules)
    return (keys[0], getattr(rules, keys[0])) if keys else None


def naming_unknown(rules: Rules) -> str:
    """Return the key of some rules that `MOVE_CODES` does not name, in brackets for the end of an error; or nothing."""
    keys = unknown_keys(MOVE_CODES, rules)
    return f" ({key_text(rules, keys[0])})" if keys else ""


def refuse_unknown(shape: Shape, rules: Rules) -> None:
    """Raise UnknownKeyError if a shape does not name the value of every key of some rules."""
    unknown = unknown_key(shape, rules)
    if unknown is not None:
        raise UnknownKeyError(rules, *unknown)


def supports(method: Method, rules: Rules) -> bool:
    """Return whether a method supports these rules."""
    return any(unknown_key(shape, rules) is None for shape in SUPPORTED[method])


def any_method_supports(rules: Rules) -> bool:
    """Return whether some method, other than playing, supports these rules."""
    return any(supports(method, rules) for method in SUPPORTED)


def without_swap(rules: Rules) -> Rules:
    """Return the rules that are left to solve when `Solution` plays the swap."""
    return replace(rules, swap=False) if rules.swap is True else rules


def fast_installed() -> bool:
    """Return whether the extra `fast` is installed; asking does not load it."""
    return find_spec("numpy") is not None
