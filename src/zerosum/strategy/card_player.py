"""The player `card`, who goes by the strategy card of a game and picks evenly among the moves that survive it.

Importing this module registers it. The card of a variant is searched once in a process, with a limit that no clock can
change, so that the same seed gives the same moves everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zerosum.players import PLAYERS, Player, PlayerInfo, choose
from zerosum.players.registry import Solved
from zerosum.rules.model import Rules
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.rules.moves import Move
    from zerosum.strategy.card import Card
    from zerosum.strategy.lookahead import Sight

__all__ = ["CARD", "PLAYERS", "card_of", "choose"]

CARD: Final = "card"
_MOST: Final = 6
_remembered: dict[Rules, tuple[Card, Sight]] = {}


def card_of(rules: Rules, solved: Solved) -> tuple[Card, Sight]:
    """Return the card that the player goes by: the one that comes with a game, or the best found for a variant."""
    found = _remembered.get(rules)
    if found is None:
        from zerosum.strategy.card import bundled_card  # noqa: PLC0415 - people and random play need no card
        from zerosum.strategy.card_search import STEADY, search  # noqa: PLC0415 - as above
        from zerosum.strategy.lookahead import Sight  # noqa: PLC0415 - as above

        sight, known = Sight(rules), bundled_card(rules)
        found = (known.card if known else search(solved(rules), sight, STEADY)), sight
        _remembered[rules] = found
        if len(_remembered) > _MOST:
            _remembered.pop(next(iter(_remembered)))
    return found


def _make(rules: Rules, solved: Solved) -> Player:
    from zerosum.strategy.card import survivors  # noqa: PLC0415 - as above

    card, sight = card_of(rules, solved)

    def player(position: Position) -> tuple[Move, ...]:
        return survivors(card, position, sight)

    return player


PLAYERS.add(PlayerInfo(CARD, "Card", "goes by the strategy card", _make, needs_solution=True))
