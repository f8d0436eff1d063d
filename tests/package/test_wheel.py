"""The built wheel is what people get: it is built, installed alone, and played with."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.cli.command import GAMES, GOLDEN, Zerosum

ROOT = Path(__file__).parent.parent.parent
NEEDED = ("click", "jinja2", "platformdirs")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, so that the checkout stays as it is."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return build(source, folder)


def build(source: Path, folder: Path) -> Path:
    """Build the wheel as `make release` does: at the time of a commit."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run(words, cwd=source, env=env, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_same_source_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """Whatever the times and the order of its files."""
    source = tmp_path / "source"
    shutil.copytree(wheel.parent / "source", source, copy_function=shutil.copyfile)
    for path in sorted(source.rglob("*"), reverse=True):
        os.utime(path, (0, 1_500_000_000))
    assert build(source, tmp_path).read_bytes() == wheel.read_bytes()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Zerosum:
    """Install the wheel into an environment that has its dependencies and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in (*NEEDED, "markupsafe"):
        # Copied from here: a test must not need a network.
        for file in importlib.metadata.files(name) or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                target = packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, "--disable-pip-version-check", str(wheel)], check=True)
    return Zerosum([str(folder / "bin" / "zerosum")])


def test_what_the_wheel_holds(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for game in GAMES:
        assert f"zerosum/rules/games/{game}.toml" in names
        assert f"zerosum/rules/games/words/{game}.toml" in names
    for name in ("default", "own", "shared"):
        assert f"zerosum/rules/games/words/{name}.toml" in names
    assert "zerosum/py.typed" in names
    assert not [name for name in names if not name.startswith("zerosum") or "__pycache__" in name]
    for path in (ROOT / "src").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert str(path.relative_to(ROOT / "src")) in names


def test_what_the_wheel_says(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
    assert "Requires-Python: >=3.11\n" in metadata
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ") and "extra" not in line]
    assert sorted(line.split()[1].split("<")[0].split(">")[0] for line in required) == list(NEEDED)
    (entries,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/entry_points.txt"))
    assert "[inspect_ai]\nzerosum = zerosum.exam.inspect_tasks\n" in entries


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_installed_wheel_plays_from_anywhere(installed: Zerosum, tmp_path: Path, game: str) -> None:
    ran = installed("play", game, stdin=(GOLDEN / f"{game}.in").read_text(), cwd=tmp_path)
    assert (ran.out, ran.status) == ((GOLDEN / f"{game}.txt").read_text(), 0)


def test_the_installed_wheel_is_not_this_checkout(installed: Zerosum, tmp_path: Path) -> None:
    python = Path(installed.command[0]).with_name("python")
    where = [str(python), "-I", "-c", "import zerosum; print(zerosum.__file__)"]
    done = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout).is_relative_to(python.parent.parent)
    assert installed("--version", cwd=tmp_path).ok().out == f"zerosum {importlib.metadata.version('zerosum')}\n"


def test_the_wheel_alone_names_the_extra_that_serving_needs(installed: Zerosum, tmp_path: Path) -> None:
    ran = installed("serve", "--port", "0", cwd=tmp_path)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err == 'zerosum: serve needs the extra "server": pip install "zerosum[server]"\n'


def test_the_installed_wheel_compares_players_and_checks_a_bot(installed: Zerosum, tmp_path: Path) -> None:
    """It needs no extra."""
    match = ("arena", "match", "level:5", "random", "--game", "sum31", "--play", "--pairs", "2", "--output", "run")
    assert installed(*match, "--json", cwd=tmp_path).ok().json()["pairs"] == 2
    bot = f"{sys.executable} {ROOT / 'docs' / 'bots' / 'first.py'}"
    told = installed("bot", "check", bot, "sum31", "--positions", "2", cwd=tmp_path).ok()
    assert told.out.endswith("My bot passes: it can play.\n")


def test_the_installed_wheel_examines_a_command(installed: Zerosum, tmp_path: Path) -> None:
    """It needs no extra."""
    make = ("exam", "make", "--games", "sum31", "--count", "3", "--fresh", "0", "--reskin", "1", "--seed", "1")
    installed(*make, "--out", "items.jsonl", cwd=tmp_path).ok()
    answer = ROOT / "docs" / "exams" / "answer.sh"
    told = installed("exam", "run", "items.jsonl", "--command", f"sh {answer}", "--out", "run", "--json", cwd=tmp_path)
    assert told.ok().json()["complete"] is True
