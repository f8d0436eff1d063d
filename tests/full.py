"""How much of the long tests is run: a part in `make test`, everything in `make full`."""

from __future__ import annotations

import os
from typing import Final

FULL: Final = os.environ.get("ZEROSUM_FULL") == "1"


def part(some: int, everything: int) -> int:
    """Return how many to try: some in `make test`, everything in `make full`."""
    return everything if FULL else some
