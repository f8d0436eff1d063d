"""Promise 8: damaged, foreign and newer databases."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.reliability.damaged import DAMAGES, make_database, refuse
from tests.reliability.wrapped import planted
from zerosum.server.db.engine import DatabaseError, read_url
from zerosum.server.db.upgrade import upgrade

BY_THE_COMMAND = ["newer", "half of it", "its middle spoiled"]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database in which something was played."""
    path = tmp_path_factory.mktemp("sample") / "tables.sqlite3"
    make_database(path)
    return path


def test_refused_by_the_command_in_one_line(sample: Path) -> None:
    refuse(sample, BY_THE_COMMAND).hold()


@pytest.mark.parametrize("name", DAMAGES)
def test_refused_and_left_as_it_is(sample: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "tables.sqlite3"
    shutil.copyfile(sample, path)
    DAMAGES[name](path)
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match=r"tables\.sqlite3: .+\.$"):
        upgrade(read_url(f"sqlite:///{path}"))
    assert path.read_bytes() == before
    assert list(tmp_path.glob("tables*")) == [path]


@pytest.mark.full
def test_the_harness_finds_files_that_are_not_looked_at(sample: Path) -> None:
    report = refuse(sample, ["foreign, with a write-ahead log"], planted("trusting"))
    assert any("was changed" in one for one in report.broken)
