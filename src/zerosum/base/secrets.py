"""Secrets in the environment: which variables hold one, and how no other program of the user can read them from here.

`/proc/PID/environ` shows the memory in which the kernel put the environment when a process began, for as long as it
runs. So a bot could read there the key that it is not given.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Final

_WORDS: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
_PR_SET_DUMPABLE: Final = 4


def is_secret(name: str) -> bool:
    """Return whether a variable of the environment looks like a secret.

    >>> is_secret("ZEROSUM_MODEL_KEY"), is_secret("HOME")
    (True, False)
    """
    return any(word in name.upper() for word in _WORDS)


@cache
def hide_secrets() -> None:
    """Wipe secrets from the memory that the kernel shows, and close this process to debuggers; `os.environ` keeps them.

    It does not hide what the shell that started this process shows.
    """
    import ctypes  # noqa: PLC0415 - loading it takes time, and most commands never need it

    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    for name, value in os.environ.items():
        if is_secret(name) and value:
            where = libc.getenv(os.fsencode(name))
            if where:
                ctypes.memset(where, ord("x"), len(os.fsencode(value)))
            os.environ[name] = value
    if sys.platform == "linux":
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
