"""Files that a command writes for its user: new, whole, or not at all."""

import contextlib
import errno
import os

from zerosum.match.folders import sync_folder
from zerosum.rules.errors import ZerosumError
from zerosum.rules.text import printable

# The errors of a file system without hard links.
_NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK})


class CannotWriteError(ZerosumError):
    """A file that cannot be written, or that exists already."""


def check_new(path: str) -> None:
    """Raise if there is already something at `path`, or no folder to write it to."""
    if not os.path.basename(path) or "\0" in path:
        raise CannotWriteError(f"'{printable(path)}' is not the name of a file.")
    if os.path.lexists(path):
        raise _already_there(path)
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise CannotWriteError(f"{printable(path)}: there is no such folder.")


def write_new(path: str, data: bytes) -> None:
    """Write a new file: it appears whole, nothing is overwritten, and when this returns it is on the disk.

    A link to the finished draft publishes it: unlike a rename, it fails where a file has appeared in the meantime.
    """
    check_new(path)
    draft = f"{path}.{os.urandom(4).hex()}.new"
    try:
        _create(draft, data)
        try:
            os.link(draft, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _create(path, data)
        finally:
            os.unlink(draft)
        sync_folder(os.path.dirname(path) or ".")
    except FileExistsError:
        raise _already_there(path) from None
    except OSError as error:
        raise CannotWriteError(f"{printable(path)}: cannot be written ({error.strerror}).") from None


def _create(path: str, data: bytes) -> None:
    """Create a file, synced; an existing file is left alone, and half a file is removed."""
    with open(path, "xb") as file:
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
