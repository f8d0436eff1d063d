"""Where this user's matches are kept."""

import os

from zerosum.match.store import Store


def store() -> Store:
    """Return the store in `ZEROSUM_HOME`, or in the folder the system has for such data."""
    home = os.environ.get("ZEROSUM_HOME")
    if not home:
        from platformdirs import user_data_dir  # noqa: PLC0415 - only where it is needed

        home = user_data_dir("zerosum", appauthor=False)
    return Store(home)
