"""Five number duels, solved: play them, learn them, design new ones, and measure minds on them.

>>> import zerosum
>>> game = zerosum.load_game("sum31")
>>> position = zerosum.start_position(game).play("+5").play("+6")
>>> position.totals, position.seat.value
((11,), 1)
>>> [position.text_of(move) for move in position.legal_moves()]
['+1', '+2', '+3', '+4', '+7', '+8', '+9']
>>> print(position.play("+9").play("+8").play("+3").outcome)
Outcome(winner=Seat.FIRST, reason=Reason.REACHED_TARGET)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.version import __version__

if TYPE_CHECKING:
    from zerosum.match.match import Match, read_match
    from zerosum.match.setup import Setup
    from zerosum.rules.errors import InvalidTextError, ZerosumError
    from zerosum.rules.files import GAME_IDS, load_game
    from zerosum.rules.model import Rules, Seat
    from zerosum.rules.moves import Move, Operation
    from zerosum.rules.notation import parse_position
    from zerosum.rules.outcome import Outcome, Reason
    from zerosum.rules.position import IllegalMoveError, Position, start_position

__all__ = [
    "GAME_IDS",
    "IllegalMoveError",
    "InvalidTextError",
    "Match",
    "Move",
    "Operation",
    "Outcome",
    "Position",
    "Reason",
    "Rules",
    "Seat",
    "Setup",
    "ZerosumError",
    "__version__",
    "load_game",
    "parse_position",
    "read_match",
    "start_position",
]

# A name is loaded when it is first asked for, so that `zerosum --version` loads none of them.
_HOMES = {
    "zerosum.match.match": ("Match", "read_match"),
    "zerosum.match.setup": ("Setup",),
    "zerosum.rules.errors": ("InvalidTextError", "ZerosumError"),
    "zerosum.rules.files": ("GAME_IDS", "load_game"),
    "zerosum.rules.model": ("Rules", "Seat"),
    "zerosum.rules.moves": ("Move", "Operation"),
    "zerosum.rules.notation": ("parse_position",),
    "zerosum.rules.outcome": ("Outcome", "Reason"),
    "zerosum.rules.position": ("IllegalMoveError", "Position", "start_position"),
}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - only where a name is asked for

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'zerosum' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
