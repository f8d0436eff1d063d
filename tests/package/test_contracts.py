"""The import contract on third-party packages finds what it must find; `make lint` holds the code to it."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import grimp
import pytest

from tools.contracts import ExternalImportsContract

ROOT = Path(__file__).resolve().parents[2]
TOOLS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
CONTRACTS: list[dict[str, Any]] = TOOLS["importlinter"]["contracts"]
(ALLOWED,) = (one["allowed"] for one in CONTRACTS if one["type"] == "external_imports")


@pytest.fixture(scope="module")
def built() -> grimp.ImportGraph:
    return grimp.build_graph("zerosum", include_external_packages=True, cache_dir=None)


def broken(graph: grimp.ImportGraph, allowed: list[str]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the imports that are not allowed and the lines that are not needed."""
    contract = ExternalImportsContract("external", {}, {"allowed": allowed})
    check = contract.check(graph, verbose=False)
    refused, unused = check.metadata["refused"], check.metadata["unused"]
    assert check.kept == (not refused and not unused)
    return refused, unused


def test_the_code_keeps_to_what_is_allowed(built: grimp.ImportGraph) -> None:
    assert broken(built, ALLOWED) == (set(), set())


PLANTED = [
    ("zerosum.coach.causes", "pydantic"),
    ("zerosum.server.worker", "numpy"),
    ("zerosum.solver.by_masks", "click"),
    ("zerosum.version", "a_package_that_nobody_named"),
]


@pytest.mark.parametrize(("module", "package"), PLANTED)
def test_an_import_that_no_line_allows_is_found(built: grimp.ImportGraph, module: str, package: str) -> None:
    graph = deepcopy(built)
    graph.add_import(importer=module, imported=package)
    assert broken(graph, ALLOWED) == ({(module, package)}, set())


def test_a_line_that_nothing_needs_is_found(built: grimp.ImportGraph) -> None:
    assert broken(built, [*ALLOWED, "zerosum.rules: click"]) == (set(), {("zerosum.rules", "click")})


def test_layers_are_exhaustive() -> None:
    layers = [one for one in CONTRACTS if one["type"] == "layers"]
    assert [one["containers"] for one in layers] == [["zerosum"], ["zerosum.server"]]
    assert all(one["exhaustive"] for one in layers)
