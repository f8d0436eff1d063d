"""The game that a newcomer is offered first, at the terminal and on the page.

A plan matters in it. Its rules fit one sentence, and the newcomer has the seat that perfect play wins. There, random
moves beat the first opponent about every second time, and taking always the largest or always the smallest number
does not help against a good one. `tests/coach/test_first_game.py` computes all of this.
"""

from __future__ import annotations

from typing import Final

from zerosum.rules.model import Seat

FIRST_GAME: Final = "sum31"
FIRST_SEAT: Final[Seat] = Seat.SECOND
"""The newcomer's seat: the computer moves first."""
FIRST_OPPONENT: Final = "level:1"
"""The weakest computer that looks ahead at all."""
