"""`zerosum atlas` as people call it: text, JSON, a folder of files, mistakes, kills."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Zerosum, variant
from tests.lab.killed import killed, whole, written

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.slow
def test_one_process_or_two_write_the_same_bytes(tmp_path: Path) -> None:
    one = whole(("atlas", "sum", "--n", "1..9", "--jobs", "1"), tmp_path / "one")
    two = whole(("atlas", "sum", "--n", "1..9", "--jobs", "2"), tmp_path / "two")
    assert one == two
    assert set(one) == {
        "answer",
        "README.md",
        "atlas.json",
        "table.csv",
        "sequences.txt",
        "winner.svg",
        "plies.svg",
        "winning.svg",
    }


@pytest.mark.slow
def test_the_same_answer_after_a_kill() -> None:
    report = killed(("atlas", "sum", "--n", "1..10", "--jobs", "1"), 2, 5)
    report.hold()


@pytest.mark.slow
def test_the_folder(tmp_path: Path, zerosum: Zerosum) -> None:
    out = tmp_path / "out"
    answer: dict[str, Any] = zerosum("atlas", "duel", "--n", "1..4", "--output", str(out), "--json").ok().json()
    files = written(tmp_path)
    assert [set(row) for row in answer["rows"]] == [{"n", "T", "winner", "plies", "winning", "openings"}] * 24
    assert {name: files["atlas.json"][name] for name in answer if name != "seconds"} == {
        name: value for name, value in answer.items() if name != "seconds"
    }
    with (out / "table.csv").open() as file:
        rows = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(file)]
    assert rows == answer["rows"]
    picture = ET.fromstring(files["winner.svg"])  # noqa: S314 - our own
    letters = [one.text for one in picture.iter(f"{SVG}text") if "-text" in str(one.get("class"))]
    assert letters == ["FS"[row["winner"] - 1] for row in rows]
    page = files["README.md"].decode()
    for held in answer["holds"]:
        assert f"- {held['words']} ({held['range']})" in page
    assert "None of them is proved." in page
    assert "theorem" not in page.lower()
    for name in files:
        assert name in page or name == "README.md"
    assert (
        files["sequences.txt"]
        .decode()
        .startswith("%I A000000\n%S A000000 0,2,0,7\n%N A000000 second-player targets\n%O A000000 1,2\n")
    )


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, zerosum: Zerosum) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    ran = zerosum("atlas", "duel", "--n", "1..2", "--output", str(tmp_path))
    assert ran.status == 1
    assert ran.err == f"zerosum: {tmp_path}: has something else in it already; name a new folder.\n"
    assert not (tmp_path / "home").exists()


def test_the_text(zerosum: Zerosum) -> None:
    out = zerosum("atlas", "sum", "--n", "1..4").ok().out
    assert "Sum-T on 1..n: 20 games." in out
    assert "n  T = 1, 2, ...\n1  F\n2  FFS\n3  FFFSSF\n4  FFFFSFFFFS\n" in out
    assert (
        "None of them is proved.\n- Where T is 1 to n, the first player wins.\n  n = 1..4, T = 1..n*(n+1)/2: tested in "
        in out
    )
    assert "- second-player targets, from n = 1: 0, 1, 2, 2\n" in out
    assert "20 solved now, 0 known before." in out
    assert "0 solved now, 20 known before." in zerosum("atlas", "sum", "--n", "1..4").ok().out


@pytest.mark.parametrize(
    ("args", "message", "status"),
    [
        (["atlas", "summ"], "There is no family 'summ'. Did you mean 'sum'?", 2),
        (["atlas", "sum", "--n", "1..x"], "Invalid value for --n: column 4: there is no 'x'.", 2),
        (["atlas", "sum", "--n", "5..1"], "Invalid value for --n: The range ends before it begins.", 2),
        (["atlas", "sum", "--n", "1..99"], "sum.toml: [parameters]: more than 5,000 games", 1),
        (
            ["atlas", "sum", "--n", "65"],
            "sum.toml: [set] pool: must be a list of 1 to 64 numbers. This is so where n = 65",
            1,
        ),
        (["atlas", "sum", "--jobs", "0"], "Invalid value for '--jobs'", 2),
    ],
)
def test_mistakes(zerosum: Zerosum, args: list[str], message: str, status: int) -> None:
    ran = zerosum(*args)
    assert message in ran.err
    assert (ran.status, ran.out) == (status, "")


def test_a_rules_file_is_no_family(tmp_path: Path, zerosum: Zerosum) -> None:
    ran = zerosum("atlas", variant(tmp_path, like="sum31"))
    assert ran.status == 1
    assert "id: unknown key. The keys are format, name, like, parameters, set, columns." in ran.err


def test_json_is_ascii_and_one_line(zerosum: Zerosum) -> None:
    out = zerosum("atlas", "sum-misere", "--n", "1..2", "--json").ok().out
    assert out.isascii()
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert list(answer)[:4] == ["schema", "family", "name", "parameters"]
    assert answer["parameters"] == {"n": "1..2", "T": "1..n*(n+1)/2"}
