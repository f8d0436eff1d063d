"""The journal of a match: an append-only file, one synced line per entry.

    zerosum journal 1
    [Game "sum31"]
    ...

    1f3a9c02 begin
    77c01d5e +5
    0a1b2c3d undo:1

Each line begins with a checksum over itself and everything before it, so a changed, missing or moved line is
detected. Only an incomplete last line, which a power cut can leave, is dropped; it was never acknowledged.
"""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.files import append_synced, lock
from zerosum.match.match import Entry, Match, format_entry, parse_entry
from zerosum.match.setup import Setup, setup_from_tags, setup_tags
from zerosum.rules.record import format_tags, parse_tags

_MAGIC = re.compile(r"zerosum journal ([0-9]{1,9})")
VERSION: Final = 1
_CHECKSUM_LENGTH = 8


class JournalError(ZerosumError):
    """A journal that is damaged, foreign, newer, or in use."""


class BusyError(JournalError):
    """A journal that another process has open."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal file says: the match, where its last whole line ends, and the checksum there."""

    match: Match
    entries: int
    length: int
    checksum: int
    dropped: int
    """Bytes of an incomplete last line."""


def head(setup: Setup) -> bytes:
    """Return the beginning of a new journal."""
    text = f"zerosum journal {VERSION}\n{format_tags(setup_tags(setup))}\n".encode()
    return text + _line("begin", zlib.crc32(text))[0]


def _line(entry: str, checksum: int) -> tuple[bytes, int]:
    body = f" {entry}\n".encode()
    checksum = zlib.crc32(body, checksum)
    return f"{checksum:08x}".encode() + body, checksum


def read(data: bytes) -> Reading:
    """Return what a journal says, every entry checked as if played now."""
    whole = data.rfind(b"\n") + 1
    head_end = data.find(b"\n\n") + 2
    magic = _MAGIC.fullmatch(data.partition(b"\n")[0].decode(errors="replace"))
    if magic is None or len(data) > limits.JOURNAL_BYTES:
        raise JournalError("not a journal of zerosum.")
    if int(magic[1]) != VERSION:
        raise JournalError(f"written by another zerosum (format {magic[1]}, this one reads {VERSION}).")
    if head_end == 1:
        raise JournalError("damaged: its head is cut off.")
    try:
        return _read_body(data, head_end, whole)
    except (UnicodeDecodeError, ValueError):
        raise JournalError("damaged: not text.") from None
    except ZerosumError as error:
        raise JournalError(f"damaged: {error}") from None


def _read_body(data: bytes, head_end: int, whole: int) -> Reading:
    tags, _ = parse_tags(data[:head_end].decode().partition("\n")[2])
    checksum = zlib.crc32(data[:head_end])
    match = Match.begin(setup_from_tags(tags))
    lines = data[head_end:whole].splitlines(keepends=True)
    if not lines:
        raise JournalError("it ends before its first line.")
    for at, line in enumerate(lines):
        text = line[_CHECKSUM_LENGTH + 1 : -1].decode()
        expected, checksum = _line(text, checksum)
        if line != expected or (at == 0) != (text == "begin"):
            raise JournalError(f"line {at + 1} of its entries does not match its checksum.")
        if at:
            match = match.after(parse_entry(text, match))
    _check_tail(data[whole:], checksum)
    return Reading(match, len(lines) - 1, whole, checksum, len(data) - whole)


def _check_tail(tail: bytes, checksum: int) -> None:
    """Refuse a last line that was whole and whose end was changed: it may have been acknowledged."""
    text = tail[_CHECKSUM_LENGTH + 1 : -1].decode(errors="replace")
    if text and _line(text, checksum)[0][:-1] == tail[:-1]:
        raise JournalError("the end of its last line was changed.")


class Journal:
    """A journal that is open for writing, and locked."""

    def __init__(self, file_descriptor: int, reading: Reading) -> None:
        self._file = file_descriptor
        self._checksum = reading.checksum
        self._length = reading.length
        self._match = reading.match
        self.reading = reading

    def write(self, entry: Entry) -> None:
        """Append an entry; when this returns, it is on the disk."""
        line, checksum = _line(format_entry(entry, self._match), self._checksum)
        try:
            append_synced(self._file, line)
        except OSError as error:
            # Nothing was acknowledged; half a line must not stay in front of a later entry.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._length)
            raise JournalError(f"The move could not be saved ({error.strerror}); it was not made.") from None
        self._checksum = checksum
        self._length += len(line)


@contextlib.contextmanager
def opened(path: str) -> Iterator[Journal]:
    """Open and lock the journal at `path` for writing; an incomplete last line is cut off."""
    file = _open(path, os.O_RDWR | os.O_APPEND)
    try:
        # The process that held the lock may have moved the file since it was opened.
        if not lock(file) or not os.path.samestat(os.fstat(file), os.stat(path)):
            raise BusyError("it is being played in another terminal.")
        reading = read(_read_all(file))
        if reading.dropped:
            os.ftruncate(file, reading.length)
            os.fsync(file)
        yield Journal(file, reading)
    finally:
        os.close(file)


def load(path: str) -> Reading:
    """Return what the journal at `path` says, without locking or changing it."""
    file = _open(path, os.O_RDONLY)
    try:
        return read(_read_all(file))
    finally:
        os.close(file)


def _open(path: str, flags: int) -> int:
    # Do not follow a link in place of a journal, and do not wait for a pipe.
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags)


def _read_all(file: int) -> bytes:
    """Return the bytes of an open file, at most one more than the limit of a journal."""
    parts = []
    left = limits.JOURNAL_BYTES + 1
    while left and (part := os.read(file, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
