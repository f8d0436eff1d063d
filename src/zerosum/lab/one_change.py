"""The same game with one rule changed: up to three changes, each with who wins then and how even the game is.

Those of the built-in games come with the package, chosen among all changes of one rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from zerosum.base.english import seat_name
from zerosum.base.progress import Progress, silent
from zerosum.coach.bundled_changes import OneChange, bundled_changes
from zerosum.coach.evenness import even_to, even_words
from zerosum.lab.metrics import evenness
from zerosum.lab.repair import Edited, change_words, edited
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules, kept_unwritten
from zerosum.solver import Solution, SolverError, Verdict, solution_of

_POSITIONS: Final = 60_000
"""Positions of all games that are looked at, together: how many that is does not depend on the machine."""
_FEWEST: Final = 3
_LEVEL: Final = "level:5"
_CHANGED: Final = ", changed"


def one_changes(rules: Rules, count: int = 3, progress: Progress = silent, *, every: bool = False) -> list[OneChange]:
    """Return the changes that make the most even games, each of another key if there are enough, the most even first.

    Those of a built-in game are known. Of another large game only the first few are looked at, unless `every` is.
    """
    if is_built_in(rules) and not every:
        return bundled_changes(rules.id)[:count]
    games = _in_turn(next(edited(rules, 1)))
    if not every:
        games = games[: max(_FEWEST, _POSITIONS // (solution_of(rules).count or _POSITIONS))]
    unchanged = evenness(rules)["first"]
    found: list[tuple[str, OneChange]] = []
    for n, game in enumerate(games):
        progress(f"{n} of {len(games)} changes")
        made = _one_change(rules, game, unchanged)
        found += [] if made is None else [(game.changes[0].key, made)]
    found.sort(key=lambda both: _rank(both[1]), reverse=True)
    by_key = dict(reversed(found))
    others = [made for key, made in found if by_key[key] is not made]
    return sorted([*by_key.values(), *others[: max(0, count - len(by_key))]], key=_rank, reverse=True)[:count]


def _in_turn(games: list[Edited]) -> list[Edited]:
    """Return the changes with the first of every key before the second of any."""
    by_key: dict[str, list[Edited]] = {}
    for game in games:
        by_key.setdefault(game.changes[0].key, []).append(game)
    return [game for row in zip_longest(*by_key.values()) for game in row if game is not None]


def _rank(one: OneChange) -> tuple[int, float]:
    return (-1 if one.even_to is None else one.even_to, -abs(one.first - 0.5))


def _one_change(before: Rules, game: Edited, unchanged: Mapping[str, float]) -> OneChange | None:
    """Return a change with its figures; None if it changes nothing, or makes no game, or one too large for figures."""
    try:
        first, solution = evenness(game.rules)["first"], solution_of(game.rules)
    except SolverError:
        return None
    if first == unchanged or solution.value(solution.start).plies == 1:
        return None
    level = even_to(first)
    base = before.name.removesuffix(_CHANGED)
    named = replace(game.rules, id=f"{before.id.removesuffix('-changed')[:50]}-changed", name=f"{base[:60]}{_CHANGED}")
    words = f"{_winner(solution)}; {even_words(level)}"
    change = change_words(before, game)
    return OneChange(kept_unwritten(game.rules, named), change, _question(game, change), words, level, first[_LEVEL])


def _question(game: Edited, change: str) -> str:
    if game.changes[0].key == "target":
        return f"The same with target {game.rules.target}?"
    return f"The same, but {change[0].lower()}{change[1:]}?"


def _winner(solution: Solution) -> str:
    verdict = solution.value(solution.start).verdict
    if verdict is Verdict.DRAW:
        return "neither player can force a win"
    seat = solution.start.seat if verdict is Verdict.WIN else solution.start.seat.other
    return f"the {seat_name(seat)} player wins with best play"
