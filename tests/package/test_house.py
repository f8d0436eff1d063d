"""The house as a newcomer finds it: each name means one thing, and a fuzzy finder leads to one file."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src" / "zerosum"
MODULES = sorted(path for path in SRC.rglob("*.py") if "versions" not in path.parts)
CONVENTIONS = {"__init__", "__main__", "limits"}
"""File names that mean the same thing in every folder."""
RESERVED = {"measure", "metrics", "audit", "repair", "search", "card", "levels"}
"""Names of the public face, which no module `zerosum.NAME` may take."""
PATHS = {"zerosum.envs", "zerosum.envs.openspiel", "zerosum.envs.batch"}
"""Paths that programs of others import."""


def name_of(path: Path) -> str:
    return ".".join(("zerosum", *path.relative_to(SRC).with_suffix("").parts)).removesuffix(".__init__")


def twice(places: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: found for name, found in places.items() if len(found) > 1}


def test_no_public_class_name_is_used_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name_of(path))
    assert twice(places) == {}


def test_no_file_name_is_used_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        if path.stem not in CONVENTIONS:
            places[path.stem].append(name_of(path))
    assert twice(places) == {}


def test_names_of_the_public_face_are_free() -> None:
    modules = {name_of(path) for path in MODULES}
    assert {f"zerosum.{name}" for name in RESERVED} & modules == set()
    assert modules >= PATHS
