"""Who chooses: computer players, each a function from a position to a legal move."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from random import Random

from zerosum.rules.errors import ZerosumError
from zerosum.rules.moves import Move
from zerosum.rules.numbers import shorten
from zerosum.rules.position import Position

Player = Callable[[Position, Random], Move]

HUMAN = "human"


class UnknownPlayerError(ZerosumError):
    """Not the name of a player."""

    exit_code = 2


def choose_at_random(position: Position, chance: Random) -> Move:
    """Choose any legal move, all as likely."""
    return chance.choice(position.legal_moves())


PLAYERS: dict[str, Player] = {"random": choose_at_random}
_NOT_YET = ("perfect", *(f"level:{n}" for n in range(1, 10)))


def check_player(who: str) -> str:
    """Return `who` if it names a person or a player there is."""
    if who == HUMAN or who in PLAYERS:
        return who
    if who in _NOT_YET:
        raise UnknownPlayerError(f"The player '{who}' is not here yet; 'random' is.")
    near = get_close_matches(who.lower(), (HUMAN, *PLAYERS, *_NOT_YET), n=1)
    hint = f"Did you mean '{near[0]}'?" if near else f"The players are {', '.join((HUMAN, *PLAYERS))}."
    raise UnknownPlayerError(f"There is no player '{shorten(who)}'. {hint}")


def choose(who: str, position: Position, seed: str) -> Move:
    """Return the move that the player `who` makes; the same seed gives the same move."""
    return PLAYERS[who](position, Random(seed))
