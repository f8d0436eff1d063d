"""What each library needs to be installed, in the one sentence that says so."""

from __future__ import annotations

from typing import Final

from zerosum.base.errors import ZerosumError

EXTRAS: Final = {"pettingzoo": "rl", "gymnasium": "rl", "numpy": "rl", "pyspiel": "openspiel"}
"""The extra that installs each package."""


class MissingExtraError(ZerosumError, ImportError):
    """A library that an environment needs is not installed; the message names the extra."""

    exit_code = 2


def missing(module: str, error: ImportError) -> MissingExtraError:
    """Return the error of a module that could not import its library.

    >>> print(missing("zerosum.envs.aec", ModuleNotFoundError(name="pettingzoo")))
    zerosum.envs.aec needs the extra "rl": pip install "zerosum[rl]"
    """
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return MissingExtraError(f"{module} cannot be loaded: {error}")
    return MissingExtraError(f'{module} needs the extra "{EXTRAS[package]}": pip install "zerosum[{EXTRAS[package]}]"')
