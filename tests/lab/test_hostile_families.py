"""Family files that mean harm: refused in 200 MiB, for little more work than a plain file of their size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.hostile_families import HOSTILE_FAMILIES, LATE, write
from tests.rules.held import refused
from tests.rules.hostile import HOSTILE

READ = """
from zerosum.lab.families import members
from zerosum.lab.families import load_family
def read(path):
    return members(load_family(path))
"""
GAMES = 60
"""Where thousands of games are made before one is refused, the work may be this many times that of a plain file."""


@pytest.mark.parametrize("kind", HOSTILE_FAMILIES)
def test_families(tmp_path: Path, kind: str) -> None:
    parts, message = HOSTILE_FAMILIES[kind]
    path = tmp_path / "hostile.toml"
    write(path, parts)
    refused(path, message, READ)


@pytest.mark.parametrize("kind", LATE)
def test_families_whose_last_game_is_refused(tmp_path: Path, kind: str) -> None:
    parts, message = LATE[kind]
    path = tmp_path / "hostile.toml"
    write(path, parts)
    refused(path, message, READ, GAMES)


@pytest.mark.parametrize("kind", ["named pipe", "binary", "nothing", "dotted key", "sparse file of 100 MB"])
def test_files_that_are_hostile_as_rules(tmp_path: Path, kind: str) -> None:
    make, message = HOSTILE[kind]
    path = tmp_path / "hostile.toml"
    make(path)
    refused(path, message, READ)
