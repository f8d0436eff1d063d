"""Figures on pages: of which machine, date and commit; a site that has none says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import figures, release

ROW = {"scenario": "1", "what": "moves", "figure": "1.5", "bound": "at most 2", "held": True}
TIME = {"machine": "a machine", "date": "2026-11-18", "commit": "cccccccccccc", "harness": "kills"}


def test_each_time_of_measuring_names_machine_date_and_commit() -> None:
    later = {"date": "2026-11-19", "machine": "another", "held": False}
    told = figures.told([ROW | TIME, ROW | TIME | later])
    assert [line for line in told.splitlines() if line.startswith("Measured")] == [
        "Measured on 2026-11-19, commit `cccccccccccc`: another.",
        "Measured on 2026-11-18, commit `cccccccccccc`: a machine.",
    ]
    assert "| 1 | moves | 1.5 | at most 2 | **no** |\n" in told
    assert told.endswith("| 1 | moves | 1.5 | at most 2 | yes |\n")


@pytest.mark.parametrize("page", figures.PAGES)
def test_a_page_shows_what_was_measured_and_says_that_nothing_was(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    said = figures.figures(page)
    assert "built without the figures" in said
    assert f"`{figures.PAGES[page]}`" in said
    figures.measured(page, "kills", [ROW], tmp_path / "build")
    assert "| 1 | moves | 1.5 | at most 2 | yes |" in figures.figures(page)


def test_a_release_carries_the_figures_that_were_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dist").mkdir()
    figures.measured("reliability", "kills", [ROW], tmp_path / "build")
    assert release.copy_figures(tmp_path / "build", tmp_path / "dist") == [tmp_path / "dist" / "reliability.json"]
    assert json.loads((tmp_path / "dist" / "reliability.json").read_text())["figures"][0]["what"] == "moves"
    assert capsys.readouterr().out == "Without benchmarks.json: it was not measured here.\n"


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
