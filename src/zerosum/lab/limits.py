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
FAMILY_GAMES: Final = 5_000
"""Games of a family in one atlas."""
FAMILY_SEQUENCES: Final = 16
"""Sequences that a family file asks for."""
PARAMETER_LENGTH: Final = 12
"""Characters in the name of a parameter."""
FAMILY_NAME: Final = 40
"""Characters in the name of a family."""
