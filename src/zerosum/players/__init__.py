"""Who chooses: computer players, each the exact chance of every move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from zerosum.players.levels import LEVELS
from zerosum.rules.errors import ZerosumError
from zerosum.rules.guess import did_you_mean
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.numbers import shorten
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.solver import Solution

HUMAN: Final = "human"
COMPUTERS: Final = ("random", *(f"level:{n}" for n in LEVELS), "perfect")
_UNTAUGHT: Final = (HUMAN, "random")


class UnknownPlayerError(ZerosumError):
    """Not the name of a player."""

    exit_code = 2


def check_player(who: str) -> str:
    """Return `who` if it names a person or a player there is."""
    if who == HUMAN or who in COMPUTERS:
        return who
    every = "The players are human, random, level:1 to level:9 and perfect."
    hint = did_you_mean(who.lower(), (HUMAN, *COMPUTERS), every)
    raise UnknownPlayerError(f"There is no player '{shorten(who)}'. {hint}")


def prepare(who: str, rules: Rules) -> None:
    """Let a player learn a game; a game that it cannot learn is refused now, and not in the middle of a match."""
    if who in _UNTAUGHT:
        return
    from zerosum.solver import SolverError, solution_of  # noqa: PLC0415 - people and random play need no solver

    try:
        solution_of(rules)
    except SolverError as error:
        raise SolverError(f"{who} cannot play this game. {error}") from error


def choose(who: str, position: Position, seed: str, solved: Callable[[Rules], Solution] | None = None) -> Move:
    """Return the move that the player `who` makes; the same seed gives the same move. `solved` gives the solution."""
    from random import Random  # noqa: PLC0415 - people who play each other need neither this nor the solver

    chance = Random(seed)
    if who == "random":
        return chance.choice(position.legal_moves())
    from zerosum.players.policies import chances  # noqa: PLC0415 - likewise
    from zerosum.solver import solution_of  # noqa: PLC0415 - likewise

    found = chances(who, position, (solved or solution_of)(position.rules))
    return chance.choices(list(found), list(found.values()))[0]
