"""Runs the notebooks of the documentation and writes what their cells show into them: a part of `make docs`.

A notebook is a JSON file. Its cells are run in order, in a namespace of their own; what a cell prints and what its
last expression shows of itself are its outputs. So Jupyter is not needed, and a notebook that no longer runs is found.
`--check` writes nothing; the exit status is 1 if an output has changed.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "notebooks"
_SHOWN: Final = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}

Cell = dict[str, Any]


class NotebookError(Exception):
    """A cell that does not run; the message names the notebook and the cell."""


def run(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        count += 1
        try:
            outputs = _outputs("".join(cell["source"]), names, count)
        except Exception as error:
            raise NotebookError(f"{name}, cell {count}: {type(error).__name__}: {error}") from error
        cells.append({**cell, "execution_count": count, "outputs": outputs})
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run a cell; return what it prints, and what its last line shows if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - running cells is what this is for
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307 - as above
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None and not source.rstrip().endswith(";"):
        data = {kind: _lines(getattr(value, method)()) for kind, method in _SHOWN.items() if hasattr(value, method)}
        # A value that draws itself may be long as text; nobody would see it.
        text = {"text/plain": [f"<{type(value).__name__}>"] if data else _lines(repr(value))}
        outputs.append(
            {"data": {**data, **text}, "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    """Return a notebook as its file has it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write or check the notebooks of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if an output has changed")
    options = parser.parse_args()
    changed = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        old = path.read_text(encoding="utf-8")
        new = written(run(json.loads(old), path.name))
        if new == old:
            continue
        changed += 1
        print(f"{path.relative_to(ROOT)}: {'has changed' if options.check else 'written anew'}")
        if not options.check:
            path.write_text(new, encoding="utf-8")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
