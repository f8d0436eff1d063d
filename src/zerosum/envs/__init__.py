"""Where agents learn: the games as environments of PettingZoo, Gymnasium and OpenSpiel, and in batches.

Importing this room registers the games with Gymnasium (`zerosum/Sum31-v0`, `zerosum/Game-v0` for any rules) and with
OpenSpiel (`zerosum_duel(game=sum31)`), each if it is installed. `docs/envs.md` shows all of it.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from zerosum.rules.game_files import BUILT_IN_IDS

ANY: Final = "zerosum/Game-v0"
"""Any game: `gymnasium.make("zerosum/Game-v0", rules=...)`."""


def name_of(game_id: str) -> str:
    """Return the name by which Gymnasium knows a built-in game.

    >>> name_of("sum-to-zero"), name_of("sum31")
    ('zerosum/SumToZero-v0', 'zerosum/Sum31-v0')
    """
    return f"zerosum/{''.join(word.capitalize() for word in game_id.split('-'))}-v0"


def _register() -> None:
    if find_spec("gymnasium"):
        import gymnasium  # noqa: PLC0415 - an extra

        names = {name_of(game_id): {"rules": game_id} for game_id in BUILT_IN_IDS}
        for name, rules in {**names, ANY: {}}.items():
            many = "zerosum.envs.vector:DuelVectorEnv"
            gymnasium.register(name, "zerosum.envs.gym:DuelEnv", vector_entry_point=many, kwargs=rules)
    if find_spec("pyspiel"):
        from zerosum.envs import openspiel  # noqa: PLC0415 - an extra

        openspiel.register()


_register()
