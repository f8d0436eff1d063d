"""Practical regret: what a move gives away against one opponent who errs, best play after it supposed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from zerosum.arena.strength.best_response import Respond, responder
from zerosum.arena.strength.decisions import practical_regret
from zerosum.arena.strength.named_policies import policy_of
from zerosum.exam import limits
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import Move
from zerosum.rules.position import Position

OPPONENT: Final = "level:5"
"""Against whom, unless somebody says otherwise."""
_GAMES: Final = 64


def practical(position: Position, move: Move, against: str = OPPONENT) -> float | None:
    """Return the chance to win that a move gives away against a level; None where no exact answer is found soon."""
    if not is_near_enough(position):
        return None
    return practical_regret(position, move, _respond(position.rules, against))


def is_near_enough(position: Position) -> bool:
    """Whether what follows can be searched to its end."""
    return position.rules.tie is not Tie.SUDDEN_DEATH and len(position.pool) <= limits.PRACTICAL_NUMBERS


@lru_cache(maxsize=_GAMES)
def _respond(rules: Rules, against: str) -> Respond:
    return responder(policy_of(against, rules).guest, rules)
