"""The public set: everybody can draw it, so that results can be compared. It is known by its hash."""

from __future__ import annotations

from typing import Final

from zerosum.exam.items import ItemSet, Options
from zerosum.exam.making import make_items
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.progress import Progress, silent

PUBLIC: Final = "public"
"""What the set is called at every door; also its seed."""
PUBLIC_SHA256: Final = "60505f2ce4950a870e47638365acde821c55cc5b9a5383d1e0129bf13e14ee41"
"""What was published. Whatever changes it makes old results incomparable: take a new seed then, and a new name."""
_COUNT: Final = 20
_FRESH: Final = 3
_RESKINS: Final = 1


def public_set(progress: Progress = silent) -> ItemSet:
    """Draw the public set: 320 items of all built-in games."""
    games = tuple(map(built_in, GAME_IDS))
    return make_items(Options(games, _COUNT, _FRESH, _RESKINS, PUBLIC), PUBLIC, progress)
