"""Logs in the user's folder: files that only grow, one synced line of fields between tabs for each entry."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime

from zerosum.match.folders import make_folder
from zerosum.rules.errors import ZerosumError
from zerosum.rules.text import printable


class LogError(ZerosumError):
    """A log cannot be read or written."""


def read_log(path: str, fields: int) -> list[list[str]]:
    """Return every entry so far, its date first; lines with another number of fields are ignored."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LogError(f"{printable(path)}: cannot be read ({error.strerror}).") from None
    return [row for row in rows if len(row) == fields]


def write_log(path: str, fields: Sequence[str]) -> None:
    """Add an entry with the date before it; when this returns, it is on the disk."""
    date = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    try:
        make_folder(os.path.dirname(path))
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write("\t".join((date, *fields)) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise LogError(f"{printable(path)}: cannot be written ({error.strerror}).") from None
