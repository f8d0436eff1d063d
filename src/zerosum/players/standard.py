"""The players that come with the package, and the registry that every door uses."""

from __future__ import annotations

from functools import partial
from typing import Final

from zerosum.players.levels import LEVELS
from zerosum.players.player import Choice, Player
from zerosum.players.registry import PlayerInfo, Players, Solved
from zerosum.rules.model import Rules
from zerosum.rules.position import Position

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


def _at_random(position: Position) -> Choice:
    return position.legal_moves()


def _of_strength(who: str, rules: Rules, solved: Solved) -> Player:
    from zerosum.players.policies import chances  # noqa: PLC0415 - people and random play need no solver

    solution = solved(rules)
    return lambda position: chances(who, position, solution)


def _strong(who: str, title: str, words: str) -> PlayerInfo:
    return PlayerInfo(who, title, words, partial(_of_strength, who), needs_solution=True)


PLAYERS: Final = Players(
    [
        PlayerInfo("random", "Random", "any move at all", lambda _rules, _solved: _at_random),
        *(_strong(f"level:{n}", f"Level {n}", words) for n, words in zip(LEVELS, _LEVEL_WORDS, strict=True)),
        _strong("perfect", "Perfect", "never errs"),
    ]
)


def register(name: str, player: Player, *, title: str = "", words: str = "") -> None:
    """Add a player to the registry that every door uses; `PLAYERS.remove` removes it."""
    PLAYERS.add(PlayerInfo(name, title or name, words or "a player of its own", lambda _rules, _solved: player))
