"""The names under which Gymnasium knows the games."""

from __future__ import annotations

from typing import Final

from zerosum.base.extras import missing
from zerosum.rules.game_files import BUILT_IN_IDS

try:
    import gymnasium
except ImportError as error:
    raise missing(__name__, error) from error

_ENTRY: Final = "zerosum.envs.gym:DuelEnv"
_VECTOR_ENTRY: Final = "zerosum.envs.vector:DuelVectorEnv"
ANY: Final = "zerosum/Game-v0"
"""Any game: `gymnasium.make("zerosum/Game-v0", rules=...)`."""


def name_of(game_id: str) -> str:
    """Return the name of a built-in game.

    >>> name_of("sum-to-zero"), name_of("sum31")
    ('zerosum/SumToZero-v0', 'zerosum/Sum31-v0')
    """
    return f"zerosum/{''.join(word.capitalize() for word in game_id.split('-'))}-v0"


def register_games() -> None:
    """Make every built-in game known to Gymnasium, and one name for any rules."""
    for game_id in BUILT_IN_IDS:
        gymnasium.register(name_of(game_id), _ENTRY, vector_entry_point=_VECTOR_ENTRY, kwargs={"rules": game_id})
    gymnasium.register(ANY, _ENTRY, vector_entry_point=_VECTOR_ENTRY)
