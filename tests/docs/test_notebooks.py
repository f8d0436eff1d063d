"""The notebooks run, show what they hold, and use what is public; values draw themselves safely."""

from __future__ import annotations

import ast
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tools.notebooks import NotebookError, run, written

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_show_now(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert written(run(notebook, path.name)) == text, "run: make docs"
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert cells[0]["cell_type"] == "markdown"
    assert any("text/html" in output.get("data", {}) for cell in cells for output in cell.get("outputs", ()))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_uses_what_is_public(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    nodes = [
        node for cell in cells if cell["cell_type"] == "code" for node in ast.walk(ast.parse("".join(cell["source"])))
    ]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert imported <= {"zerosum", "numpy"}
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "zerosum"
    }
    assert used <= set(zerosum.__all__)


def _cell(source: str, kind: str = "code") -> dict[str, Any]:
    return {"cell_type": kind, "source": source.splitlines(keepends=True)}


def test_cells_share_names_and_show_the_last_expression() -> None:
    cells = [_cell("# words", "markdown"), _cell("n = 2\nprint(n)\nn + 1"), _cell("n * 10"), _cell("n;"), _cell("")]
    markdown, *code = run({"cells": cells}, "mine")["cells"]
    assert markdown == cells[0]
    assert [cell["execution_count"] for cell in code] == [1, 2, 3, 4]
    printed, shown = code[0]["outputs"]
    assert printed["text"] == ["2\n"]
    assert (shown["data"], shown["execution_count"]) == ({"text/plain": ["3"]}, 1)
    assert code[1]["outputs"][0]["data"] == {"text/plain": ["20"]}
    assert [code[2]["outputs"], code[3]["outputs"]] == [[], []]


def test_a_cell_that_fails_is_named() -> None:
    with pytest.raises(NotebookError, match="mine, cell 2: ZeroDivisionError"):
        run({"cells": [_cell("1"), _cell("1 / 0")]}, "mine")


# Values


def _values() -> dict[str, str]:
    sum31 = zerosum.load_game("sum31")
    solution = zerosum.solve(sum31)
    match = zerosum.read_match('[Game "sum31"]\n[Player1 "<b>Ann</b>"]\n\n1. +5 +6 2. +9 +8 3. +3\n')
    hostile = zerosum.load_text('like = "sum31"\nid = "mine"\nname = "<script>"\n')
    return {
        "start": solution.start._repr_svg_(),
        "over": match.position._repr_svg_(),
        "two totals": zerosum.start_position(zerosum.load_game("zero-sum-game"))._repr_svg_(),
        "many numbers": zerosum.start_position(
            zerosum.Rules(id="w", name="W", pool=tuple(range(1, 41)), target=99)
        )._repr_svg_(),
        "solution": solution._repr_html_(),
        "sudden death": zerosum.solve(zerosum.load_game("zero-sum-game"))._repr_html_(),
        "review": zerosum.review(match, solution)._repr_html_(),
        "metrics": zerosum.metrics("sum31")._repr_html_(),
        "measured": zerosum.measure("level:5", hostile, name="<i>me</i>")._repr_html_(),
        "perfect": zerosum.measure("perfect", "sum31")._repr_html_(),
    }


def test_values_draw_themselves() -> None:
    drawn = _values()
    for name, text in drawn.items():
        tree = ET.fromstring(text)  # noqa: S314 - our own
        tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert tags.isdisjoint({"script", "style", "b", "i", "link", "img"}), name
        assert "colour" not in text, name
        pictures = [element for element in tree.iter() if element.tag.endswith("svg")]
        assert all(picture.get("aria-label") and picture.get("role") == "img" for picture in pictures), name
    assert "Sum31: total 0, target 31, player 1 to move" in drawn["start"]
    assert "Sum31: total 31, target 31, player 1 has won" in drawn["over"]
    assert "totals 0 and 0" in drawn["two totals"]
    assert drawn["over"].count("line-through") == 5
    assert drawn["many numbers"].count("<rect") == 40
    assert "the first player loses in 7 plies" in drawn["solution"]
    assert "420 positions" in drawn["solution"]
    assert "&lt;b&gt;Ann&lt;/b&gt;" in drawn["review"]
    assert "+1, +8" in drawn["review"]
    assert "player 2 wins in 7 plies" in drawn["metrics"]
    assert "+4 +7? +9 +1 +5 +2 +3" in drawn["measured"]
    assert "0.9361" in drawn["measured"]
    assert "Nobody can exploit it" in drawn["perfect"]
