"""Packages that are installed only with an extra: whether they are there, and the one sentence that names the extra."""

from __future__ import annotations

import importlib.util
from typing import Final

from zerosum.base.errors import ZerosumError

EXTRAS: Final = {
    "pettingzoo": "rl",
    "gymnasium": "rl",
    "numpy": "rl",
    "open_spiel": "openspiel",
    "pyspiel": "openspiel",
    "stable_baselines3": "sb3",
}
"""The extra that installs each package of an environment."""
_OF_MODULES: Final = {"zerosum.envs.openspiel": "openspiel", "zerosum.envs.stable_baselines": "sb3"}
"""The extra that installs all that a module needs, whichever package of it is missing."""


PACKAGES: Final = {
    "mcp": ("mcp",),
    "server": (
        "alembic",
        "fastapi",
        "networkx",
        "prometheus_client",
        "psycopg",
        "python_multipart",
        "segno",
        "sqlalchemy",
        "structlog",
        "uvicorn",
        "wsproto",
    ),
}
"""What the extras of doors install."""


class MissingExtraError(ZerosumError, ImportError):
    """A package is not installed; the message names the extra that installs it."""

    exit_code = 2


def require(feature: str, extra: str) -> None:
    """Raise if a package of an extra is not installed; nothing is loaded to find out."""
    if any(importlib.util.find_spec(name) is None for name in PACKAGES[extra]):
        raise _needs(feature, extra)


def missing(module: str, error: ImportError) -> MissingExtraError:
    """Return the error of a module that could not import its library.

    >>> print(missing("zerosum.envs.aec", ModuleNotFoundError(name="pettingzoo")))
    zerosum.envs.aec needs the extra "rl": pip install "zerosum[rl]"
    >>> print(missing("zerosum.envs.openspiel", ModuleNotFoundError(name="numpy")))
    zerosum.envs.openspiel needs the extra "openspiel": pip install "zerosum[openspiel]"
    """
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return MissingExtraError(f"{module} cannot be loaded: {error}")
    return _needs(module, _OF_MODULES.get(module, EXTRAS[package]))


def _needs(feature: str, extra: str) -> MissingExtraError:
    return MissingExtraError(f'{feature} needs the extra "{extra}": pip install "zerosum[{extra}]"')
