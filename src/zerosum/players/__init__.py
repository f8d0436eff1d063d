"""Who chooses: the players that come with the package, each the exact chance of every move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from zerosum.players.levels import LEVELS
from zerosum.players.registry import (
    HUMAN,
    Choice,
    Player,
    PlayerInfo,
    Players,
    Solved,
    UnknownPlayerError,
    chances_in,
    pick,
)
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position

if TYPE_CHECKING:
    from zerosum.solver import Solution

__all__ = [
    "HUMAN",
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

_LEVEL_WORDS: Final = (
    "first steps",
    "a little practice",
    "takes a win it can see",
    "looks three moves ahead",
    "steady",
    "a good player",
    "sets traps",
    "rarely errs",
    "almost perfect",
)


def _of_strength(who: str, rules: Rules, solved: Solved) -> Player:
    from zerosum.players.policies import chances  # noqa: PLC0415 - people and random play need no solver

    solution = solved(rules)
    return lambda position: chances(who, position, solution)


def _strong(who: str, title: str, words: str) -> PlayerInfo:
    return PlayerInfo(who, title, words, partial(_of_strength, who), needs_solution=True)


PLAYERS: Final = Players(
    [
        PlayerInfo("random", "Random", "any move at all", lambda _rules, _solved: Position.legal_moves),
        *(_strong(f"level:{n}", f"Level {n}", words) for n, words in zip(LEVELS, _LEVEL_WORDS, strict=True)),
        _strong("perfect", "Perfect", "never errs"),
    ]
)


def register(name: str, player: Player, *, title: str = "", words: str = "") -> None:
    """Add a player to the registry that every door uses; `PLAYERS.remove` removes it."""
    PLAYERS.add(PlayerInfo(name, title or name, words or "a registered player", lambda _rules, _solved: player))


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
