"""The tutorial of the library stands on `import zerosum` alone."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path

import zerosum

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
EXAMPLES = doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8"))
ALLOWED = {"zerosum", "dataclasses"}


def test_it_imports_nothing_else_of_ours() -> None:
    nodes = [node for example in EXAMPLES for node in ast.walk(ast.parse(example.source))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert "zerosum" in imported <= ALLOWED
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "zerosum"
    }
    assert used <= set(zerosum.__all__)
    shown = {"Match", "Person", "Referee", "choose", "hint", "load_text", "perft", "register", "review", "solve"}
    assert shown <= used


def test_a_player_of_ones_own_takes_ten_lines() -> None:
    (player,) = (example.source for example in EXAMPLES if example.source.startswith("def careful"))
    assert len(player.strip().splitlines()) <= 10
