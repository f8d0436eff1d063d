"""Finds and repairs as a terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.lab.finds import Find
from zerosum.lab.goals import Document, figure
from zerosum.rules.model import READERS, Rules
from zerosum.rules.schema import rules_to_dict


def find_lines(finds: Sequence[Find], base: Rules) -> list[str]:
    """Return a table of finds."""
    head = (
        f"{'score':>6} {'plies':>6} {'winning openings':>17} {'first wins at level 5':>22} {'real choices':>13}  game"
    )
    return [head, *(_find(find, base) for find in finds)]


def _find(find: Find, base: Rules) -> str:
    document = find.document
    openings = document["openings"]
    winning = f"{openings['winning']} of {openings['count']}"
    first, density = _percent(document, "first.level:5"), _percent(document, "density.level:5")
    plies = document["value"]["plies"]
    return (
        f"{find.score:6.3f} {'-' if plies is None else plies:>6} {winning:>17} {first:>22} {density:>13}  "
        f"{difference(find.rules, base)}"
    )


def _percent(document: Document, path: str) -> str:
    value = figure(document, path)
    return f"{100 * value:.0f} %" if isinstance(value, (int, float)) else "-"


def difference(rules: Rules, base: Rules) -> str:
    """Return in which keys a game differs from another, as a rules file writes them."""
    now, was = rules_to_dict(rules), rules_to_dict(base)
    keys = [name.replace("_", "-") for name in READERS if name not in {"id", "name"}]
    parts = [f"{key} {_plain(now[key])}" for key in keys if key in now and now[key] != was.get(key)]
    return ", ".join(parts) or f"as {base.name}"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
