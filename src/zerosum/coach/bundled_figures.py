"""The figures of the built-in games, which come with the package: the larger games take a minute to measure.

`tools/make_figures.py` writes them. A file is read only if it was made for the same levels, by the same formulas.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final, TypedDict, cast

from zerosum.players.levels import levels_version
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules

VERSION: Final = f"2 {levels_version()}, audit 2 {levels_version()}"
"""That of the metrics and that of the findings."""
FOLDER: Final = os.path.join(os.path.dirname(__file__), "figures")


class Figures(TypedDict):
    """What is measured and found of a game; `version` is that of the formulas."""

    version: str
    metrics: dict[str, Any]
    findings: list[dict[str, Any]]


def bundled_figures(rules: Rules) -> Figures | None:
    """Return the figures that come with a game, None for any other, an older version, or without a metric."""
    path = os.path.join(FOLDER, f"{rules.id}.json")
    if not is_built_in(rules) or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        found = cast("Figures", json.load(file))
    return found if found["version"] == VERSION else None
