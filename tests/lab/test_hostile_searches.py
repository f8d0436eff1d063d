"""Space and goal files that mean harm: refused in 200 MiB, for little more work than a plain file of their size."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.lab.hostile_searches import HOSTILE_GOALS, HOSTILE_SPACES
from tests.rules.held import faults, written
from tests.rules.hostile import HOSTILE

READ_SPACE = """
from zerosum.lab.spaces import read_space as read
"""
READ_GOAL = """
from zerosum.lab.goals import read_goal as read
"""
COUNTED = 60
"""Where thousands of ranges are worked out before one is refused, the work may be this many times that of a file."""


@pytest.mark.slow
def test_spaces(tmp_path: Path) -> None:
    made = {kind: (partial(Path.write_text, data=text), message) for kind, (text, message) in HOSTILE_SPACES.items()}
    assert faults(written(tmp_path, made), READ_SPACE, COUNTED) == []


@pytest.mark.slow
def test_goals(tmp_path: Path) -> None:
    made = {kind: (partial(Path.write_text, data=text), message) for kind, (text, message) in HOSTILE_GOALS.items()}
    assert faults(written(tmp_path, made), READ_GOAL) == []


@pytest.mark.parametrize("read", [READ_SPACE, READ_GOAL], ids=["space", "goal"])
def test_files_that_are_hostile_as_rules(tmp_path: Path, read: str) -> None:
    made = {kind: HOSTILE[kind] for kind in ("named pipe", "binary", "dotted key")}
    made["nothing"] = (Path.touch, "format: write")
    assert faults(written(tmp_path, made), read) == []
