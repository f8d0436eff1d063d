"""Which hints were used, in matches and in puzzles."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from typing import Final, Literal

from zerosum.cli.folders import home
from zerosum.cli.logs import LogError, read_log, write_log
from zerosum.rules.position import Position

Where = Literal["match", "puzzle"]
_FIELDS: Final = 4


def _path() -> str:
    return os.path.join(home(), "hints.txt")


def note_hint(position: Position, where: Where) -> None:
    """Write down that a hint was given; one that cannot be written down is given all the same."""
    with contextlib.suppress(LogError):
        write_log(_path(), (position.rules.id, str(position), where))


def hints_used() -> Counter[str]:
    """Return how many hints were used in matches and in puzzles."""
    return Counter(where for *_, where in read_log(_path(), _FIELDS))
