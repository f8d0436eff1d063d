"""`zerosum search` and `zerosum repair` as a user meets them: folders, processes, kills, mistakes."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.command import Ran, Zerosum
from tests.full import part, parted
from tests.lab.test_search import FREE, GOAL, SPACE
from tests.patience import PATIENCE
from zerosum.rules.game_files import load_file
from zerosum.solver.fingerprint import fingerprint

pytestmark = pytest.mark.slow
Search = Callable[..., Ran]


@pytest.fixture
def search(zerosum: Zerosum, tmp_path: Path) -> Search:
    """Return the command on a small space, in a folder that has the space and the goal."""
    (tmp_path / "space.toml").write_text(SPACE, encoding="utf-8")
    (tmp_path / "free.toml").write_text(FREE, encoding="utf-8")
    (tmp_path / "goal.toml").write_text(GOAL, encoding="utf-8")

    def run(*args: str, home: str = "home", space: str = "space.toml") -> Ran:
        env = {"ZEROSUM_HOME": str(tmp_path / home)}
        return zerosum("search", space, "--goal", "goal.toml", *args, cwd=tmp_path, env=env)

    return run


def _same(text: str) -> dict[str, Any]:
    return {**json.loads(text), "seconds": 0}


def _files(folder: Path) -> dict[str, str]:
    """Return every file of a result, but for how long it took."""
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    found["search.json"] = re.sub(r'"seconds": [0-9.]+', '"seconds": 0', found["search.json"])
    return found


def test_a_result_is_a_folder(search: Search, tmp_path: Path) -> None:
    shown = search("--output", "out", "--count", "3").ok()
    files = _files(tmp_path / "out")
    document = json.loads(files["search.json"])
    rules = sorted(name for name in files if name.endswith(".toml"))
    assert len(rules) == document["good"] == len(document["finds"])
    for name, find in zip(rules, document["finds"], strict=True):
        game = load_file(str(tmp_path / "out" / name))
        assert fingerprint(game) == find["fingerprint"]
        assert find["rules"]["id"] == game.id
    rows = list(csv.DictReader(files["front.csv"].splitlines()))
    assert [row["fingerprint"] for row in rows] == [one["fingerprint"] for one in document["finds"] if one["front"]]
    assert "3 that differ most" in files["report.html"]
    assert f"{document['good']} meet the goal goal." in shown.out
    assert "Kept in out" in shown.out
    _check_page(files["report.html"])


def _check_page(page: str) -> None:
    """Check that a page needs nothing but itself, and runs nothing."""
    assert "<script" not in page
    assert not re.search(r"\s(?:src|href|style|on\w+)\s*=", page)
    assert "url(" not in page
    assert page.count("<svg") >= 7
    assert "default-src 'none'" in page


def test_a_folder_takes_the_place_of_nothing_else(search: Search, tmp_path: Path) -> None:
    search("--output", "out").ok()
    before = _files(tmp_path / "out")
    assert "has something else in it" in search("--output", "out", "--seed", "2").err
    search("--output", "out").ok()
    assert _files(tmp_path / "out").keys() == before.keys()
    (tmp_path / "out" / "note.txt").write_text("mine", encoding="utf-8")
    refused = search("--output", "out")
    assert (refused.status, (tmp_path / "out" / "note.txt").read_text(encoding="utf-8")) == (1, "mine")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert search("--output", "file").status == 1
    assert search("--output", "no/such/folder").status == 1


def test_one_process_and_two_give_the_same_bytes(search: Search, tmp_path: Path) -> None:
    args = ("--samples", "120", "--output")
    one = search(*args, "one", "--jobs", "1", "--json", home="a", space="free.toml").ok()
    two = search(*args, "two", "--jobs", "2", "--json", home="b", space="free.toml").ok()
    assert _same(one.out) == _same(two.out)
    assert _same(one.out)["good"] > 0
    assert _files(tmp_path / "one") == _files(tmp_path / "two")


KILLS = part(2, 10)


@pytest.mark.parametrize("space", parted(("space.toml", "free.toml"), ("free.toml",)))
def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(
    zerosum: Zerosum, search: Search, tmp_path: Path, space: str
) -> None:
    args = ("--samples", "120", "--jobs", "1", "--output", "out") if space == "free.toml" else ("--output", "out")
    began = time.monotonic()
    search(*args, home="whole", space=space).ok()
    taken = time.monotonic() - began
    whole = _files(tmp_path / "out")
    dice = Random(f"kills of {space}")
    for n in range(KILLS):
        (tmp_path / "out").rename(tmp_path / f"kept{n}")
        delay = dice.uniform(0.1, 0.9) * taken
        while not _kill_after(delay, zerosum, tmp_path, [space, *args], home=f"killed{n}"):
            # The machine has become faster: it was over before, so another home and an earlier moment.
            shutil.rmtree(tmp_path / "out")
            shutil.rmtree(tmp_path / f"killed{n}")
            delay /= 2
        again = search(*args, home=f"killed{n}", space=space).ok()
        if "\n0 solved now" not in again.out:  # it had given its answer before it was killed
            files = _files(tmp_path / "out")
            counts = [{**json.loads(one["search.json"]), "finds": []} for one in (files, whole)]
            assert counts[0] == counts[1]
            assert files == whole


def _kill_after(seconds: float, zerosum: Zerosum, folder: Path, args: list[str], home: str) -> bool:
    """Start a search and kill it; return whether it was still at work."""
    env = {**os.environ, "ZEROSUM_HOME": str(folder / home)}
    command = [*zerosum.command, "search", *args, "--goal", "goal.toml"]
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        try:
            run.wait(seconds)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
        return run.wait(PATIENCE) == -signal.SIGKILL


def test_ctrl_c_leaves_nothing_half_written(zerosum: Zerosum, search: Search, tmp_path: Path) -> None:
    del search
    env = {**os.environ, "ZEROSUM_HOME": str(tmp_path / "home")}
    command = [*zerosum.command, "search", "free.toml", "--goal", "goal.toml", "--samples", "5000", "--output", "out"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        # Once it keeps what it finds it is at work; a signal while Python starts is Python's to answer.
        deadline = time.monotonic() + PATIENCE
        while not (tmp_path / "home" / "lab.sqlite3").exists():
            assert time.monotonic() < deadline
            assert run.poll() is None
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out, err.strip()) == (130, b"", b"")
    assert not list(tmp_path.glob("out*"))


def test_mistakes_are_said_in_one_line(search: Search, zerosum: Zerosum, tmp_path: Path) -> None:
    for args, status, said in (
        (("--jobs", "1", "--scheduler", "tcp://x:1"), 2, "exclude each other"),
        (("--count", "0"), 2, "--count"),
        (("--goal", "nice"), 2, "There is no goal 'nice'"),
        (("--seed", "x"), 2, "not a whole number"),
    ):
        ran = search(*args)
        assert (ran.status, ran.out) == (status, "")
        assert said in ran.err
    missing = zerosum("search", "no.toml", cwd=tmp_path)
    assert (missing.status, missing.err.count("\n")) == (1, 1)
    assert "sum31 is a game; a space is a file" in zerosum("search", "sum31").err


def test_repair_says_what_to_change(zerosum: Zerosum, tmp_path: Path) -> None:
    shown = zerosum("repair", "docs/variants/sum21.toml", "--count", "1", "--cost", "2").ok()
    assert re.search(r"Cost [12]\. .*: then \d of \d+ openings win, the (first|second) player wins in \d+, ", shown.out)
    kept = zerosum(
        "repair", "docs/variants/sum21.toml", "--count", "1", "--cost", "2", "--output", str(tmp_path / "out"), "--json"
    ).ok()
    document = kept.json()
    (name,) = (one.name for one in (tmp_path / "out").glob("*.toml"))
    assert fingerprint(load_file(str(tmp_path / "out" / name))) == document["found"][0]["fingerprint"]
    assert document["nearest"] == []
