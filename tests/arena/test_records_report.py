"""A report from records of others: results from the moves, ratings by names, decisions as in a run."""

from __future__ import annotations

import csv
import io
from collections import Counter
from math import isclose, log
from pathlib import Path

from tests.cli.command import Zerosum
from zerosum.match.match import read_match
from zerosum.match.setup import Person

SUM31 = '[Game "sum31"]\n[Player1 "{0}"]\n[Player2 "{1}"]\n[First "1"]\n[Result "{2}"]\n\n{3}\n'
WON = "1. +5 +6 2. +9 +8 3. +3"
OPEN = "1. +5 +6"


def written(folder: Path, **texts: str) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_records_of_others_are_a_report(tmp_path: Path, zerosum: Zerosum) -> None:
    """Seat 1 wins each finished match: Ann won two, Bob one; the claimed result is not believed."""
    folder = written(
        tmp_path / "theirs",
        a=SUM31.format("Ann", "Bob", "1", WON),
        b=SUM31.format("Ann", "Bob", "2", WON),
        c=SUM31.format("Bob", "Ann", "1", WON),
        d=SUM31.format("Bob", "Ann", "*", OPEN),
    )
    ran = zerosum("arena", "report", str(folder)).ok()
    assert "claims the result '2', but its moves say '1'" in ran.err
    assert "sum31: 4 records, 1 without a result." in ran.out
    assert "sum31: Ann won 2 of 3 matches against Bob." in ran.out
    told = zerosum("arena", "report", str(folder), "--json").ok().json()
    ann, bob = told["entrants"]
    assert (ann["name"], ann["finished"], ann["won"], bob["won"]) == ("Ann", 3, 2, 1)
    # Bradley-Terry by hand: one more match, drawn, so Ann has 2½ of 4 points.
    assert isclose(ann["elo"] - bob["elo"], 400 / log(10) * log(2.5 / 1.5), abs_tol=1e-6)
    measured = zerosum("measure", "record", *(str(path) for path in sorted(folder.iterdir())), "--json").ok().json()
    assert [one["strength"]["kept"] for one in told["entrants"]] == [
        one["kept"] for one in sorted(measured["people"], key=lambda one: str(one["name"]))
    ]
    same = zerosum("arena", "report", *(str(path) for path in sorted(folder.iterdir())), "--json").ok().json()
    assert same == told


def test_what_is_no_report(tmp_path: Path, zerosum: Zerosum) -> None:
    cases = {
        "has no records (.txt files)": written(tmp_path / "empty"),
        "None of the matches has ended": written(tmp_path / "open", a=SUM31.format("Ann", "Bob", "*", OPEN)),
        "both players have the same name": written(tmp_path / "same", a=SUM31.format("Ann", "Ann", "1", WON)),
    }
    for words, folder in cases.items():
        ran = zerosum("arena", "report", str(folder))
        assert (ran.status, words in ran.err) == (1, True), ran
    ran = zerosum("arena", "report", str(cases["None of the matches has ended"]), "--html", str(tmp_path / "x.html"))
    assert (ran.status, "for runs of the arena" in ran.err) == (2, True)


def test_a_run_has_a_table_of_results_with_names(tmp_path: Path, zerosum: Zerosum) -> None:
    """The table, the tags of the records and the moves agree; and the records alone give the run's scores again."""
    run = tmp_path / "run"
    match = ("arena", "match", "level:7", "level:2", "--game", "sum31", "--pairs", "6", "--play", "--output", str(run))
    told = zerosum(*match, "--json").ok().json()
    rows = list(csv.DictReader(io.StringIO((run / "results.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 12
    for row in rows:
        text = (run / row["record"]).read_text(encoding="utf-8")
        played = read_match(text)
        assert played.outcome is not None
        assert row["winner"] == played.setup.name(played.person(played.outcome.winner))
        assert f'[Winner "{row["winner"]}"]' in text
        assert row["first"] == played.setup.name(played.setup.first)
        assert {row["first"], row["second"]} == {played.setup.name(person) for person in Person}
        assert (int(row["plies"]), row["reason"]) == (len(played.moves), played.outcome.reason.value)
    won = Counter(row["winner"] for row in rows)
    scores = {one["name"]: one["score"] for one in told["entrants"]}
    assert scores == {name: won[name] / 12 for name in scores}
    again = zerosum("arena", "report", str(run / "records"), "--json").ok().json()
    assert {one["name"]: one["score"] for one in again["entrants"]} == scores
    kept = {one["name"]: one["kept"] for one in told["entrants"]}
    assert {one["name"]: one["strength"]["kept"] for one in again["entrants"]} == kept


def test_one_name_for_two_kinds_of_players_is_two_players(tmp_path: Path, zerosum: Zerosum) -> None:
    record = SUM31.format("Ann", "Bob", "1", WON)
    other = record.replace("[First", '[Who1 "level:3"]\n[First')
    told = zerosum("arena", "report", str(written(tmp_path / "two", a=record, b=other)), "--json").ok().json()
    assert {one["name"]: one["finished"] for one in told["entrants"]} == {
        "Ann (human)": 1,
        "Ann (level:3)": 1,
        "Bob": 2,
    }
