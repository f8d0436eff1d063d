"""The same game with one rule changed: up to three changes, each with who wins then and how even the game is.

Those of the built-in games come with the package (`changes.json`), chosen among all changes of one rule, since the
larger games take minutes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Any, Final

from zerosum.base.english import seat_name
from zerosum.base.progress import Progress, silent
from zerosum.lab.metrics import even_to, even_words, evenness
from zerosum.lab.repair import Edited, change_words, edited
from zerosum.lab.spaces import kept_unwritten
from zerosum.lab.store import VERSION
from zerosum.rules.game_files import is_built_in, load_text, write_rules
from zerosum.rules.model import Rules
from zerosum.solver import Solution, SolverError, Verdict, solution_of

CHANGES: Final = os.path.join(os.path.dirname(__file__), "changes.json")
_POSITIONS: Final = 60_000
"""Positions of all games that are looked at, together: how many that is does not depend on the machine."""
_FEWEST: Final = 3
_LEVEL: Final = "level:5"
_CHANGED: Final = ", changed"


@dataclass(frozen=True, slots=True)
class OneChange:
    """A game that one change makes of another, playable as it is."""

    rules: Rules
    change: str
    """What is changed: `Change the target from 31 to 32`."""
    question: str
    """The same as a question: `The same with target 32?`"""
    words: str
    """Who wins the changed game, and how even it is."""
    even_to: int | None
    """The level up to which it is even, None if not even at random."""
    first: float
    """How often the first of two players of level 5 wins."""


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


@cache
def bundled_changes(game: str) -> list[OneChange]:
    """Return the changes that come with a built-in game; none if they were made for other levels."""
    with open(CHANGES, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    if found["version"] != VERSION["even"]:
        return []
    return [OneChange(**one | {"rules": load_text(one["rules"])}) for one in found["games"].get(game, [])]


def changes_file(games: Iterable[Rules]) -> str:
    """Return the text of the file with the changes of some games, computed now."""
    found = {game.id: [_json(one) for one in one_changes(game, every=True)] for game in games}
    return json.dumps({"version": VERSION["even"], "games": found}, indent=1, ensure_ascii=False) + "\n"


def _json(one: OneChange) -> dict[str, object]:
    return {
        "rules": write_rules(one.rules, defaults=False),
        "change": one.change,
        "question": one.question,
        "words": one.words,
        "even_to": one.even_to,
        "first": one.first,
    }


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
