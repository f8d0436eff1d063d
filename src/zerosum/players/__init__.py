"""Who chooses: computer players, each the exact chance of every move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.players.player import Choice, Player, chances_in
from zerosum.players.registry import HUMAN, OUTSIDE, PlayerInfo, Players, Solved, UnknownPlayerError
from zerosum.players.seeds import pick
from zerosum.players.standard import PLAYERS, register
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.solver import Solution

__all__ = [
    "HUMAN",
    "OUTSIDE",
    "PLAYERS",
    "Choice",
    "Player",
    "PlayerInfo",
    "Players",
    "UnknownPlayerError",
    "check_player",
    "choose",
    "pick",
    "prepare",
    "register",
]


def check_player(who: str, players: Players = PLAYERS) -> str:
    """Return `who` if it is `human` or the name of a registered player; else raise."""
    return who if who == HUMAN else players.find(who).name


def prepare(who: str, rules: Rules, players: Players = PLAYERS) -> None:
    """Solve the game if the player needs that, so that a game too large is refused now and not in mid-match."""
    if who == HUMAN or not players.find(who).needs_solution:
        return
    from zerosum.solver import SolverError, solution_of  # noqa: PLC0415 - people and random play need no solver

    try:
        solution_of(rules)
    except SolverError as error:
        raise SolverError(f"{who} cannot play this game. {error}") from error


def choose(
    who: str, position: Position, seed: str, solved: Solved | None = None, *, players: Players = PLAYERS
) -> Move:
    """Return the move that the player `who` makes; the same seed gives the same move. `solved` gives the solution."""
    player = players.find(who).make(position.rules, solved or _solved)
    return pick(chances_in(player(position), position), seed)


def _solved(rules: Rules) -> Solution:
    from zerosum.solver import solution_of  # noqa: PLC0415 - people and random play need no solver

    return solution_of(rules)
