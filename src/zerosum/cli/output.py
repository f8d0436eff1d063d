"""Files that a command writes for its user: new, whole, or not at all."""

import contextlib
import os

from zerosum.rules.errors import ZerosumError
from zerosum.rules.text import printable


class CannotWriteError(ZerosumError):
    """A file that cannot be written, or that is there already."""


def check_new(path: str) -> None:
    """Raise if there is already something at `path`, or no folder to write it to."""
    if not os.path.basename(path):
        raise CannotWriteError(f"'{printable(path)}' is not the name of a file.")
    if os.path.lexists(path):
        raise CannotWriteError(f"{printable(path)}: there already; it is not overwritten.")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise CannotWriteError(f"{printable(path)}: there is no such folder.")


def write_new(path: str, data: bytes) -> None:
    """Write a new file: it appears whole, and nothing is overwritten."""
    check_new(path)
    draft = f"{path}.{os.urandom(4).hex()}.new"
    try:
        with open(draft, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        check_new(path)
        os.rename(draft, path)
    except OSError as error:
        raise CannotWriteError(f"{printable(path)}: cannot be written ({error.strerror}).") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
