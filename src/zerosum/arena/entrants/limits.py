"""What a bot, a command or a model may take (`docs/reference/limits.md` shows these numbers)."""

from typing import Final

LINE_TO_BOT: Final = 16_384
"""Bytes in a line to a bot, its end included."""
LINE_FROM_BOT: Final = 4_096
"""Bytes in a line from a bot, its end included; a longer one is unreadable."""
OUTPUT: Final = 1024 * 1024
"""Bytes that a bot may write to its standard output while it is asked one thing."""
ERROR_OUTPUT: Final = 64 * 1024
"""Bytes of its standard error that are kept: the last ones."""
MEMORY: Final = 2 * 1024 * 1024 * 1024
"""Bytes of memory of each process of a bot, where the system can limit it."""
START_SECONDS: Final = 10
"""Seconds until `ugiok`, and until `readyok` where a game is new."""
QUIT_SECONDS: Final = 1
"""Seconds until a bot has ended after `quit`, and until it has answered after `stop`; then it is killed."""
MARGIN_MILLISECONDS: Final = 50
"""Milliseconds added to the time for a move: what the pipes may take."""
MOVE_SECONDS: Final = 5
"""Seconds for a move at the terminal."""
ASKED: Final = 2
"""Times that a bot is asked for a move where the rules ask again after an illegal one; then it forfeits."""
STARTS: Final = 3
"""Times in a row that a bot which failed is started again; then it is withdrawn."""
TRIES: Final = 6
"""Times that a model's endpoint is asked where it fails, with growing pauses; a run is incomplete after that."""
BUSY_SECONDS: Final = 60
"""Seconds of pauses, at least, before an endpoint that is busy (429) counts as one that does not answer."""
KEY_FILE_BYTES: Final = 4_096
"""Bytes of the file that holds the key of a model's endpoint."""
