"""Where this user's matches and progress are kept."""

import os

from zerosum.match.saved import SavedMatches


def home() -> str:
    """Return `ZEROSUM_HOME`, or the folder the system has for such data."""
    given = os.environ.get("ZEROSUM_HOME")
    if given:
        return given
    from platformdirs import user_data_dir  # noqa: PLC0415 - only where it is needed

    return user_data_dir("zerosum", appauthor=False)


def store() -> SavedMatches:
    """Return the store of matches."""
    return SavedMatches(home())
