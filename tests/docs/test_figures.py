"""Figures on pages: of which machine, date and commit, and marked where the code has changed since."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.reliability.__main__ import HARNESSES
from tools import figures


def row(scenario: str, code: dict[str, bytes], **more: object) -> dict[str, object]:
    """Return a figure that was measured with some code."""
    kept = {
        "machine": "a machine",
        "date": "2026-11-18",
        "commit": "cccccccccccc",
        "held": True,
        "bound": "at most 2",
        "harness": scenario,
    }
    fingerprint = figures.fingerprint(code, figures.rooms_of(scenario))
    return {**kept, "scenario": scenario, "what": "moves", "figure": "1.5", "code": fingerprint, **more}


def test_a_figure_older_than_the_code_it_is_about_is_marked() -> None:
    then = {"src/zerosum/server/app.py": b"1", "src/zerosum/solver/graph.py": b"1"}
    rows = [row("1", then), row("solving", then, held=False)]
    assert figures.OLDER not in figures.told(rows, then)
    served, solved = figures.told(rows, then | {"src/zerosum/solver/graph.py": b"2"}).splitlines()[-2:]
    assert figures.OLDER not in served
    assert solved == f"| solving | moves | 1.5 | at most 2 | **no** | {figures.OLDER} |"
    served, solved = figures.told(rows, then | {"src/zerosum/server/new.py": b""}).splitlines()[-2:]
    assert served.endswith(f"| yes | {figures.OLDER} |")
    assert figures.OLDER not in solved


def test_each_time_of_measuring_names_machine_date_and_commit() -> None:
    told = figures.told([row("1", {}), row("2", {}, date="2026-11-19", machine="another")], {})
    assert [line for line in told.splitlines() if line.startswith("Measured")] == [
        "Measured on 2026-11-19, commit `cccccccccccc`: another.",
        "Measured on 2026-11-18, commit `cccccccccccc`: a machine.",
    ]
    assert figures.told([], {}) == "Nothing has been measured yet.\n"


def test_new_figures_replace_those_of_their_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = {"src/zerosum/server/app.py": b"1"}
    monkeypatch.setattr(figures, "code_of", {"abc": code}.__getitem__)
    monkeypatch.setattr(figures, "_file", lambda name: tmp_path / f"kept-{name}.json")
    for scenarios in (("1", "2"), ("2",)):
        found = [row(one, {}, commit="abc", what=len(scenarios)) for one in scenarios]
        (tmp_path / "reliability.json").write_text(json.dumps({"figures": found}))
        figures.keep("reliability", tmp_path)
    kept = json.loads((tmp_path / "kept-reliability.json").read_text())
    assert [(one["scenario"], one["what"], one["commit"]) for one in kept] == [("1", 2, "abc"), ("2", 1, "abc")]
    assert kept[0]["code"] == figures.fingerprint(code, figures.SERVER)


def test_harnesses_that_measure_one_by_one_keep_each_others_figures(tmp_path: Path) -> None:
    folder = tmp_path / "build"
    for harness, seconds in (("kills", 1), ("seeds", 2), ("kills", 3)):
        figures.measured("reliability", harness, [{"figure": seconds}, {"figure": -seconds}], folder)
    found = json.loads((folder / figures.PAGES["reliability"]).read_text())["figures"]
    assert [(one["harness"], one["figure"]) for one in found] == [
        ("seeds", 2),
        ("seeds", -2),
        ("kills", 3),
        ("kills", -3),
    ]
    assert all(one["commit"] and one["date"] and one["machine"] for one in found)


def test_the_code_of_a_commit_is_read_as_the_code_of_a_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / figures.CODE / "rules" / "position.py"
    file.parent.mkdir(parents=True)
    file.write_text("1\n")
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message=one"]):
        subprocess.run([*git, *words], check=True)
    then = figures.code_now()
    assert figures.code_of("HEAD") == then == {"src/zerosum/rules/position.py": b"1\n"}
    file.write_text("2\n")
    assert figures.code_of("HEAD") == then != figures.code_now()


def test_every_benchmark_is_about_rooms_that_there_are() -> None:
    rooms = {path.name for path in (figures.ROOT / figures.CODE).iterdir() if path.is_dir()}
    assert {room for named in (*figures.ABOUT.values(), figures.SERVER) for room in named} <= rooms
    assert set(figures.ABOUT) <= {path.stem for path in (figures.ROOT / "benchmarks").glob("*.py")} | set(HARNESSES)
