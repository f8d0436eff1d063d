"""The folder with this user's matches and answers to puzzles."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zerosum.match.saved import SavedMatches


def home() -> str:
    """Return `ZEROSUM_HOME`, or the folder that the system provides for such data."""
    given = os.environ.get("ZEROSUM_HOME")
    if given:
        return given
    from platformdirs import user_data_dir  # noqa: PLC0415 - only where it is needed

    return user_data_dir("zerosum", appauthor=False)


def saved_matches() -> SavedMatches:
    """Return the matches that are saved on this machine."""
    from zerosum.match.saved import SavedMatches  # noqa: PLC0415 - lessons and puzzles save no match

    return SavedMatches(home())
