"""Files, read with care and written durably.

Reading takes only regular files, up to a size, and UTF-8 where text is expected. What is written appears whole or not
at all, and it is on the disk when a function returns: each draft is synced before it gets its name, and the folder
after that.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Mapping
from typing import BinaryIO, Final

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.text import printable

try:
    import fcntl
except ImportError:  # Windows; a browser has neither, and nobody to lock a file against
    with contextlib.suppress(ImportError):
        import msvcrt

    _BEYOND_THE_DATA = 1 << 30  # Locks are mandatory there: a byte that nobody reads.

    def lock(file: int) -> bool:
        """Lock an open file for this process alone; false if another process has it."""
        os.lseek(file, _BEYOND_THE_DATA, os.SEEK_SET)
        try:
            # Type checkers know these only on Windows.
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True
else:

    def lock(file: int) -> bool:
        """Lock an open file for this process alone; false if another process has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


_LARGEST: Final = 256 << 20
"""Bytes of the main document of a folder of results, at most."""
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK})
"""The errors of a file system without hard links."""


class UnreadableFileError(ZerosumError):
    """A file that is missing, not a regular file, too large or not text."""


def is_toml_path(text: str) -> bool:
    """Return whether a text is meant as the path of a file, and not as the name of something built in."""
    return os.sep in text or text.endswith(".toml") or ("\0" not in text and os.path.isfile(text))


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


class CannotWriteError(ZerosumError):
    """A file or folder that cannot be written, or that exists already."""


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


def replace_file(path: str, data: bytes) -> None:
    """Write a file, or another in its place, by a draft `PATH.new`; raise an OSError and leave no draft behind."""
    draft = f"{path}.new"
    _write_synced(draft, data, "wb")
    try:
        move_file(draft, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def move_file(path: str, to: str) -> None:
    """Give a file another name, in place of any file that has it."""
    os.replace(path, to)
    for folder in dict.fromkeys((os.path.dirname(to), os.path.dirname(path))):
        sync_folder(folder or ".")


def append_line(path: str, line: str) -> None:
    """Add a line to a file that only grows, in a folder that is made if it is missing; raise an OSError if it fails."""
    make_folder(os.path.dirname(path))
    with open(path, "ab") as file:
        file.write(f"{line}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def append_synced(file: int, data: bytes | bytearray) -> None:
    """Write all of `data` at the current place in an open file, and sync it."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    os.fsync(file)


def check_new(path: str) -> None:
    """Raise if there is already something at `path`, or no folder to write it to."""
    if not os.path.basename(path) or "\0" in path:
        raise CannotWriteError(f"'{printable(path)}' is not the name of a file.")
    if os.path.lexists(path):
        raise _already_there(path)
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise CannotWriteError(f"{printable(path)}: there is no such folder.")


def write_new(path: str, data: bytes) -> None:
    """Write a new file for a user; nothing is overwritten.

    A link to the finished draft publishes it: unlike a rename, it fails if a file has appeared in the meantime.
    """
    check_new(path)
    draft = f"{path}.{os.urandom(4).hex()}.new"
    try:
        _write_synced(draft, data, "xb")
        try:
            os.link(draft, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _write_synced(path, data, "xb")
        finally:
            with contextlib.suppress(OSError):  # a draft too many does not make the file any worse
                os.unlink(draft)
        sync_folder(os.path.dirname(path) or ".")
    except FileExistsError:
        raise _already_there(path) from None
    except OSError as error:
        raise _cannot_write(path, error) from None


def _write_synced(path: str, data: bytes, mode: str) -> None:
    """Write a file and sync it; half a file is removed."""
    with open(path, mode) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(path)
            raise


def _already_there(path: str) -> CannotWriteError:
    return CannotWriteError(f"{printable(path)}: exists already; it is not overwritten.")


def _cannot_write(path: str, error: OSError) -> CannotWriteError:
    return CannotWriteError(f"{printable(path)}: cannot be written ({error.strerror}).")


def check_folder(path: str, main: str, key: str) -> None:
    """Raise unless results can be written to a folder: it is missing, empty, or has the same results already.

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
    """Write a folder of results: its files go into a draft beside it, which then takes its place."""
    path = os.path.abspath(path)
    check_folder(path, main, key)
    draft, old = f"{path}.draft", f"{path}.old"
    try:
        _clear(draft, files)
        os.mkdir(draft)
        for name, text in files.items():
            _write_synced(os.path.join(draft, name), text.encode(), "xb")
        sync_folder(draft)
        if os.path.isdir(path):
            _clear(old, files)
            os.rename(path, old)
        os.rename(draft, path)
        sync_folder(os.path.dirname(path))
        _clear(old, files)
    except OSError as error:
        raise _cannot_write(path, error) from None
    except BaseException:
        with contextlib.suppress(OSError):
            _clear(draft, files)
        raise


def _clear(path: str, files: Mapping[str, str]) -> None:
    """Remove what an interrupted run left behind; anything else in the folder stays, and the folder with it."""
    if os.path.isdir(path):
        for name in files:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(path, name))
        os.rmdir(path)
