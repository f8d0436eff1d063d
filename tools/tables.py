"""Tables of the documentation, and the limits of a module as one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def limits_of(module: ModuleType) -> str:
    """Return the table of a module's limits, each with the words that stand under it in the source."""
    named = _documented(str(module.__file__))
    rows = [(f"`{name}`", value_of(getattr(module, name)), meaning) for name, meaning in named]
    return table(("limit", "value", "of what"), rows)


def value_of(limit: int | tuple[int, float]) -> str:
    """Return a limit in figures: a number, or so many at once and so many a second after that."""
    if isinstance(limit, tuple):
        return f"{limit[0]:,} at once, then {limit[1]:g} a second"
    return f"{limit:,}"


def _documented(path: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a module assigns, each with the docstring below it."""
    body = ast.parse(Path(path).read_text(encoding="utf-8")).body
    for node, below in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if not (isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)):
                raise SystemExit(f"limits.py: {node.target.id} has no docstring below it.")
            yield node.target.id, " ".join(str(below.value.value).split())
