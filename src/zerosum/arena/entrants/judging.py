"""What a text from outside means at a position: a legal move, a fault, or the chance of each move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zerosum.arena.entrants.entrant import Fault, Reply
from zerosum.base.errors import InvalidTextError
from zerosum.base.numbers import shorten
from zerosum.match.typed_moves import NOTATION, Unreadable, read_whole_move
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import Position

_SUM: Final = 1e-6
"""How far from 1 the chances of a policy may add up."""


def judged(text: str, position: Position, seconds: float, score: str | None = None) -> Reply:
    """Return a reply with the move that a text writes, or with the fault that it is not legal."""
    answer = read_whole_move(position, text, NOTATION)
    if isinstance(answer, Move):
        return Reply(answer, text, seconds, score=score)
    if isinstance(answer, Unreadable):
        detail = answer.message.rstrip(".")
    else:
        detail = f"{position.text_of(answer.move)} is not allowed: {answer.clause.value}"
    return Reply(None, shorten(text), seconds, Fault.ILLEGAL, detail, score)


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
