"""Folders in which matches and tables are kept: made durably, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os

from zerosum.rules import limits


def make_folder(folder: str) -> None:
    """Make a folder and those above it, or raise an OSError and leave nothing behind.

    A new folder is only safe once the one above it is on the disk.
    """
    missing = _missing(folder)
    made: list[str] = []
    try:
        for path in reversed(missing):
            with contextlib.suppress(FileExistsError):
                os.mkdir(path, mode=0o700)
                made.append(path)
            sync_folder(os.path.dirname(path))
    except OSError:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                os.rmdir(path)
        raise


def _missing(folder: str) -> list[str]:
    """Return the folders that are not there yet, the innermost first."""
    if "\0" in folder:
        raise OSError(errno.EINVAL, "a path cannot have a NUL in it", folder)
    missing: list[str] = []
    path = os.path.abspath(folder)
    while not _is_folder(path):
        missing.append(path)
        if len(missing) > limits.NEW_FOLDERS:
            why = f"more than {limits.NEW_FOLDERS} folders would have to be made for it"
            raise OSError(errno.ENAMETOOLONG, why, folder)
        path = os.path.dirname(path)
    return missing


def _is_folder(path: str) -> bool:
    """Whether a folder exists; anything else at its path, or no permission to look, is an OSError."""
    try:
        os.stat(path)
    except FileNotFoundError:
        return False
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    return True


def sync_folder(folder: str) -> None:
    """Sync a folder, so that the names in it are on the disk; Windows cannot, and need not."""
    if os.name == "posix":
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def write_whole(folder: str, name: str, text: str) -> None:
    """Write a file that is there whole or not at all; when this returns, it is on the disk."""
    path = os.path.join(folder, name)
    with open(f"{path}.new", "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)
    sync_folder(folder)
