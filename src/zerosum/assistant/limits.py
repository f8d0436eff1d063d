"""What a question of an assistant may cost (`docs/reference/limits.md` shows these numbers too)."""

from typing import Final

SECONDS: Final = 30
"""Seconds for one answer."""
CARD_SECONDS: Final = 10
"""Seconds to search for the card of a variant."""
REPAIR_COST: Final = 2
"""The most that the changes of a repair may cost together."""
POSITION_LENGTH: Final = 1_000
"""Characters in a position."""
PUZZLES: Final = 20
"""Puzzles in one answer."""
