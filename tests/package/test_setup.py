"""Set-up from nothing, as the README has it, on every Python of this machine; and the core's quick tests on each."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
import urllib.request
from pathlib import Path

import pytest

from tests.cli.command import GOLDEN
from tools.install import missing
from tools.pythons import SUPPORTED, THIS, pythons

ROOT = Path(__file__).resolve().parents[2]
SETS = ("play", "core", "serve", "test", "inspect", "release")
MOST_MEGABYTES = 3.0
ELSEWHERE = (
    "tests/rules",
    "tests/clauses",
    "tests/proof/test_files.py",
    "tests/solver/test_methods.py",
    "tests/coach/test_stats.py",
    "tests/match/test_damage.py",
    "tests/cli/test_golden.py",
)
"""What runs on the other Pythons: less than a minute of the core's quick tests."""
OTHERS = [version for version in pythons() if version != THIS]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist")
NOT_OURS = ("PYTEST_", "MAKE", "MFLAGS", "PYTHON", "VIRTUAL_ENV", "COVERAGE_")
"""Variables by which the run of these tests would reach into the set-up."""


class Checkout:
    """A copy of this checkout that has no `.venv` yet."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self.python = python

    def run(self, *command: str | Path, stdin: str = "") -> str:
        """Run a command in it and return what it prints."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
        done = subprocess.run(
            command, cwd=self.folder, env=env, input=stdin, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make(self, *words: str) -> str:
        return self.run("make", f"PYTHON={self.python}", *words)

    def plays(self, environment: str = ".venv") -> bool:
        """Whether the command that was set up plays a match as it should."""
        said = self.run(self.folder / environment / "bin" / "zerosum", "play", "sum31", stdin=golden("in"))
        return said == golden("txt")

    def has(self) -> set[str]:
        """Return the packages that were installed beside the installers themselves."""
        listed = self.run(self.folder / ".venv" / "bin" / "python", "-m", "pip", "list", "--format=json")
        return {normal(one["name"]) for one in json.loads(listed)} - {"pip", "setuptools"}


def golden(suffix: str) -> str:
    return (GOLDEN / f"sum31.{suffix}").read_text(encoding="utf-8")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pinned(name: str) -> set[tuple[str, str]]:
    """Return the packages of a set, each with its version and its marker."""
    return set(re.findall(r"^([\w.-]+)(?:\[.*\])?(==.*?) \\$", pins(name), re.MULTILINE))


def versions(name: str) -> set[tuple[str, str]]:
    """Return the packages of a set, each with its version."""
    return {(package, pin.partition(" ")[0]) for package, pin in pinned(name)}


PLAY = {name for name, version in pinned("play") if ";" not in version}


def downloaded(said: str) -> tuple[int, float]:
    """Return how many packages and megabytes were downloaded."""
    found = re.search(r"^Downloaded (\d+) packages, (\d+\.\d) MB\.$", said, re.MULTILINE)
    assert found is not None, said
    return int(found[1]), float(found[2])


@pytest.fixture
def checkout(tmp_path: Path, request: pytest.FixtureRequest) -> Checkout:
    """Copy this checkout, for the Python that the test names or else for this one."""
    folder = tmp_path / "a folder with spaces"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    return Checkout(folder, pythons()[getattr(request, "param", THIS)])


@pytest.mark.full
@pytest.mark.parametrize("checkout", OTHERS, indirect=True)
def test_every_other_python_plays_and_passes_the_quick_tests_of_the_core(checkout: Checkout) -> None:
    assert downloaded(checkout.make("play"))[1] <= MOST_MEGABYTES
    assert checkout.plays()
    said = checkout.make("core", f"QUICK={' '.join(ELSEWHERE)}", "JOBS=0")
    assert re.search(r"\d{3,} passed", said)
    assert checkout.plays()


@pytest.mark.full
def test_playing_sets_up_what_it_needs_once(checkout: Checkout) -> None:
    packages, megabytes = downloaded(checkout.make("play"))
    assert packages == len(PLAY)
    assert 0 < megabytes <= MOST_MEGABYTES
    assert checkout.has() == {*PLAY, "zerosum"}
    assert checkout.plays()
    assert "Setting up" not in checkout.make("play")

    (checkout.folder / "requirements" / "play.txt").touch()
    assert downloaded(checkout.make("play")) == (0, 0.0)


@pytest.mark.full
def test_serving_completes_what_playing_needed(checkout: Checkout) -> None:
    checkout.make("play")
    checkout.make(".venv/ready-serve")
    assert checkout.has() >= {"fastapi", "sqlalchemy", "uvicorn", "zerosum"}
    assert checkout.has().isdisjoint({"numpy", "open-spiel", "playwright", "pytest"})
    assert serves(checkout.folder / ".venv")
    assert "Setting up" not in checkout.make("play")


def serves(environment: Path) -> bool:
    """Whether the command that was set up serves the home page."""
    serve = [str(environment / "bin" / "zerosum"), "serve", "--port", "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                found = re.search(r"http://127\.0\.0\.1:\d+", line)
                if found:
                    with urllib.request.urlopen(found[0]) as page:  # noqa: S310 - our own address
                        return "Sum31" in page.read().decode()
        finally:
            server.terminate()
    return False


@pytest.mark.full
def test_pip_alone_installs_the_command_and_its_server(checkout: Checkout) -> None:
    checkout.run(checkout.python, "-m", "venv", "--without-pip", "elsewhere")
    pip = (checkout.python, "-m", "pip", "--python", "elsewhere/bin/python", "--quiet", "install")
    checkout.run(*pip, ".")
    assert checkout.plays("elsewhere")
    checkout.run(*pip, ".[server]")
    assert serves(checkout.folder / "elsewhere")


@pytest.mark.full
def test_a_python_without_ensurepip_uses_its_own_pip(checkout: Checkout) -> None:
    code = (
        "import sys; sys.modules['ensurepip'] = None; sys.path.insert(0, 'tools'); import install; install.main('play')"
    )
    assert downloaded(checkout.run(checkout.python, "-c", code))[0] == len(PLAY)
    assert not list((checkout.folder / ".venv").glob("lib/*/site-packages/pip"))
    assert checkout.plays()


def test_an_old_python_is_told_what_is_needed(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo Python 3.9.18;; *) exit 1;; esac\n')
    old.chmod(0o755)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for python, said in (
        (old, "needs Python 3.11 or newer; this is Python 3.9.18"),
        ("python9", "There is no python9"),
    ):
        command = ["make", "-f", str(ROOT / "Makefile"), f"PYTHON={python}", "play"]
        env = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert said in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_missing_pins() -> None:
    text = (
        "click==8.5.1 \\\n    --hash=sha256:aa\n    # via -r requirements/play.in\n"
        "psycopg[binary]==3.3.8 \\\n    --hash=sha256:bb \\\n    --hash=sha256:cc\n"
        "typing_extensions==4.16.0 ; python_full_version < '3.13' \\\n    --hash=sha256:dd\n"
    )
    assert "".join(missing(text, set())) == text
    assert missing(text, {("click", "8.5.1"), ("psycopg", "3.3.8"), ("typing-extensions", "4.16.0")}) == []
    (left,) = missing(text, {("click", "8.5.1"), ("psycopg", "3.3.7"), ("typing-extensions", "4.16.0")})
    assert left.startswith("psycopg[binary]==3.3.8 ")
    assert left.endswith("sha256:cc\n")


@pytest.mark.parametrize("name", SETS)
def test_every_pin_has_hashes_and_names_no_index(name: str) -> None:
    text = pins(name)
    assert len(pinned(name)) == len(missing(text, set())) == len(re.findall(r"(?m)^\w", text))
    assert all("--hash=sha256:" in pin for pin in missing(text, set()))
    assert "://" not in text


@pytest.mark.parametrize("name", [name for name in SETS if name not in ("inspect", "release")])
def test_the_sets_agree_on_versions(name: str) -> None:
    """But for the conditions of a pin: what only Windows needs for one purpose, all may need for another."""
    assert versions(name) <= versions("test")
    assert versions("play") <= versions(name)
    assert versions("play") <= versions("inspect")


def test_what_is_pinned_is_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    tested = [*extras["cluster"], *extras["fast"], *extras["mcp"], *extras["openspiel"], *extras["rl"]]
    asked_for = {
        "play": project["dependencies"],
        "serve": extras["server"],
        "test": tested,
        "inspect": extras["inspect"],
        "learn": extras["sb3"],
    }
    assert len(extras) == 8
    for name, asked in asked_for.items():
        lines = (ROOT / "requirements" / f"{name}.in").read_text(encoding="utf-8").splitlines()
        assert set(asked) <= set(lines)


def test_the_supported_pythons_are_named_alike() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [found[1] for one in project["classifiers"] if (found := re.search(r":: (3\.\d+)$", one))]
    assert tuple(named) == SUPPORTED
    assert f"for version in {' '.join(SUPPORTED)}; do" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert THIS in SUPPORTED
