"""The cards that come with the games, as data: `rules/games/cards`, one file a game.

A file holds the card, and the figures that take long to compute; a test computes them again.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from zerosum.players.levels import Score
from zerosum.rules.game_files import GAMES_FOLDER, is_built_in
from zerosum.rules.model import Rules, Seat
from zerosum.strategy.card import Card, CardError, Rule

CARDS_FOLDER: Final = os.path.join(GAMES_FOLDER, "cards")


@dataclass(frozen=True, slots=True)
class Kept:
    """Of all real choices, positions whose moves differ in verdict, those in which every survivor keeps the best."""

    good: int
    choices: int

    @property
    def share(self) -> float:
        """The share that is kept; 1 if there is no real choice at all."""
        return self.good / self.choices if self.choices else 1.0


@dataclass(frozen=True, slots=True)
class BundledCard:
    """A card that comes with a game, and its figures."""

    card: Card
    kept: Kept
    against: tuple[Score, ...]
    needed: tuple[str, ...]
    """The rules without which it is not proved; the others speed a win up, or keep more choices off its path."""


def bundled_card(rules: Rules) -> BundledCard | None:
    """Return the card that comes with a game; None for a game without one and for a variant, even of the same id."""
    return _read(rules.id) if is_built_in(rules) else None


@cache
def _read(game: str) -> BundledCard | None:
    path = os.path.join(CARDS_FOLDER, f"{game}.toml")
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return from_table(tomllib.load(file))


def from_table(table: dict[str, Any]) -> BundledCard:
    """Return the card that the table of a file holds."""
    try:
        card = Card(
            Seat(table["seat"]),
            tuple(map(Rule.read, table["rules"])),
            tuple((one["position"], one["move"]) for one in table.get("exceptions", ())),
            table.get("for-other"),
        )
        good, choices = table["figures"]["kept"]
        scores = tuple(Score(who, *both) for who, both in table["figures"]["against"].items())
        needed = tuple(table["figures"]["needed"])
    except (KeyError, TypeError, ValueError) as error:
        raise CardError(f"Not a card: {error}.") from None
    return BundledCard(card, Kept(good, choices), scores, needed)
