"""The changes of one rule of the built-in games, which come with the package: the larger games take minutes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypedDict

from zerosum.players.levels import levels_version
from zerosum.rules.game_files import load_text, write_rules
from zerosum.rules.model import Rules

VERSION: Final = f"1 {levels_version()}"
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
    if found["version"] != VERSION:
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
    return json.dumps({"version": VERSION, "games": found}, indent=1, ensure_ascii=False) + "\n"


def _json(one: OneChange) -> dict[str, object]:
    return {
        "rules": write_rules(one.rules, defaults=False),
        "change": one.change,
        "question": one.question,
        "words": one.words,
        "even_to": one.even_to,
        "first": one.first,
    }
