"""The kit for files: a file is replaced whole or left as it was, and lines are only added."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from zerosum.base.files import append_line, move_file, replace_file


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_is_replaced_and_a_stale_draft_with_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    (tmp_path / "file.new").write_bytes(b"left by a crash")
    replace_file(str(path), b"new")
    assert contents(tmp_path) == {"file": b"new"}


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_where_a_step_fails_the_old_file_stays_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(str(path), b"new")
    assert contents(tmp_path) == {"file": b"old"}


def test_a_moved_file_is_synced_in_both_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("open", "done"):
        (tmp_path / folder).mkdir()
    (tmp_path / "open" / "match").write_bytes(b"moves")
    synced: list[str] = []
    monkeypatch.setattr("zerosum.base.files.sync_folder", synced.append)
    move_file(str(tmp_path / "open" / "match"), str(tmp_path / "done" / "match"))
    assert synced == [str(tmp_path / "done"), str(tmp_path / "open")]
    assert contents(tmp_path / "done") == {"match": b"moves"}


def test_lines_are_added_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "log"
    append_line(str(path), "one")
    append_line(str(path), "zwei \N{LATIN SMALL LETTER U WITH DIAERESIS}")
    assert path.read_text(encoding="utf-8") == "one\nzwei \N{LATIN SMALL LETTER U WITH DIAERESIS}\n"
