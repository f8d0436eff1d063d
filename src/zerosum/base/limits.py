"""Every limit of the rules, the records and the journals, in one table (`docs/reference/limits.md` shows it)."""

from typing import Final

RULES_FILE_BYTES: Final = 64 * 1024
"""A rules file."""
LINE_DOTS: Final = 200
"""Dots in one line of a rules file that is not a comment."""
POOL_NUMBERS: Final = 64
"""Numbers in a pool; at least one."""
VALUE: Final = 1_000_000
"""Absolute value of a pool number, a start, a target, and of any number typed as a move."""
TOTAL: Final = 10**12
"""Absolute value of a total written in a position; far beyond any total a match can reach."""
ID_LENGTH: Final = 64
"""Characters in the id of a game."""
TITLE_LENGTH: Final = 80
"""Characters in the name of a game."""
NAME_LENGTH: Final = 40
"""Characters in the name of a player."""
LIKE_DEPTH: Final = 8
"""Rules files in a chain of `like`."""
EXAMPLES: Final = 32
"""Examples in a rules file."""
EXAMPLE_MOVES: Final = 200
"""Moves in an example."""
EXAMPLE_MOVE_LENGTH: Final = 20
"""Characters in a move of an example."""
EXAMPLE_RULING_LENGTH: Final = 400
"""Characters in the ruling on an example."""
RECORD_BYTES: Final = 64 * 1024
"""A record that a server is sent."""
RECORD_FILE_BYTES: Final = 256 * 1024
"""A record that a command reads: the longest match at a terminal has room in it."""
MATCH_PLIES: Final = 600
"""Plies in a match between computers or on a server; the referee stops a sudden-death match there."""
TERMINAL_PLIES: Final = 10_000
"""Plies in a match with a person at a terminal; the rules set no limit, this one guards the disk."""
JOURNAL_ENTRIES: Final = 10_000
"""Entries in a journal; beyond it a match goes on but nothing can be undone."""
JOURNAL_BYTES: Final = 4 * 1024 * 1024
"""A journal file."""
LINE_CHARACTERS: Final = 1_000
"""Characters read of one line of input; the rest of the line is dropped."""
SERIES_MATCHES: Final = 99
"""Matches in a series."""
PERFT_POSITIONS: Final = 1_000_000
"""Positions of one ply that `perft` counts."""
CERTIFICATE_BYTES: Final = 64 * 1024 * 1024
"""A certificate; with `--large` it may unpack to four times as much."""
CERTIFICATE_POSITIONS: Final = 270_000
"""Positions in a certificate that `verify` checks without `--large`; all games that are built in have fewer."""
CERTIFICATE_MOVES: Final = 6_000_000
"""Moves in them, counted as if every move of the pool were legal in each position."""
POLICY_BYTES: Final = 64 * 1024 * 1024
"""A file with a policy that `measure` reads."""
NEW_FOLDERS: Final = 100
"""Folders that have to be made for a match or a database to be kept in them."""
