"""The public set: everybody can draw it, so that results can be compared. It is known by its hash."""

from __future__ import annotations

from typing import Final

from zerosum.exam.items import ItemSet, Options
from zerosum.exam.making import make_items
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.progress import Progress, silent

PUBLIC: Final = "public"
"""What the set is called at every door; also its seed."""
PUBLIC_SHA256: Final = "2ec04f62d3b5c4a6a869a372df982df2fa72d3eb3cc66dd9574aca432a381c3f"
"""What was published. Whatever changes it makes old results incomparable: take a new seed then, and a new name."""
_COUNT: Final = 20
_FRESH: Final = 3
_RESKINS: Final = 1


def public_set(progress: Progress = silent) -> ItemSet:
    """Draw the public set: 320 items of all built-in games."""
    games = tuple(map(built_in, GAME_IDS))
    return make_items(Options(games, _COUNT, _FRESH, _RESKINS, PUBLIC), PUBLIC, progress)
