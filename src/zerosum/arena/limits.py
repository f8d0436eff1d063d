"""How large a plan of the arena may be (`docs/reference/limits.md` shows these numbers)."""

from typing import Final

ENTRANTS: Final = 64
"""Entrants in a plan."""
GAMES: Final = 20
"""Games in a plan."""
PAIRS: Final = 100_000
"""Pairs that two entrants play of one game."""
ALL_PAIRS: Final = 1_000_000
"""Pairs in a plan, all together."""
POSITIONS: Final = 1_000
"""Positions in a book."""
SECONDS: Final = 3_600
"""Seconds that a move may take."""
ELO: Final = 2_000
"""Elo points of a sequential test, either way."""
CRASHES: Final = 4
"""Matches in a row that an entrant loses by a crash until it is withdrawn: it is started again three times."""
BATCH_SECONDS: Final = 0.1
"""Seconds after which pairs of built-in players are synced to the disk together; all others one by one."""
REVIEWED: Final = 2_000
"""Matches of which the HTML report shows a review."""
LINE_BYTES: Final = 256 * 1024
"""Bytes in a line of the log."""
ENDLESS_POSITIONS: Final = 4
"""Positions of a book up to which exact scores are found in a game with sudden death: each takes seconds."""
