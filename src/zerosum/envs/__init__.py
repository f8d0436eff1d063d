"""Where agents learn: the games as environments of PettingZoo, Gymnasium and OpenSpiel, and in batches.

Importing this room registers the games with Gymnasium (`zerosum/Sum31-v0`, `zerosum/Game-v0` for any rules) and with
OpenSpiel (`zerosum_duel(game=sum31)`), each if it is installed. `docs/envs.md` shows all of it.
"""

from __future__ import annotations

from importlib.util import find_spec


def _register() -> None:
    if find_spec("gymnasium"):
        from zerosum.envs.registration import register_games  # noqa: PLC0415 - an extra

        register_games()
    if find_spec("pyspiel"):
        from zerosum.envs import openspiel  # noqa: PLC0415 - an extra

        openspiel.register()


_register()
