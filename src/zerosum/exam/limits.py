"""How large an exam may be (`docs/reference/limits.md` shows these numbers)."""

from typing import Final

GAMES: Final = 20
"""Games in a set of items."""
COUNT: Final = 1_000
"""Positions of each game."""
FRESH: Final = 20
"""Fresh variants of each game."""
RESKINS: Final = 8
"""Reskins of each position: as many as there are stories."""
ITEMS: Final = 50_000
"""Items in a set, all together."""
SET_BYTES: Final = 256 * 1024 * 1024
"""A file of items."""
REPLIES_BYTES: Final = 1024 * 1024 * 1024
"""A file of replies."""
REPLY_CHARACTERS: Final = 50_000
"""Characters of a reply that are kept: the last ones, where the answer is."""
SALT: Final = 16
"""Characters that a secret salt has at least."""
TRIES: Final = 5
"""Times that an item is asked, at most, where the reply is no legal move."""
RETRIES: Final = 20
"""Times that an item is asked, at most, where no answer comes."""
TOOL_ROUNDS: Final = 8
"""Times that a model may call tools before it has to answer."""
TOOL_TEXT: Final = 1_000
"""Characters in an argument of a tool."""
SETTINGS: Final = 32
"""Settings that are sent with every question."""
SETTING_CHARACTERS: Final = 4_096
"""Characters in one of them, as JSON."""
JOBS: Final = 64
"""Items asked at the same time."""
SECONDS: Final = 3_600
"""Seconds that a reply may take."""
PRACTICAL_NUMBERS: Final = 10
"""Numbers left up to which practical regret is worked out: what follows is searched to the end."""
FAILURES: Final = 3
"""Items in a row that get no answer; then a run is ended, and is incomplete."""
SHOWN: Final = 200
"""Items of which the HTML report shows question and reply: those that were not kept come first."""
