"""The Pythons of this machine that zerosum supports."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"


@functools.cache
def pythons() -> dict[str, str]:
    """Return the executable of each version that runs here; that of the tests is always among them."""
    found = {THIS: sys.executable}
    for version in SUPPORTED:
        for path in _candidates(version):
            if version not in found and _version(path) == version:
                found[version] = path
    return dict(sorted(found.items()))


def _candidates(version: str) -> Iterator[str]:
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield on_path
    root = _pyenv_root()
    if root:
        yield from map(str, sorted(root.glob(f"versions/{version}.*/bin/python{version}")))


@functools.cache
def _pyenv_root() -> Path | None:
    """Return the folder in which pyenv keeps its Pythons, not all of which are on the path."""
    pyenv = shutil.which("pyenv")
    return Path(subprocess.check_output([pyenv, "root"], text=True).strip()) if pyenv else None


def _version(path: str) -> str | None:
    """Return the version of a Python; None for what does not run, such as a shim of a version that is not chosen."""
    code = "import sys; print('{}.{}'.format(*sys.version_info))"
    done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
