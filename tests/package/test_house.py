"""The house as a newcomer finds it: each name means one thing, and a fuzzy finder leads to one file."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src" / "zerosum"
MODULES = sorted(path for path in SRC.rglob("*.py") if "versions" not in path.parts)
CONVENTIONS = {"__init__", "__main__", "limits"}
"""File names that mean the same thing in every folder."""
RESERVED = {"measure", "metrics", "audit", "repair", "search", "card", "levels"}
"""Names of the public face, which no module `zerosum.NAME` may take."""
COMPLEXITY = 15
PATHS = {"zerosum.envs", "zerosum.envs.openspiel", "zerosum.envs.batch"}
"""Paths that programs of others import."""

LONGEST = 31
"""The modules of the longest chain of imports: to understand the first, all others may have to be read."""


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


def imported(path: Path) -> Iterator[str]:
    """Yield what a module imports by statements, those in its functions and those for types included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{one.name}" for one in node.names))
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


def longest_chain(uses: dict[str, set[str]]) -> list[str]:
    """Return the modules of the longest chain of imports, the highest first; a ring is not followed round."""
    chains: dict[str, list[str]] = {}

    def chain(name: str, above: frozenset[str]) -> list[str]:
        if name not in chains:
            below = [chain(one, above | {name}) for one in sorted(uses[name] - above)]
            chains[name] = [name, *max(below, key=len, default=[])]
        return chains[name]

    return max((chain(name, frozenset()) for name in sorted(uses)), key=len)


def test_a_chain_of_imports_is_short() -> None:
    files = {name_of(path): path for path in MODULES}
    uses = {name: {one for one in imported(path) if one in files} - {name} for name, path in files.items()}
    chain = longest_chain(uses)
    assert len(chain) <= LONGEST, "\n".join(chain)


def test_the_longest_chain_is_found() -> None:
    assert longest_chain({"a": {"b", "c"}, "b": {"c"}, "c": {"a"}, "d": {"c"}}) == ["a", "b", "c"]


def complexity(function: ast.AST) -> int:
    """Return 1 and the places where a function may go two ways, the functions and comprehensions in it included.

    Each `if`, loop, comprehension, condition of one, handler, case and assertion is one, and each further operand of
    `and` and `or`.
    """
    ways = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert)
    return 1 + sum(
        1 + len(node.ifs)
        if isinstance(node, ast.comprehension)
        else len(node.values) - 1
        if isinstance(node, ast.BoolOp)
        else isinstance(node, ways)
        for node in ast.walk(function)
    )


def test_no_function_is_complex() -> None:
    found = {
        f"{name_of(path)}.{node.name}": complexity(node)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: count for name, count in found.items() if count > COMPLEXITY} == {}


def test_comprehensions_operators_and_inner_functions_count() -> None:
    inner = "def f(rows):\n    def g(row):\n        return row if row and row > 1 else 0\n    return g\n"
    loops = "def f(rows):\n    return [row for row in rows if row if row > 1] or [1 for row in rows]\n"
    assert [complexity(ast.parse(code)) for code in (inner, loops)] == [3, 6]
