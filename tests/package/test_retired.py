"""A retired game: every door still takes it and says what replaced it, and no list shows it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from zerosum.rules.game_files import BUILT_IN_IDS, GAME_IDS, GAMES_FOLDER, RETIRED, shelf_of

ROOT = Path(__file__).parents[2]


def asked(*options: str) -> dict[str, Any]:
    """Return what is wrong at each door, from a Python in which the tables may be changed."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.package.retired_doors", *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.mark.slow
def test_every_door_takes_a_retired_game_and_no_list_shows_it() -> None:
    assert asked() == {"commands": [], "files": [], "libraries": [], "pages": [], "lists": []}


@pytest.mark.full
def test_a_listed_game_is_told_from_a_retired_one() -> None:
    """So the check above can fail."""
    found = asked("--listed")
    assert found["files"] == found["libraries"] == []
    assert found["pages"] == ["the line"]
    assert len(found["commands"]) == 12
    assert len(found["lists"]) == 16


def test_the_tables_agree_with_the_files() -> None:
    assert sorted(BUILT_IN_IDS) == sorted(path.stem for path in Path(GAMES_FOLDER).glob("*.toml"))
    assert not set(RETIRED) & set(GAME_IDS)
    assert set(RETIRED.values()) <= set(GAME_IDS)
    assert {shelf_of(game) for game in RETIRED} == {"retired"}
