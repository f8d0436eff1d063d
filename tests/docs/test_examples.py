"""The example folders, as far as this environment goes: they compile, and what they import and name is there.

Each is tried with its own packages by its `try_it.py`.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

from tests.docs.test_commands import EVERY

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))
FILES = sorted(ROOT.glob("examples/*/*.py"))
HARNESSES = {"lm-eval": "lm-eval", "openenv": "openenv", "textarena": "textarena", "verifiers": "verifiers"}
INSTALLED = {"pip", "python", "zerosum", "lm_eval", "vf-eval"}
"""Commands that the packages of the examples bring."""


def test_each_harness_has_a_folder() -> None:
    assert [folder.name for folder in FOLDERS] == sorted(HARNESSES)
    for folder in FOLDERS:
        assert {"README.md", "pyproject.toml", "try_it.py"} <= {file.name for file in folder.iterdir()}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_says_what_it_needs_and_with_what_it_was_tried(folder: Path) -> None:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    needs = project["project"]["dependencies"]
    (bounds,) = [need for need in needs if need.startswith(HARNESSES[folder.name])]
    lowest = re.search(r">=([\d.]+),<", bounds)
    assert lowest is not None
    assert "zerosum" in needs
    for name in project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        assert (folder / name).exists()
    assert re.search(rf"(?i)tried with {HARNESSES[folder.name]} {re.escape(lowest[1])}", text_of(folder))


def text_of(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_what_a_file_imports_of_ours_is_there(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    compile(tree, str(file), "exec")
    ours = [
        one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and (one.module or "").startswith("zerosum.")
    ]
    for one in ours:
        module = importlib.import_module(one.module or "")
        for name in one.names:
            assert hasattr(module, name.name), f"{one.module}.{name.name}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_commands_of_a_readme_exist(folder: Path) -> None:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    known = INSTALLED | set(project["project"].get("scripts", {}))
    commands = re.findall(r"\.venv/bin/([\w-]+)((?: [^`\s]+)*)", text_of(folder))
    assert {"pip", "python"} <= {name for name, _ in commands}
    for name, rest in commands:
        words = rest.split()
        assert name in known
        if name == "python":
            assert (folder / words[0]).exists()
        elif name == "zerosum":
            assert " ".join(words[:2]) in EVERY


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_readme_shows_what_its_script_prints(folder: Path) -> None:
    """Compare the words alone: the numbers come from a run."""
    code = (folder / "try_it.py").read_text(encoding="utf-8")
    printed = [re.sub(r"\{[^}]*\}", "#", text) for text in re.findall(r"print\(f?\"(.*)\"\)", code)]
    (shown,) = re.findall(r"```text\n(.*?)```", text_of(folder), re.DOTALL)
    patterns = [re.escape(text).replace(r"\#", ".+?").replace("#", ".+?") for text in printed]
    for line in shown.splitlines():
        assert any(re.fullmatch(pattern, line) for pattern in patterns), line


def test_examples_are_in_the_source_and_not_in_the_wheel() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert "examples" in targets["sdist"]["include"]
    assert targets["wheel"]["packages"] == ["src/zerosum"]
