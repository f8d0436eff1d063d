"""Folders that keep a run: one file of them is written last of what is settled before anything is done."""

from __future__ import annotations

import os
from collections.abc import Collection

from zerosum.rules.errors import ZerosumError
from zerosum.rules.text import printable


class RunError(ZerosumError):
    """A folder that is not a run, or another one."""


def has_run(path: str, last: str, before: Collection[str]) -> bool:
    """Whether a folder has a run in it, by the file that is written last; raise where it has something else."""
    if not os.path.lexists(path):
        return False
    if not os.path.isdir(path):
        raise RunError(f"{printable(path)}: exists already and is not a folder.")
    found = set(os.listdir(path))
    if last in found:
        return True
    if found <= {f"{name}{end}" for name in (*before, last) for end in ("", ".new")}:
        return False
    raise RunError(f"{printable(path)}: has something else in it already; name a new folder.")
