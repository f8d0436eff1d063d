"""The atlas: rows against a plain recursion, nothing solved twice, the same bytes however it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.families import BASES, plain_row, tables
from zerosum.lab.atlas import KIND, Atlas, chart, facts_of, finish, plan
from zerosum.lab.executors import Local
from zerosum.lab.families import load_family
from zerosum.lab.metrics import screen
from zerosum.lab.store import open_store
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.solver import Verdict, solve

MOST = {"sum": 8, "sum-misere": 8, "duel": 5, "sum-to-zero": 4, "sequence": 5}


def _atlas(family: str, n: str, home: Path, jobs: int = 1) -> Atlas:
    with open_store(home) as store:
        found = chart(plan(load_family(family).with_range("n", n)), store, Local(jobs))
        finish(found, store)
    return found


@pytest.mark.parametrize("family", BASES)
@pytest.mark.slow
def test_rows_are_those_of_a_plain_recursion(family: str, tmp_path: Path) -> None:
    found = _atlas(family, f"1..{MOST[family]}", tmp_path)
    written = tables(family, MOST[family])
    assert list(found.rows) == [{"n": n, "T": t, **plain_row(table)} for (n, t), table in written.items()]
    counts = [sum(row["winner"] == 2 for row in found.rows if row["n"] == n) for n in range(1, MOST[family] + 1)]
    asked = found.family.sequences[0]
    if asked.name == "second-player targets":
        assert (found.sequences[0].offset, list(found.sequences[0].data)) == (1, counts)
    else:
        targets = [sum(row["n"] == n for row in found.rows) for n in range(1, MOST[family] + 1)]
        assert list(found.sequences[0].data) == [all_ - two for all_, two in zip(targets, counts, strict=True)]


@pytest.mark.slow
def test_a_statement_that_fails_beyond_its_range(tmp_path: Path) -> None:
    """The example of docs/notes/atlas.md."""
    words = "Where n is even and T leaves 1 when divided by n + 1, the first player wins."
    assert words in [one["words"] for one in _atlas("sum", "1..9", tmp_path).holds]
    assert words not in [one["words"] for one in _atlas("sum", "1..10", tmp_path).holds]
    assert plain_row({"pool": list(range(1, 11)), "target": 12, "overshoot": "loses"})["winner"] == 2


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_facts_of_a_game(game: str) -> None:
    rules = load_game(game)
    solution = solve(rules)
    options = [one.value.verdict for one in solution.options(solution.start)]
    best = solution.value(solution.start)
    assert facts_of(rules) == {
        "winner": 1 if best.verdict is Verdict.WIN else 2,
        "plies": best.plies,
        "winning": options.count(Verdict.WIN),
        "openings": len(options),
    }


def _charted(folder: Path, keys: str) -> Atlas:
    """Write a family file, and chart it."""
    path = folder / "mine.toml"
    path.write_text(f'format = 1\nname = "Mine"\n{keys}', encoding="utf-8")
    with open_store(folder) as store:
        return chart(plan(load_family(str(path))), store, Local(1))


def test_openings_leave_swapping_aside(tmp_path: Path) -> None:
    found = _charted(
        tmp_path,
        """
        like = "sum31"
        [parameters]
        T = "3..12"
        [set]
        pool = "1..4"
        target = "T"
        swap = true
        [columns]
        sequences = [
            { name = "both", value = "plies*10+winning", by = "T" },
            { name = "none", value = "T", where = "T > 99", by = "T" },
        ]
        """,
    )
    for row in found.rows:
        plain = plain_row({"pool": [1, 2, 3, 4], "target": row["T"], "overshoot": "loses"})
        assert (row["winning"], row["openings"]) == (plain["winning"], plain["openings"])
    assert {row["winner"] for row in found.rows if row["T"] > 4} == {2}
    both, none = found.sequences
    assert both.offset == 3
    assert list(both.data) == [10 * row["plies"] + row["winning"] for row in found.rows]
    assert none.data == ()


def test_a_second_run_solves_nothing_and_twins_once(tmp_path: Path) -> None:
    first = _atlas("duel", "1..4", tmp_path)
    second = _atlas("duel", "2..4", tmp_path)
    assert (first.solved, first.from_store) == (len(first.rows), 0)
    assert (second.solved, second.from_store) == (0, len(second.rows))
    assert list(second.rows) == [row for row in first.rows if row["n"] > 1]
    third = _atlas("duel", "1..5", tmp_path)
    assert (third.solved, third.from_store) == (16, len(first.rows))


def test_a_run_that_was_cut_short_counts_what_it_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops after its first rows, which are kept; the same run solves the others, and says that it solved all."""
    monkeypatch.setattr("zerosum.lab.atlas._KEPT", 0.0)
    asked = plan(load_family("duel").with_range("n", "1..4"))

    def stop(_: str) -> None:
        raise KeyboardInterrupt

    with open_store(tmp_path) as store:
        with pytest.raises(KeyboardInterrupt):
            chart(asked, store, Local(1), stop)
        kept = len(store.facts(KIND, asked.fingerprints))
        assert 0 < kept < len(asked.games)
        whole = chart(asked, store, Local(1))
        assert (whole.solved, whole.from_store) == (len(asked.games), 0)
        finish(whole, store)
        again = chart(asked, store, Local(1))
        assert (again.solved, again.from_store, again.rows) == (0, len(asked.games), whole.rows)


def test_what_other_commands_found_is_not_solved_again(tmp_path: Path) -> None:
    asked = plan(load_family("duel").with_range("n", "3"))
    with open_store(tmp_path / "screened") as store:
        facts = {name: screen(one.rules, ()) for name, one in zip(asked.fingerprints, asked.games, strict=True)}
        store.keep("metrics", facts)
        found = chart(asked, store, Local(1))
    assert (found.solved, found.from_store) == (0, len(asked.games))
    assert found.rows == _atlas("duel", "3", tmp_path).rows


def test_equal_games_are_solved_once(tmp_path: Path) -> None:
    keys = 'like = "zero-sum-duel"\n[parameters]\nT = "-5..5"\n[set]\npool = "1..4"\ntarget = "T"\n[columns]\n'
    found = _charted(tmp_path, keys)
    assert (len(found.rows), found.solved) == (11, 6)
    for row, mirrored in zip(found.rows, reversed(found.rows), strict=True):
        assert {**row, "T": 0} == {**mirrored, "T": 0}


def test_what_is_too_large_is_skipped_and_named(tmp_path: Path) -> None:
    keys = """
    like = "sequence-zero"
    [parameters]
    n = "4..5"
    [set]
    pool = "1..4+(n-4)*40"
    [columns]
    sequences = [{ name = "plies", value = "plies", by = "n" }]
    """
    found = _charted(tmp_path, keys)
    assert [row["n"] for row in found.rows] == [4]
    assert [one["n"] for one in found.skipped] == [5]
    assert "needs" in found.skipped[0]["why"]
    assert (found.solved, found.sequences[0].data) == (1, (found.rows[0]["plies"],))
