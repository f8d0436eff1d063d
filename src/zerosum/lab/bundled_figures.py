"""The figures of the built-in games, which come with the package: the larger games take a minute to measure.

A file is read only under the version its figures were made with, as a fact of the store is.
"""

from __future__ import annotations

import json
import os
from typing import Final, TypedDict, cast

from zerosum.lab.audit import audit, audit_json
from zerosum.lab.findings import FindingDocument
from zerosum.lab.metrics import MetricsJson, is_whole, metrics
from zerosum.lab.store import VERSION
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules

FOLDER: Final = os.path.join(os.path.dirname(__file__), "figures")


class Figures(TypedDict):
    """What is measured and found of a game; `version` is that of the formulas."""

    version: str
    metrics: MetricsJson
    findings: list[FindingDocument]


def compute_figures(rules: Rules) -> Figures:
    """Compute the figures of a game."""
    return {"version": _version(), "metrics": metrics(rules), "findings": audit_json(audit(rules))["findings"]}


def bundled_figures(rules: Rules) -> Figures | None:
    """Return the figures that come with a game, None for any other, an older version, or without a metric."""
    path = os.path.join(FOLDER, f"{rules.id}.json")
    if not is_built_in(rules) or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        found = cast("Figures", json.load(file))
    return found if found["version"] == _version() and is_whole(found["metrics"]) else None


def _version() -> str:
    return f"{VERSION['metrics']}, audit {VERSION['audit']}"
