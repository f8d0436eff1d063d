"""Space and goal files that mean harm: refused in 200 MiB, for little more work than a plain file of their size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.hostile_searches import HOSTILE_GOALS, HOSTILE_SPACES
from tests.rules.held import refused
from tests.rules.hostile import HOSTILE

READ_SPACE = """
from zerosum.lab.spaces import read_space as read
"""
READ_GOAL = """
from zerosum.lab.goals import read_goal as read
"""
COUNTED = 60
"""Where thousands of ranges are worked out before one is refused, the work may be this many times that of a file."""


@pytest.mark.parametrize("kind", HOSTILE_SPACES)
def test_spaces(tmp_path: Path, kind: str) -> None:
    text, message = HOSTILE_SPACES[kind]
    path = tmp_path / "hostile.toml"
    path.write_text(text)
    refused(path, message, READ_SPACE, COUNTED)


@pytest.mark.parametrize("kind", HOSTILE_GOALS)
def test_goals(tmp_path: Path, kind: str) -> None:
    text, message = HOSTILE_GOALS[kind]
    path = tmp_path / "hostile.toml"
    path.write_text(text)
    refused(path, message, READ_GOAL)


@pytest.mark.parametrize("read", [READ_SPACE, READ_GOAL], ids=["space", "goal"])
@pytest.mark.parametrize("kind", ["named pipe", "binary", "nothing", "dotted key"])
def test_files_that_are_hostile_as_rules(tmp_path: Path, kind: str, read: str) -> None:
    make, message = HOSTILE[kind]
    path = tmp_path / "hostile.toml"
    make(path)
    refused(path, "format: write" if kind == "nothing" else message, read)
