"""Locks on open files that end with the process that holds them."""

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt
    import os

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
