"""What can be given for an argument that is missing, in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from zerosum.cli.parameters import games_listed
from zerosum.lab.families import FAMILIES
from zerosum.strategy.card_player import PLAYERS


def _players() -> str:
    return f"The players are {', '.join(PLAYERS.spoken())}."


def _families() -> str:
    return f"The families are {', '.join(FAMILIES)}; a family file will do too."


CHOICES: Final[dict[str, Callable[[], str]]] = {
    "games": lambda: f"{games_listed()}.",
    "players": _players,
    "families": _families,
    "spaces": lambda: "A space is a file that says what varies.",
    "items": lambda: "ITEMS is a file that `exam make` has written, or the word public.",
}
