"""Folders that cannot be made: a clear error, and nothing left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import Ran, Zerosum
from zerosum.base import limits
from zerosum.base.files import make_folder

DEEP = "/".join("a" * 1_500)
LONG = "x" * 300


def refused(ran: Ran, message: str, folder: Path) -> None:
    assert ran.status == 1, ran
    assert len(ran.err.splitlines()) == 1
    assert message in ran.err
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("below", "message"),
    [
        (DEEP, "more than 100 folders would have to be made for it"),
        (f"a/b/{LONG}/c", "File name too long"),
        ("/".join(["y" * 200] * 30), "File name too long"),
    ],
    ids=["deep", "a long name", "a long path"],
)
class TestTheCommands:
    def test_home(self, zerosum: Zerosum, tmp_path: Path, below: str, message: str) -> None:
        folder = tmp_path / "in"
        folder.mkdir()
        env = {"ZEROSUM_HOME": f"{folder}/{below}"}
        refused(zerosum("play", "sum31", "--names", "A", "B", stdin="5\n", env=env), message, folder)
        refused(zerosum("serve", "--port", "0", env=env), message, folder)
        assert zerosum("resume", "--list", env=env).ok().out == "There is no unfinished match.\n"
        zerosum("stats", env=env)
        zerosum("puzzle", "sum31", stdin="1\n2\n3\n", env=env)
        assert list(folder.iterdir()) == []

    @pytest.mark.slow
    def test_database(self, zerosum: Zerosum, tmp_path: Path, below: str, message: str) -> None:
        folder = tmp_path / "in"
        folder.mkdir()
        refused(zerosum("serve", "--port", "0", "--database", f"sqlite:///{folder}/{below}/x.db"), message, folder)


def test_a_hundred_folders_are_made_and_one_more_is_not(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*["a"] * limits.NEW_FOLDERS)
    with pytest.raises(OSError, match="more than 100 folders"):
        make_folder(str(deepest / "a"))
    assert list(tmp_path.iterdir()) == []
    make_folder(str(deepest))
    make_folder(str(deepest / "a"))  # the rest is there now
    assert (deepest / "a").is_dir()


def test_what_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in ("file", "file/a", "file/a/b", "a\0b/c", f"new/{LONG}"):
        with pytest.raises(OSError, match=r"Not a directory|a path cannot have a NUL|File name too long"):
            make_folder(f"{tmp_path}/{path}")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_the_folder_above_a_new_one_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    really = os.fsync

    def fsync(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        really(file)

    monkeypatch.setattr(os, "fsync", fsync)
    make_folder(str(tmp_path / "a" / "b"))
    assert synced == [tmp_path.stat().st_ino, (tmp_path / "a").stat().st_ino]
