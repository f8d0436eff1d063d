"""A disk that loses power: what would be there if only what was synced had been kept.

Nothing is faked while the match is played; the calls that sync, rename and make folders are watched. At every
such call and at every acknowledgement the disk is laid out anew, twice: once with the names of files as their
folders were last synced, once with all names as they are now (a file system may write names early), but in both
cases with no byte of any file that was not synced.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from zerosum.match.saved import SavedMatches

Names = dict[str, int]


class LostError(AssertionError):
    """A power cut would have lost, or spoiled, something acknowledged."""


@dataclass
class Disk:
    """The folder watched, what of it is safe, and what was acknowledged."""

    root: Path
    scratch: Path
    trace: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    cuts: int = 0
    _files: dict[int, bytes] = field(default_factory=dict)
    _folders: dict[int, Names] = field(default_factory=dict)

    def acknowledge(self, move: str) -> None:
        """Record that a move was shown as made."""
        self.acknowledged.append(move)
        self.trace.append(f"acknowledge {move}")
        self.cut()

    def synced(self, descriptor: int) -> None:
        """Take what an open file or folder holds as safe."""
        inode = os.fstat(descriptor).st_ino
        for path in [self.root, *self.root.rglob("*")]:
            if path.stat().st_ino == inode:
                self.trace.append(f"sync {path.relative_to(self.root)}")
                if path.is_dir():
                    self._folders[inode] = _names(path)
                else:
                    self._files[inode] = path.read_bytes()

    def cut(self) -> None:
        """Cut the power here; both disks that can be left must hold every acknowledged move and no ruin."""
        self.cuts += 1
        for early_names in (False, True):
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
            self._lay_out(self.root, self.scratch, early_names=early_names)
            self._check(SavedMatches(str(self.scratch / "home")))

    def _lay_out(self, source: Path, target: Path, *, early_names: bool) -> None:
        inode = source.stat().st_ino
        now = {path.stat().st_ino: path for path in self.root.rglob("*")}
        for name, child in (_names(source) if early_names else self._folders.get(inode, {})).items():
            path = now.get(child)
            if path is not None and path.is_dir():
                (target / name).mkdir()
                self._lay_out(path, target / name, early_names=early_names)
            else:
                (target / name).write_bytes(self._files.get(child, b""))

    def _check(self, store: SavedMatches) -> None:
        moves: list[str] = []
        matches = [(one.id, one.match, one.damage) for one in store.unfinished()]
        done = Path(store._done)
        matches += [(path.name, store.match(path.name), "") for path in done.glob("*")] if done.is_dir() else []
        for match_id, match, damage in sorted(matches, key=lambda one: one[0]):
            if match is None:
                raise LostError(f"{match_id}: {damage} after {self.trace}")
            moves += [match.position.text_of(move) for move in match.moves]
        if moves[: len(self.acknowledged)] != self.acknowledged:
            raise LostError(f"left {moves} of {self.acknowledged} after {self.trace}")


def _names(folder: Path) -> Names:
    return {path.name: path.stat().st_ino for path in folder.iterdir()}


@contextmanager
def watched(root: Path, scratch: Path) -> Iterator[Disk]:
    """Watch a folder while something is played in it."""
    disk = Disk(root, scratch)
    descriptor = os.open(root, os.O_RDONLY)
    disk.synced(descriptor)
    os.close(descriptor)
    real_fsync, real_replace, real_mkdir = os.fsync, os.replace, os.mkdir
    inside = False

    def around(note: str, call: Callable[[], None], after: Callable[[], None] = lambda: None) -> None:
        """Cut the power before and after a call; the checks' own calls are not looked at."""
        nonlocal inside
        if inside:
            call()
            return
        inside = True
        try:
            disk.cut()
            call()
            if note:
                disk.trace.append(note)
            after()
            disk.cut()
        finally:
            inside = False

    def fsync(file: int) -> None:
        around("", lambda: real_fsync(file), lambda: disk.synced(file))

    def replace(src: str, dst: str) -> None:
        around(f"rename {_short(src, root)} to {_short(dst, root)}", lambda: real_replace(src, dst))

    def mkdir(path: str, mode: int = 0o777) -> None:
        around(f"make {_short(str(path), root)}", lambda: real_mkdir(path, mode))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "replace", replace)
        patch.setattr(os, "mkdir", mkdir)
        real_acknowledge = disk.acknowledge

        def acknowledge(move: str) -> None:
            nonlocal inside
            inside = True
            try:
                real_acknowledge(move)
            finally:
                inside = False

        disk.acknowledge = acknowledge  # type: ignore[method-assign]
        yield disk


def _short(path: str, root: Path) -> str:
    return os.path.relpath(path, root)
