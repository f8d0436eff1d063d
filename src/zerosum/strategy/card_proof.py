"""The proof of a card: every surviving move against every reply, to the end.

The proof uses the rules and the card alone, not the solver. In sudden death it follows a match from round to round; if
a position can come back, the other side could go on for ever, so that is no proof, and neither is a walk that finds no
end of positions.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.strategy.card import Card, survivors
from zerosum.strategy.lookahead import Sight

MOST: Final = 500_000
"""Positions that a proof may visit."""
MOST_OF_ROUNDS: Final = 20_000
"""The same where pools are refilled, so that a match which runs away is not followed for long."""
_NOW_AND_THEN: Final = 1_000


@dataclass(frozen=True, slots=True)
class CardProof:
    """How a proof ended; `failure` is a position and a surviving move, or a reply, by which the match is lost at once.

    Of all such moves it is one of those that come first in a match. There is none where a match need not end.
    """

    proved: bool
    positions: int
    """Positions with the card to move that can arise, as far as they were visited."""
    failure: tuple[Position, Move] | None = None


def prove(
    card: Card, rules: Rules, sight: Sight | None = None, progress: Progress = silent, most: int = MOST
) -> CardProof:
    """Return whether the card always wins for its seat, from the start of a match; `most` limits the positions."""
    if card.seat is None or rules.swap:
        return CardProof(proved=False, positions=0)
    sight = sight or Sight(rules)
    most = min(most, MOST_OF_ROUNDS) if rules.tie is Tie.SUDDEN_DEATH else most
    start = start_position(rules)
    following: dict[PositionKey, list[PositionKey]] = {start.key: []}
    mine = 0
    waiting = deque([start])
    while waiting:
        position = waiting.popleft()
        mine += position.seat is card.seat
        if len(following) % _NOW_AND_THEN == 0:
            progress(f"{len(following):,} positions followed")
        for move in survivors(card, position, sight) if position.seat is card.seat else position.legal_moves():
            after = position.play_unchecked(move)
            if after.outcome is not None:
                if after.outcome.winner is not card.seat:
                    return CardProof(proved=False, positions=mine, failure=(position, move))
                continue
            following[position.key].append(after.key)
            if after.key not in following:
                following[after.key] = []
                waiting.append(after)
        if len(following) > most:
            return CardProof(proved=False, positions=mine)
    return CardProof(_comes_to_an_end(following), mine)


def needed_rules(card: Card, rules: Rules) -> tuple[str, ...]:
    """Return the rules of a proved card without which it is not proved."""
    shorter = [replace(card, rules=tuple(one for one in card.rules if one is not rule)) for rule in card.rules]
    return tuple(str(rule) for rule, fewer in zip(card.rules, shorter, strict=True) if not prove(fewer, rules).proved)


def _comes_to_an_end(following: dict[PositionKey, list[PositionKey]]) -> bool:
    """Whether no position can come back."""
    try:
        TopologicalSorter(following).prepare()
    except CycleError:
        return False
    return True
