"""Every limit of the lab, in one table (`docs/limits.md` shows it)."""

from typing import Final

EXPRESSION_CHARACTERS: Final = 200
"""Characters in an expression of a family or a space."""
EXPRESSION_DEPTH: Final = 16
"""Parentheses and signs inside one another in an expression."""
EXPRESSION_VALUE: Final = 10**12
"""Absolute value of a number in an expression, and of every result on the way."""
RANGE_NUMBERS: Final = 100_000
"""Numbers in a range such as `1..n`."""
