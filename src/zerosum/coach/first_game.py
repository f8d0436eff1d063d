"""Where a newcomer begins: which seat of each game wins with perfect play, and the game that forgives most.

The solver found these facts. They are written down so that a page need not wait for it; a test finds them again.
"""

from __future__ import annotations

from typing import Final

from zerosum.rules.model import Seat

WINNING_SEATS: Final = {
    "sum-to-zero": Seat.SECOND,
    "sequence-zero": Seat.FIRST,
    "zero-sum-duel": Seat.FIRST,
    "zero-sum-game": Seat.FIRST,
    "sum31": Seat.SECOND,
    "last-straw": Seat.FIRST,
    "seventeen": Seat.FIRST,
    "campfire": Seat.FIRST,
}
"""The seat that wins each built-in game when nobody makes a mistake."""
FIRST_GAME: Final = "zero-sum-duel"
"""Every first move in its winning seat still wins; of such games, random moves win this one most often."""
FIRST_OPPONENT: Final = "level:1"
"""The weakest computer that looks ahead at all."""
