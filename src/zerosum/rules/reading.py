"""Reading untrusted files: only regular ones, up to a size, and UTF-8 where text is expected."""

import os
import stat
from typing import BinaryIO

from zerosum.rules.errors import ZerosumError
from zerosum.rules.text import printable


class UnreadableFileError(ZerosumError):
    """A file that is missing, not a regular file, too large or not text."""


def read_text(path: str, limit: int) -> str:
    """Return the text of the regular UTF-8 file at `path`, of at most `limit` bytes."""
    return decode(read_bytes(path, limit), printable(path))


def read_bytes(path: str, limit: int) -> bytes:
    """Return what is in the regular file at `path`, of at most `limit` bytes."""
    try:
        # Looked at before it is opened: opening a named pipe would wait for a writer.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise UnreadableFileError(f"{printable(path)}: not a regular file.")
        with open(path, "rb") as file:
            return read_stream(file, limit, printable(path))
    except OSError as error:
        raise UnreadableFileError(f"{printable(path)}: cannot be read ({error.strerror}).") from None
    except ValueError:
        raise UnreadableFileError(f"{printable(path)}: not a path.") from None


def read_stream(file: BinaryIO, limit: int, source: str) -> bytes:
    """Return what an open file holds, at most `limit` bytes; `source` names it in errors."""
    data = file.read(limit + 1)
    if len(data) > limit:
        raise UnreadableFileError(f"{source}: larger than {limit // 1024} KiB.")
    return data


def decode(data: bytes, source: str) -> str:
    """Return `data` as text; `source` names it in errors."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableFileError(f"{source}: not UTF-8 text.") from None
