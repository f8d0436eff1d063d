"""Family files that mean harm: refused in 200 MiB, for little more work than a plain file of their size."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.lab.hostile_families import HOSTILE_FAMILIES, LATE, write
from tests.rules.held import faults, written
from tests.rules.hostile import HOSTILE

READ = """
from zerosum.lab.families import members
from zerosum.lab.families import load_family
def read(path):
    return members(load_family(path))
"""
GAMES = 60
"""Where thousands of games are made before one is refused, the work may be this many times that of a plain file."""


@pytest.mark.slow
def test_families(tmp_path: Path) -> None:
    made = {kind: (partial(write, parts=parts), message) for kind, (parts, message) in HOSTILE_FAMILIES.items()}
    assert faults(written(tmp_path, made), READ) == []


@pytest.mark.slow
def test_families_whose_last_game_is_refused(tmp_path: Path) -> None:
    made = {kind: (partial(write, parts=parts), message) for kind, (parts, message) in LATE.items()}
    assert faults(written(tmp_path, made), READ, GAMES) == []


def test_files_that_are_hostile_as_rules(tmp_path: Path) -> None:
    kinds = ("named pipe", "binary", "nothing", "dotted key", "sparse file of 100 MB")
    assert faults(written(tmp_path, {kind: HOSTILE[kind] for kind in kinds}), READ) == []
