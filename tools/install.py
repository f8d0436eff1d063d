"""Set-up of an environment for one purpose: `install.py play`, `serve`, `core`, `test` or `inspect`.

It is run by the Python that the environment is for. What the pins of requirements/PURPOSE.txt name and the environment
lacks is downloaded, checked against its hash and installed, so that a `.venv` made for one purpose is completed for the
next. It needs pip, beside this Python or inside the environment.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
APART: Final = {"inspect": ".venv-inspect"}
"""Purposes whose packages are so many that they have an environment of their own; all others share `.venv`."""
MEGABYTE: Final = 1_000_000

INSTALLED: Final = """
import importlib.metadata, sysconfig
for one in importlib.metadata.distributions(path=[sysconfig.get_path("purelib")]):
    if one.read_text("INSTALLER"):
        print(one.name, one.version)
"""
"""Prints what is installed. pip writes INSTALLER last, so a package whose installation was cut short is not listed."""


def main(purpose: str) -> None:
    """Set up the environment, and say how much was downloaded for it."""
    venv = ROOT / APART.get(purpose, ".venv")
    python = venv / "bin" / "python"
    print(f"Setting up {venv.name} for `make {purpose}` (once)...", flush=True)
    if not _works(python, "-c", ""):
        _make_environment(venv)
    pip = _pip(python)
    pins = missing((ROOT / "requirements" / f"{purpose}.txt").read_text(encoding="utf-8"), _installed(python))
    with tempfile.TemporaryDirectory(prefix="zerosum-") as folder:
        wheels = Path(folder, "wheels")
        wheels.mkdir()
        Path(folder, "pins.txt").write_text("".join(pins), encoding="utf-8")
        _run(
            *pip, "wheel", "--no-deps", "--require-hashes", f"--wheel-dir={wheels}", f"--requirement={folder}/pins.txt"
        )
        found = sorted(wheels.iterdir())
        if found:
            _run(*pip, "install", "--no-deps", "--no-index", "--force-reinstall", *map(str, found))
        size = sum(wheel.stat().st_size for wheel in found)
    _run(*pip, "install", "--no-deps", "--no-index", "--no-build-isolation", "--editable", str(ROOT))
    print(f"Downloaded {len(found)} packages, {size / MEGABYTE:.1f} MB.", flush=True)


def missing(pins: str, installed: set[tuple[str, str]]) -> list[str]:
    """Return the pins that are not installed, each with its hashes."""
    return [pin for pin in re.split(r"(?m)^(?=\w)", pins) if pin.strip() and _named(pin) not in installed]


def _named(pin: str) -> tuple[str, str]:
    found = re.match(r"([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", pin)
    if found is None:
        sys.exit(f"install.py: this is not a pin: {pin.splitlines()[0]}")
    return _normal(found[1]), found[2]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _installed(python: Path) -> set[tuple[str, str]]:
    done = subprocess.run([python, "-I", "-c", INSTALLED], capture_output=True, text=True, check=True)
    return {(_normal(name), version) for name, version in map(str.split, done.stdout.splitlines())}


def _make_environment(venv: Path) -> None:
    if find_spec("venv") is None:
        sys.exit("This Python has no venv module. On Debian or Ubuntu: apt install python3-venv")
    # A Python without ensurepip makes an environment without pip; the pip beside that Python then works on it.
    without = () if find_spec("ensurepip") else ("--without-pip",)
    _run(sys.executable, "-m", "venv", "--clear", *without, str(venv))


def _pip(python: Path) -> Sequence[str]:
    quiet = ("--quiet", "--disable-pip-version-check")
    for command in ((str(python), "-m", "pip"), (sys.executable, "-m", "pip", "--python", str(python))):
        if _works(*command, "--version"):
            return (*command, *quiet)
    sys.exit("This Python has no pip. On Debian or Ubuntu: apt install python3-pip python3-venv")


def _works(*command: str | Path) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _run(*command: str) -> None:
    status = subprocess.run(command, check=False).returncode
    if status:
        sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1])
