"""The log of a run: numbered lines, each with its checksum, appended and synced; nothing in it is ever changed.

A line that a crash has cut short is dropped when the log is opened to go on. Any other damage is an error.

Folders that keep a run: one file of them is written last of what is settled before anything is done.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from typing import Any, BinaryIO, Final

from zerosum.base.errors import ZerosumError
from zerosum.base.files import append_synced, lock
from zerosum.base.text import printable


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


_SUM: Final = 16
LINE_BYTES: Final = 256 * 1024
"""Bytes in a line, unless somebody needs more."""


class LogError(ZerosumError):
    """A log that is damaged, in use, or of something else."""


def sealed(body: str) -> bytes:
    """Return a line of the log: a checksum, a space, the body, a newline."""
    data = body.encode()
    return b"%s %s\n" % (sha256(data).hexdigest()[:_SUM].encode(), data)


def _body(line: bytes) -> bytes | None:
    """Return the body of a line, None where the line is damaged."""
    checksum, space, body = line[:_SUM], line[_SUM : _SUM + 1], line[_SUM + 1 : -1]
    whole = line.endswith(b"\n") and space == b" " and sha256(body).hexdigest()[:_SUM].encode() == checksum
    return body if whole else None


class Log:
    """What is done of a run: where the line of each number begins."""

    def __init__(self, path: str, noun: str = "entry", line_bytes: int = LINE_BYTES) -> None:
        """Look through a log; a missing one is empty. The noun says in errors what has a line."""
        self.path = path
        self._noun = noun
        self._line_bytes = line_bytes
        self.at: dict[int, int] = {}
        self.end = 0
        """Where the last whole line ends."""
        self.look()

    def look(self) -> None:
        """Look through the log, from where it was left."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.end)
                self._look(file)
        except FileNotFoundError:
            return
        except OSError as error:
            raise LogError(f"{printable(self.path)}: cannot be read ({error.strerror}).") from None

    def _look(self, file: BinaryIO) -> None:
        torn = 0
        for row in range(1, 1 << 62):
            line = file.readline(self._line_bytes)
            if not line:
                return
            body = _body(line)
            if body is None:
                torn = torn or row
                continue
            if torn:
                raise LogError(f"{printable(self.path)}: line {torn} is damaged.")
            number = self._number(body, row)
            if number in self.at:
                raise LogError(
                    f"{printable(self.path)}: {self._noun} {number} stands there twice, again in line {row}."
                )
            self.at[number] = self.end
            self.end += len(line)

    def _number(self, body: bytes, row: int) -> int:
        try:
            number = json.loads(body)["n"]
        except (ValueError, LookupError, TypeError, RecursionError):
            number = None
        if type(number) is not int:
            raise LogError(f"{printable(self.path)}: line {row} has no number.")
        return number

    def read(self, numbers: Sequence[int]) -> Iterator[dict[str, Any]]:
        """Yield the lines of some numbers, in this order."""
        if not numbers:
            return
        with open(self.path, "rb") as file:
            for number in numbers:
                file.seek(self.at[number])
                body = _body(file.readline(self._line_bytes))
                if body is None:
                    raise LogError(f"{printable(self.path)}: the line of {self._noun} {number} has been damaged.")
                yield json.loads(body)


class Writer:
    """Appends to a log, for one process at a time."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._file = os.open(log.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        if not lock(self._file):
            os.close(self._file)
            raise LogError(f"{printable(log.path)}: another zerosum is at work on this run.")
        if os.fstat(self._file).st_size > log.end:
            # Torn, or written by somebody who has let go of it since it was looked through.
            log.look()
            os.ftruncate(self._file, log.end)
        os.lseek(self._file, log.end, os.SEEK_SET)

    def append(self, lines: Sequence[tuple[int, str]]) -> None:
        """Write lines, by number, and sync them."""
        if not lines:
            return
        data = bytearray()
        at = {}
        for number, body in lines:
            at[number] = self.log.end + len(data)
            data += sealed(body)
        append_synced(self._file, data)
        self.log.at |= at
        self.log.end += len(data)

    def close(self) -> None:
        """Let go of the log."""
        os.close(self._file)
