"""What a stored fact follows from besides the rules of its game: the formulas, and for some the table of levels.

A fact is read only under the version it was kept with. So a changed level or formula makes old rows unread, not wrong.
Raise the number of a kind whenever its formulas or the form of its document change.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Final

from zerosum.lab.fingerprint import canonical
from zerosum.players.levels import STRENGTHS

_LEVELS: Final = hashlib.sha256(canonical({who: asdict(level) for who, level in STRENGTHS.items()}).encode())

VERSION: Final[dict[str, str]] = {
    "odds": f"1 levels {_LEVELS.hexdigest()[:16]}",
    "screen": f"1 levels {_LEVELS.hexdigest()[:16]}",
    "metrics": f"1 levels {_LEVELS.hexdigest()[:16]}",
    "audit": f"1 levels {_LEVELS.hexdigest()[:16]}",
    "counts": f"2 levels {_LEVELS.hexdigest()[:16]}",
    "value": "1",
    "openings": "1",
    "skipped": "1",
}
"""The version of each kind of fact."""
