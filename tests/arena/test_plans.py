"""Plans: what they say is read and kept, and what makes no sense is refused with the key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.arena.runs import settled
from tests.each import each
from zerosum.arena.arena_run import create_run, open_run, start_run
from zerosum.arena.plan import (
    PlanError,
    from_normal_form,
    plan_from_table,
    question_words,
    read_plan,
    shown_by,
    slot,
    total_pairs,
    with_books,
)
from zerosum.base.errors import ZerosumError
from zerosum.base.runs import RunError
from zerosum.base.text import printable

ROOT = Path(__file__).resolve().parents[2]
GOOD: dict[str, Any] = {"format": 1, "games": ["sum31"], "entrants": ["level:5", "level:6"], "pairs": 4}


def test_a_normal_form_is_the_plan() -> None:
    table = GOOD | {"sprt": [0, 20.5], "seconds": 0.5, "illegal": "random", "seed": "é", "book": "hard", "positions": 3}
    plan = with_books(plan_from_table(table))
    assert from_normal_form(plan.normal_form) == plan
    assert from_normal_form(plan.normal_form).key == plan.key
    assert plan_from_table(GOOD).key != plan_from_table(GOOD | {"seed": "2"}).key


def test_the_plan_of_the_documentation() -> None:
    plan = read_plan(str(ROOT / "docs/plans/levels.toml"))
    assert len(plan.pairings) == 6
    assert total_pairs(plan) == 300


def test_everybody_plays_as_many_pairs_and_both_schedules_hold(tmp_path: Path) -> None:
    table = GOOD | {"entrants": ["level:1", "level:2", "level:3"], "games": ["sum31", "zero-sum-duel"], "positions": 2}
    for schedule, pairings in (("all", {(0, 1), (0, 2), (1, 2)}), ("first", {(0, 1), (0, 2)})):
        plan = with_books(plan_from_table(table | {"schedule": schedule}))
        slots = [slot(plan, number) for number in range(1, total_pairs(plan) + 1)]
        for game in (0, 1):
            for two in pairings:
                places = [one.position for one in slots if (one.game, one.a, one.b) == (game, *two)]
                assert places == [*plan.books[game]] * 2
        assert total_pairs(plan) == len(pairings) * 2 * 4
    del tmp_path


@each(
    ("change", "words"),
    [
        ({"format": 2}, "format: write format = 1"),
        ({"format": True}, "format: write format = 1"),
        ({"pairz": 3}, "there is no key 'pairz'. Did you mean 'pairs'?"),
        ({"pairs": 0}, "pairs: must be a whole number from 1"),
        ({"pairs": 2.5}, "pairs: must be"),
        ({"pairs": True}, "pairs: must be"),
        ({"games": []}, "games: must be a list"),
        ({"games": ["sum31", "sum31"]}, "games: two have the same id"),
        ({"entrants": ["level:5"]}, "entrants: two or more"),
        ({"entrants": ["level:5", "level:5"]}, "entrants: level:5 is listed twice"),
        ({"entrants": ["level:5", "level:10"]}, "entrants: There is no entrant 'level:10'."),
        ({"entrants": ["level:5", "bot:"]}, "entrants: There is no entrant 'bot:'."),
        ({"entrants": ["level:5", {"name": "x"}]}, "entrants: an entrant is a text"),
        ({"entrants": ["level:5", {"who": "random", "name": "a\x1b"}]}, "entrants: The name"),
        ({"entrants": ["level:5", 7]}, "entrants: an entrant is a text"),
        ({"book": "evens"}, "book: must be one of start"),
        ({"book": "between", "entrants": ["level:5", "bot:x"]}, "book: 'between' needs"),
        ({"seconds": 0}, "seconds: must be"),
        ({"seconds": float("nan")}, "seconds: must be"),
        ({"illegal": "never"}, "illegal: must be one of rules, forfeit, random"),
        ({"schedule": "swiss"}, "schedule: must be one of all, first"),
        ({"sprt": [20, 0]}, "sprt: must be two numbers"),
        ({"sprt": [0]}, "sprt: must be two numbers"),
        ({"sprt": [0, 5], "entrants": ["level:5", "level:6", "level:7"]}, "sprt: a sequential test is between two"),
        ({"seed": "\x07"}, "seed: The seed"),
        ({"pairs": 100_000, "entrants": [f"level:{n}" for n in range(1, 8)]}, "pairs: 2,100,000 in all"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_key(change: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError) as error:
        plan_from_table(GOOD | change)
    assert words in str(error.value)
    assert str(error.value) == printable(str(error.value))


@pytest.mark.parametrize("key", ["games", "entrants", "pairs"])
def test_what_is_needed_is_missed(key: str) -> None:
    with pytest.raises(PlanError, match=f"{key}: is missing"):
        plan_from_table({name: value for name, value in GOOD.items() if name != key})


def test_hostile_files_are_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    for text in (
        "a" * 100_000,
        "[" * 5_000,
        "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t = 1",
        "pairs = " + "9" * 6_000,
        "é = 1",
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ZerosumError) as error:
            read_plan(str(path))
        assert "\n" not in str(error.value)


def test_a_folder_is_of_one_plan(tmp_path: Path) -> None:
    run = settled(tmp_path / "run", "level:4", "level:6")
    assert run.folder.has_run()
    assert start_run(run.plan, run.folder.path, resume=True) == run
    with pytest.raises(RunError, match="add --resume"):
        start_run(run.plan, run.folder.path)
    other = plan_from_table(GOOD)
    with pytest.raises(RunError, match="another plan"):
        start_run(other, run.folder.path, resume=True)
    text = (tmp_path / "run" / "plan.json").read_text(encoding="utf-8")
    (tmp_path / "run" / "plan.json").write_text(text.replace('"pairs": 20', '"pairs": 21'), encoding="utf-8")
    with pytest.raises(RunError, match="has been changed"):
        open_run(run.folder.path)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "mine.txt"):
        with pytest.raises(RunError):
            start_run(plan_from_table(GOOD), str(path))
    with pytest.raises(RunError, match="not a run"):
        open_run(str(tmp_path))


def test_what_is_settled_halfway_is_settled_again(tmp_path: Path) -> None:
    run = settled(tmp_path / "run", "level:4", "level:6")
    (tmp_path / "run" / "plan.json").unlink()
    assert not run.folder.has_run()
    assert create_run(run.plan, run.folder.path) == run


def test_how_many_pairs_a_question_needs() -> None:
    plan = with_books(plan_from_table(GOOD | {"sprt": [0, 50]}))
    assert "takes about 130 pairs" in question_words(plan, [])
    # 6.18 times the variance 1/8, by the square of what the score is above one half
    assert shown_by(152) == 50
    assert shown_by(1) > shown_by(100) > shown_by(10_000)
