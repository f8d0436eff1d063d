"""What a question of an assistant may cost (`docs/reference/limits.md` shows these numbers too)."""

from typing import Final

SECONDS: Final = 30
"""Seconds for one answer."""
POSITION_LENGTH: Final = 1_000
"""Characters in a position."""
PUZZLES: Final = 20
"""Puzzles in one answer."""
