"""A disk that loses power: what each call has surely left on it, and what it may have left.

A file is sure to hold what was in it when it was last synced. Of what was written since, any sectors may be there or
not. A name is sure to be as it was when its folder was last synced; of the names made and removed since, any may be.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.reliability.trace import Call

SECTOR = 512
Layout = dict[str, bytes | None]
"""The content of each file, None for a folder, by path below the root."""


@dataclass(frozen=True)
class _Write:
    offset: int
    data: bytes

    def sectors(self) -> Iterator[_Write]:
        """Return the parts that lie in one sector each."""
        at = self.offset
        end = at + len(self.data)
        while at < end:
            until = min(end, (at // SECTOR + 1) * SECTOR)
            yield _Write(at, self.data[at - self.offset : until - self.offset])
            at = until

    def apply(self, content: bytearray) -> None:
        end = self.offset + len(self.data)
        if len(content) < end:
            content.extend(bytes(end - len(content)))
        content[self.offset : end] = self.data


@dataclass(frozen=True)
class _Truncate:
    size: int

    def sectors(self) -> Iterator[_Truncate]:
        """Return itself: it happens or not."""
        yield self

    def apply(self, content: bytearray) -> None:
        content[self.size :] = bytes(max(0, self.size - len(content)))


@dataclass(eq=False)
class File:
    """A file: its content when last synced, and what was done to it since."""

    folder: bool = False
    safe: bytes = b""
    since: list[_Write | _Truncate] = field(default_factory=list)

    def sync(self) -> None:
        self.safe, self.since = self.content(1.0), []

    def content(self, share: float, chance: Random | None = None) -> bytes:
        """Return what the file holds when a share of the sectors written since the last sync is there."""
        found = bytearray(self.safe)
        for one in self.since:
            for part in one.sectors() if chance else (one,):
                if (chance.random() < share) if chance else share:
                    part.apply(found)
        return bytes(found)


class UnknownCallError(AssertionError):
    """A call that changes the disk in a way that this model does not know."""


class Disk:
    """The files below a root, followed call by call."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._now: dict[str, File] = {}
        self._safe: dict[str, File] = {}

    def take(self, call: Call) -> str:
        """Follow a call; return what it did, nothing if it is not about this disk."""
        if call.returned is None or call.returned < 0:
            return ""
        follow = _FOLLOW.get(call.name)
        inside = [one for one in call.paths if self._inside(one)]
        if follow is None:
            if inside and not (call.name == "mmap" and "PROT_WRITE" not in call.text):
                raise UnknownCallError(f"{call.name}({call.text[:200]}")
            return ""
        return follow(self, call, inside)

    def _inside(self, path: str) -> bool:
        return path == self._root or path.startswith(self._root + os.sep)

    def _open(self, call: Call, inside: list[str]) -> str:
        if not inside or "O_CREAT" not in call.text:
            return ""
        path = inside[-1]
        if path not in self._now:
            self._now[path] = File()
            return "create"
        if "O_TRUNC" in call.text:
            self._now[path].since.append(_Truncate(0))
        return ""

    def _pwrite(self, call: Call, inside: list[str]) -> str:
        if not inside:
            return ""
        assert call.returned is not None
        self._now[inside[0]].since.append(_Write(call.numbers[-1], call.strings[0][: call.returned]))
        return "write"

    def _truncate(self, call: Call, inside: list[str]) -> str:
        if not inside:
            return ""
        self._now[inside[0]].since.append(_Truncate(call.numbers[-1]))
        return "write"

    def _sync(self, _: Call, inside: list[str]) -> str:
        if not inside:
            return ""
        path = inside[0]
        file = self._now.get(path)
        if path == self._root or (file is not None and file.folder):
            for names in (self._safe, self._now):
                here = {name: one for name, one in names.items() if os.path.dirname(name) == path}
                if names is self._safe:
                    for name in here:
                        del self._safe[name]
                else:
                    self._safe |= here
        elif file is not None:
            file.sync()
        return "sync"

    def _mkdir(self, call: Call, _: list[str]) -> str:
        path = os.path.realpath(call.strings[0].decode())
        if self._inside(path):
            self._now[path] = File(folder=True)
            return "create"
        return ""

    def _unlink(self, call: Call, _: list[str]) -> str:
        path = call.strings[0].decode()
        return "remove" if self._now.pop(path, None) is not None else ""

    def _rename(self, call: Call, _: list[str]) -> str:
        source, target = (one.decode() for one in call.strings[:2])
        if source not in self._now:
            return ""
        self._now[target] = self._now.pop(source)
        return "rename"

    def layouts(self, chance: Random, tries: int) -> Iterator[Layout]:
        """Return disks that a power cut now could leave: the extremes, and some in between by chance."""
        shares: list[tuple[float, Random | None]] = [(0.0, None), (1.0, None)]
        shares += [(share, chance) for share in (0.5, 0.1, 0.9)[:tries]]
        for names in (self._safe, self._now, {**self._safe, **self._now}):
            for share, dice in shares:
                yield self._layout(names, share, dice)

    def _layout(self, names: dict[str, File], share: float, chance: Random | None) -> Layout:
        found: Layout = {}
        for path in sorted(names):
            above = os.path.relpath(os.path.dirname(path), self._root)
            if above == "." or above in found:
                file = names[path]
                found[os.path.relpath(path, self._root)] = None if file.folder else file.content(share, chance)
        return found


_FOLLOW = {
    "openat": Disk._open,
    "open": Disk._open,
    "pwrite64": Disk._pwrite,
    "ftruncate": Disk._truncate,
    "fsync": Disk._sync,
    "fdatasync": Disk._sync,
    "mkdir": Disk._mkdir,
    "unlink": Disk._unlink,
    "rename": Disk._rename,
}
