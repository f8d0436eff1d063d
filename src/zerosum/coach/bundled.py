"""What comes with the package about built-in games, the larger of which take minutes: figures, and changes of a rule.

`tools/make_figures.py` writes both. A file is read only if it was made for the same levels, by the same formulas.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, TypedDict

from zerosum.players.levels import levels_version
from zerosum.rules.game_files import is_built_in, load_text, write_rules
from zerosum.rules.model import Rules

VERSION: Final = f"2 {levels_version()}, audit 2 {levels_version()}"
"""That of the metrics and that of the findings."""
FOLDER: Final = os.path.join(os.path.dirname(__file__), "figures")


Figures = dict[str, Any]
"""What is measured and found of a game: `metrics` and `findings`, and `version`, that of the formulas."""


def bundled_figures(rules: Rules) -> Figures | None:
    """Return the figures that come with a game, None for any other, an older version, or without a metric."""
    path = os.path.join(FOLDER, f"{rules.id}.json")
    if not is_built_in(rules) or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        found: Figures = json.load(file)
    return found if found["version"] == VERSION else None


_CHANGES_VERSION: Final = f"1 {levels_version()}"
CHANGES: Final = os.path.join(os.path.dirname(__file__), "changes.json")


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


@cache
def bundled_changes(game: str) -> list[OneChange]:
    """Return the changes that come with a built-in game; none if they were made for other levels."""
    with open(CHANGES, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    if found["version"] != _CHANGES_VERSION:
        return []
    return [OneChange(**one | {"rules": load_text(one["rules"])}) for one in found["games"].get(game, [])]


class OfferedDocument(TypedDict):
    """A change of one rule: as a question, who wins then and how even it is, and the rules file with it."""

    question: str
    words: str
    text: str


def offered(one: OneChange) -> OfferedDocument:
    """Return a change as a page offers it."""
    words = f"{one.words[0].upper()}{one.words[1:]}."
    return {"question": one.question, "words": words, "text": write_rules(one.rules, defaults=False)}


def changes_file(changes: Mapping[str, Iterable[OneChange]]) -> str:
    """Return the text of the file with the changes of some games, by their ids."""
    found = {game: [_json(one) for one in made] for game, made in changes.items()}
    return json.dumps({"version": _CHANGES_VERSION, "games": found}, indent=1, ensure_ascii=False) + "\n"


def _json(one: OneChange) -> dict[str, object]:
    return {key.name: getattr(one, key.name) for key in fields(one)} | {"rules": write_rules(one.rules, defaults=False)}
