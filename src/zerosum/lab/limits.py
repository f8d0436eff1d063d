"""Every limit of the lab, in one table (`docs/reference/limits.md` shows it)."""

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
PARAMETER_LENGTH: Final = 16
"""Characters in the name of a parameter."""
FAMILY_NAME: Final = 40
"""Characters in the name of a family."""
GOAL_LINES: Final = 100
"""Lines of a goal, and of its score."""
WEIGHT: Final = 1_000
"""Absolute value of a weight in a score."""
SPACE_KEYS: Final = 32
"""Keys that vary in a space."""
SPACE_VALUES: Final = 20_000
"""Values of a key that a space lists one by one."""
SPACE_SETTINGS: Final = 10_000
"""Values of all parameters of a space together."""
FREE_NUMBERS: Final = 200
"""Numbers out of which a space draws pools."""
ENUMERATED: Final = 20_000
"""Games of a space that are looked at one by one; a larger space is sampled."""
SAMPLES: Final = 1_000_000
"""Games that one search of a larger space looks at."""
FINDS: Final = 1_000
"""Finds that a result lists; the best are kept."""
PAGE_POSITIONS: Final = 60_000
"""Positions of a game that a page measures."""
