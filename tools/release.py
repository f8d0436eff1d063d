"""Builds a release and tries it: `make release`.

It builds the last commit, twice, and compares the bytes; writes the list of dependencies; and installs the wheel alone,
and with each extra, in a fresh environment of every Python of this machine. What it made is in `dist`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.dependencies import bill, direct  # noqa: E402 - after the path is set
from tools.figures import PAGES  # noqa: E402 - after the path is set
from tools.pythons import pythons  # noqa: E402 - after the path is set
from zerosum.version import __version__  # noqa: E402 - after the path is set

DIST: Final = ROOT / "dist"
GOLDEN: Final = ROOT / "tests" / "golden"
VALIDATE: Final = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
sys.exit(f"The list of dependencies is not CycloneDX: {error}" if error else 0)
"""
CLUSTER: Final = """
import subprocess, sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        sys.exit(subprocess.call(["zerosum", "search", "space.toml", "--scheduler", cluster.scheduler_address]))
"""
SPACE: Final = 'format = 1\nname = "Few"\nlike = "sum31"\n[vary]\nn = "4..5"\npool = "1..n"\ntarget = "n..n+2"\n'
HELLO: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "release", "version": "1"}},
}
SMOKE: Final[dict[str, Sequence[str]]] = {
    "": ("zerosum", "solve", "sum31", "--json"),
    "cluster": ("python", "cluster.py"),
    "fast": ("python", "-c", "import zerosum; zerosum.game_table('sum31')"),
    "inspect": ("python", "-c", "from zerosum.exam import inspect_tasks; inspect_tasks.positions()"),
    "mcp": ("sh", "-c", "zerosum mcp <hello.json | grep -q '\"serverInfo\"'"),
    "openspiel": ("python", "-m", "zerosum.envs.check", "sum31"),
    "rl": ("python", "-m", "zerosum.envs.check", "sum31"),
    "sb3": ("python", "-c", "import sb3_contrib, zerosum.envs.stable_baselines"),
    "server": ("python", "-c", "import zerosum.server.serve"),
}
"""What is run with each extra, beside a match; the server is asked for its pages too."""


class ReleaseError(Exception):
    """What keeps a release from being made."""


def check_ready() -> None:
    """Raise unless everything is committed and versions agree."""
    if subprocess.check_output(["git", "status", "--porcelain"], cwd=ROOT):
        raise ReleaseError("There are changes that are not committed; a release is made of a commit.")
    changelog, citation = ((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff"))
    if not re.search(rf"^## \[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        raise ReleaseError(f"CHANGELOG.md has no section {__version__} with a date.")
    if f'version: "{__version__}"' not in citation:
        raise ReleaseError(f"CITATION.cff has another version than {__version__}.")


def commit_time() -> int:
    """Return when the last commit was made."""
    return int(subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True))


def build(folder: Path, epoch: int) -> list[Path]:
    """Build sdist and wheel of the last commit in a folder, the wheel from the sdist, and return them."""
    source = folder / "source"
    tree = subprocess.check_output(["git", "archive", "--format=tar", "HEAD"], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(tree)) as archive:
        archive.extractall(source, filter="data")
    _hatch(source, "sdist", folder, epoch)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    _hatch(unpacked, "wheel", folder, epoch)
    return [sdist, *folder.glob("*.whl")]


def _hatch(source: Path, target: str, folder: Path, epoch: int) -> None:
    env = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    words = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(words, cwd=source, env=env, check=True, stdout=subprocess.DEVNULL)


def build_twice() -> list[Path]:
    """Build everything in two folders; raise unless all bytes are the same, and keep them in `dist`."""
    epoch = commit_time()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        built, again = build(Path(one), epoch), build(Path(other), epoch)
        for first, second in zip(built, again, strict=True):
            if first.name != second.name or first.read_bytes() != second.read_bytes():
                raise ReleaseError(f"{first.name} has other bytes when it is built again.")
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        return [Path(shutil.copy(file, DIST)) for file in built]


def write_bill(validator: Path) -> Path:
    """Write the list of dependencies, and let a Python that has CycloneDX's own library check it."""
    text = json.dumps(bill(__version__, commit_time()), indent=1) + "\n"
    subprocess.run([validator, "-c", VALIDATE], input=text, text=True, check=True)
    file = DIST / f"zerosum-{__version__}.cdx.json"
    file.write_text(text, encoding="utf-8")
    return file


def copy_figures(build: Path = ROOT / "build", dist: Path = DIST) -> list[Path]:
    """Copy the figures of the pages on performance and reliability, and say which were not measured here."""
    for name in PAGES.values():
        if not (build / name).exists():
            print(f"Without {name}: it was not measured here.", flush=True)
    return [Path(shutil.copy(build / name, dist)) for name in PAGES.values() if (build / name).exists()]


def try_wheel(wheel: Path, python: str, extra: str) -> None:
    """Install the wheel, with an extra or alone, in a fresh environment, and use it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
        binaries = folder / "venv" / "bin"
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        pip = [str(binaries / "pip"), "install", "--quiet", "--disable-pip-version-check", wanted]
        subprocess.run(pip, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        kept = {word: value for word, value in os.environ.items() if not word.startswith(("PYTHON", "VIRTUAL_ENV"))}
        env = {**kept, "PATH": f"{binaries}:{os.environ['PATH']}", "ZEROSUM_HOME": str(folder / "home")}
        (folder / "cluster.py").write_text(CLUSTER)
        (folder / "space.toml").write_text(SPACE)
        (folder / "hello.json").write_text(json.dumps(HELLO) + "\n")

        def run(*words: str, stdin: str = "") -> str:
            done = subprocess.run(words, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ReleaseError(f"{Path(python).name} [{extra}]: {' '.join(words)}: {done.stderr[-2000:]}")
            return done.stdout

        if run("zerosum", "--version") != f"zerosum {__version__}\n":
            raise ReleaseError(f"{wheel.name} has another version than {__version__}.")
        if run("zerosum", "play", "sum31", stdin=_golden("in")) != _golden("txt"):
            raise ReleaseError(f"{Path(python).name} [{extra}]: a match of Sum31 is not as it should be.")
        run(*SMOKE[extra])
        if extra == "server":
            _ask_server(folder, env)


def _golden(suffix: str) -> str:
    return (GOLDEN / f"sum31.{suffix}").read_text(encoding="utf-8")


def _ask_server(folder: Path, env: dict[str, str]) -> None:
    """Raise unless the server answers with its home page."""
    words = ["zerosum", "serve", "--port", "0"]
    with subprocess.Popen(
        words, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None  # noqa: S101 - a pipe was asked for
        try:
            found = next((url for line in server.stdout if (url := re.search(r"http://127\.0\.0\.1:\d+", line))), None)
            if found is None or b"Sum31" not in urllib.request.urlopen(found[0]).read():  # noqa: S310 - our own address
                raise ReleaseError("The server does not serve its home page.")
        finally:
            server.terminate()


def main() -> None:
    """Make a release, or say in one line why there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--validator", type=Path, required=True, help="a Python with requirements/release.txt")
    parser.add_argument("--python", action="append", choices=list(pythons()), help="only this Python; may be repeated")
    parser.add_argument("--extra", action="append", choices=list(direct()), help="only this extra; may be repeated")
    given = parser.parse_args()
    try:
        check_ready()
        sdist, wheel = build_twice()
        print(f"{wheel.name} and {sdist.name} have the same bytes when built again.", flush=True)
        made = [sdist, wheel, write_bill(given.validator), *copy_figures()]
        for version in given.python or pythons():
            for extra in given.extra or direct():
                try_wheel(wheel, pythons()[version], extra)
                print(f"Python {version}: zerosum{f'[{extra}]' if extra else ' alone'} plays.", flush=True)
    except (ReleaseError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"No release: {error}") from None
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in made)
    (DIST / "SHA256SUMS").write_text(sums)
    print(sums, end="")


if __name__ == "__main__":
    main()
