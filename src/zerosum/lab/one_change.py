"""The same game with one rule changed: up to three changes, each with who wins then and how even the game is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from zerosum.base.english import seat_name
from zerosum.base.progress import Progress, silent
from zerosum.lab.metrics import even_to, even_words, evenness
from zerosum.lab.repair import Edited, change_words, edited
from zerosum.lab.spaces import kept_unwritten
from zerosum.rules.model import Rules
from zerosum.solver import Solution, SolverError, Verdict, solution_of

_POSITIONS: Final = 60_000
"""Positions of all games that are looked at, together: how many that is does not depend on the machine."""
_FEWEST: Final = 3
_CHANGED: Final = ", changed"


@dataclass(frozen=True, slots=True)
class OneChange:
    """A game that one change makes of another, playable as it is."""

    rules: Rules
    change: str
    """What is changed: `Change the target from 31 to 32`."""
    words: str
    """Who wins the changed game, and how even it is."""
    even_to: int | None
    """The level up to which it is even, None if not even at random."""


def one_changes(rules: Rules, count: int = 3, progress: Progress = silent) -> list[OneChange]:
    """Return the changes that make the most even games, each of another key, the most even first.

    Of a large game only the first few changes are looked at.
    """
    positions = solution_of(rules).count or _POSITIONS
    games = _in_turn(next(edited(rules, 1)))[: max(_FEWEST, _POSITIONS // positions)]
    unchanged = evenness(rules)["first"]
    best: dict[str, OneChange] = {}
    for n, game in enumerate(games):
        progress(f"{n} of {len(games)} changes")
        key = game.changes[0].key
        found = _one_change(rules, game, unchanged)
        if found is not None and (key not in best or _rank(found) > _rank(best[key])):
            best[key] = found
    return sorted(best.values(), key=_rank, reverse=True)[:count]


def _in_turn(games: list[Edited]) -> list[Edited]:
    """Return the changes with the first of every key before the second of any."""
    by_key: dict[str, list[Edited]] = {}
    for game in games:
        by_key.setdefault(game.changes[0].key, []).append(game)
    return [game for row in zip_longest(*by_key.values()) for game in row if game is not None]


def _rank(one: OneChange) -> int:
    return -1 if one.even_to is None else one.even_to


def _one_change(before: Rules, game: Edited, unchanged: Mapping[str, float]) -> OneChange | None:
    """Return a change with its figures; None if it makes no difference, or a game that is too large for figures."""
    try:
        first, solution = evenness(game.rules)["first"], solution_of(game.rules)
    except SolverError:
        return None
    if first == unchanged:
        return None
    level = even_to(first)
    base = before.name.removesuffix(_CHANGED)
    named = replace(game.rules, id=f"{before.id.removesuffix('-changed')[:50]}-changed", name=f"{base[:60]}{_CHANGED}")
    words = f"{_winner(solution)}; {even_words(level)}"
    return OneChange(kept_unwritten(game.rules, named), change_words(before, game), words, level)


def _winner(solution: Solution) -> str:
    verdict = solution.value(solution.start).verdict
    if verdict is Verdict.DRAW:
        return "neither player can force a win"
    seat = solution.start.seat if verdict is Verdict.WIN else solution.start.seat.other
    return f"the {seat_name(seat)} player wins with best play"
