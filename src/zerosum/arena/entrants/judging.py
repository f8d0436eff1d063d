"""What a text from outside means at a position: a legal move, a fault, or the chance of each move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zerosum.arena.entrants.entrant import Fault, Reply
from zerosum.base.errors import InvalidTextError
from zerosum.base.numbers import shorten
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import Position

_SUM: Final = 1e-6
"""How far from 1 the chances of a policy may add up."""


def judged(text: str, position: Position, seconds: float, score: str | None = None) -> Reply:
    """Return a reply with the move that a text writes, or with the fault that it is not legal."""
    try:
        move = parse_move(text, position.rules.operations)
    except InvalidTextError as error:
        return Reply(None, shorten(text), seconds, Fault.ILLEGAL, str(error).rstrip("."), score)
    clause = position.objection(move)
    if clause is not None:
        detail = f"{position.text_of(move)} is not allowed: {clause.value}"
        return Reply(None, shorten(text), seconds, Fault.ILLEGAL, detail, score)
    return Reply(move, text, seconds, score=score)


def policy_of(said: Mapping[str, float], position: Position) -> Mapping[Move, float] | None:
    """Return the chances that a bot gives, scaled to add up to 1; None where they are no policy at this position."""
    legal = position.legal_moves()
    try:
        found = {parse_move(text, position.rules.operations): chance for text, chance in said.items()}
    except InvalidTextError:
        return None
    whole = sum(found.values())
    if not set(found) <= set(legal) or len(found) != len(said) or abs(whole - 1) > _SUM:
        return None
    return {move: found.get(move, 0.0) / whole for move in legal}
