"""Files that a command writes: never over another, whole, and on the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from zerosum.base import files
from zerosum.base.files import CannotWriteError, write_new

NEW, OLD = b"new" * 1_000, b"somebody else's"


def test_a_new_file(tmp_path: Path) -> None:
    write_new(str(tmp_path / "file"), NEW)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": NEW}


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_appears_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """A race, planted: after the last look and before the file is published, another is there."""
    path = tmp_path / "file"
    really = os.link

    def link(draft: str, to: str) -> None:
        path.write_bytes(OLD)
        if not links:
            raise OSError(errno.EPERM, "Operation not permitted")
        really(draft, to)

    def rename(draft: str, to: str) -> None:
        path.write_bytes(OLD)
        os.replace(draft, to)

    monkeypatch.setattr(os, "link", link)
    # A rename would overwrite it; whichever way is taken, the race is between the look and the deed.
    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(CannotWriteError, match="exists already; it is not overwritten"):
        write_new(str(path), NEW)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"file": OLD}


def test_a_dangling_link_that_appears_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    monkeypatch.setattr(files, "check_new", lambda _: path.symlink_to(tmp_path / "elsewhere"))
    with pytest.raises(CannotWriteError, match="exists already"):
        write_new(str(path), NEW)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(draft: str, to: str) -> None:  # noqa: ARG001 - the system's own signature
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "link", link)
    write_new(str(tmp_path / "file"), NEW)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"file": NEW}


def test_file_and_folder_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file before its name is published, the folder after it."""
    path = tmp_path / "file"
    synced: list[tuple[str, bool]] = []
    really = os.fsync

    def fsync(file: int) -> None:
        what = "folder" if os.path.samestat(os.fstat(file), tmp_path.stat()) else "file"
        synced.append((what, path.exists()))
        really(file)

    monkeypatch.setattr(os, "fsync", fsync)
    write_new(str(path), NEW)
    assert synced == [("file", False), ("folder", True)]


@pytest.mark.parametrize("links", [True, False])
def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    calls = []

    def fsync(file: int) -> None:
        calls.append(file)
        if links or len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")

    def link(draft: str, to: str) -> None:  # noqa: ARG001 - the system's own signature
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "link", link)
    with pytest.raises(CannotWriteError, match="No space left"):
        write_new(str(tmp_path / "file"), NEW)
    assert list(tmp_path.iterdir()) == []


def test_a_name_with_a_nul(tmp_path: Path) -> None:
    with pytest.raises(CannotWriteError, match="is not the name of a file"):
        write_new(f"{tmp_path}/a\0b", NEW)
