"""A folder of results: it appears whole or not at all, and takes the place of nothing but the same result."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Final

from zerosum.cli.output import CannotWriteError
from zerosum.match.folders import sync_folder
from zerosum.rules.errors import ZerosumError
from zerosum.rules.reading import read_text
from zerosum.rules.text import printable

_LARGEST: Final = 256 << 20


def check_folder(path: str, main: str, key: str) -> None:
    """Raise unless a result can be written to a folder: it is missing, empty, or has the same result already.

    `main` is the name of the document in the folder, whose `run` is the `key` of what was asked.
    """
    parent = os.path.dirname(os.path.abspath(path))
    if "\0" in path or not path.strip():
        raise CannotWriteError(f"'{printable(path)}' is not the name of a folder.")
    if not os.path.isdir(parent):
        raise CannotWriteError(f"{printable(parent)}: there is no such folder.")
    if not os.path.lexists(path):
        return
    if not os.path.isdir(path) or os.path.islink(path):
        raise CannotWriteError(f"{printable(path)}: exists already and is not a folder.")
    if os.listdir(path) and not _is_ours(path, main, key):
        raise CannotWriteError(f"{printable(path)}: has something else in it already; name a new folder.")


def _is_ours(path: str, main: str, key: str) -> bool:
    """Whether a folder has this result and nothing more."""
    try:
        document = json.loads(read_text(os.path.join(path, main), _LARGEST))
        return bool(document["run"] == key) and set(os.listdir(path)) == set(document["files"])
    except (ZerosumError, ValueError, LookupError, TypeError):
        return False


def write_folder(path: str, files: Mapping[str, str], main: str, key: str) -> None:
    """Write a folder: its files go into a draft beside it, which then takes its place."""
    path = os.path.abspath(path)
    check_folder(path, main, key)
    draft, old = f"{path}.draft", f"{path}.old"
    try:
        _clear(draft, files)
        os.mkdir(draft)
        for name, text in files.items():
            _write(os.path.join(draft, name), text)
        sync_folder(draft)
        if os.path.isdir(path):
            _clear(old, files)
            os.rename(path, old)
        os.rename(draft, path)
        sync_folder(os.path.dirname(path))
        _clear(old, files)
    except OSError as error:
        raise CannotWriteError(f"{printable(path)}: cannot be written ({error.strerror}).") from None
    except BaseException:
        with contextlib.suppress(OSError):
            _clear(draft, files)
        raise


def _write(path: str, text: str) -> None:
    with open(path, "x", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _clear(path: str, files: Mapping[str, str]) -> None:
    """Remove what an interrupted run left behind; anything else in the folder stays, and the folder with it."""
    if os.path.isdir(path):
        for name in files:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(path, name))
        os.rmdir(path)
