"""What the environments are tried on: the games, the variants of the docs, and 20 random rules, always the same."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.solver.random_tables import table
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict

VARIANTS = Path(__file__).parents[2] / "docs" / "variants"
RANDOM = 20


def _random(number: int) -> Rules:
    dice = random.Random(f"seats/{number}")
    rules = rules_from_dict(table(dice, most=6, sudden_death=number % 4 == 0))
    return replace(rules, id=f"random-{number}")


RULES: dict[str, Rules] = {
    **{game: load_game(game) for game in GAME_IDS},
    **{path.stem: load_game(str(path)) for path in sorted(VARIANTS.glob("*.toml"))},
    **{f"random-{number}": _random(number) for number in range(RANDOM)},
}


def table_of(rules: Rules) -> dict[str, Any]:
    """Return rules as plain values, for the plain version of the games."""
    return rules_to_dict(rules)
