"""`zerosum levels` and `zerosum play --who-wins`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Zerosum, variant
from tools.ladders import document

SUM21 = Path(__file__).resolve().parents[2] / "docs" / "variants" / "sum21.toml"
HUGE = [*range(1, 41)]


def test_the_json_of_levels() -> None:
    answer = document("sum31")
    assert (answer["schema"], answer["game"], answer["error"]) == (1, "sum31", 0)
    assert "matrix" not in answer
    assert [one["level"] for one in answer["levels"]] == list(range(1, 10))
    for one, below in zip(answer["levels"], ["random", *(f"level:{n}" for n in range(1, 9))], strict=True):
        assert one["who"] == f"level:{one['level']}"
        assert one.keys() == {"level", "who", "sight", "slip", "below", "perfect"}
        for score, who in ((one["below"], below), (one["perfect"], "perfect")):
            assert score["who"] == who
            assert 0 <= score["as_first"] <= 1
            assert 0 <= score["as_second"] <= 1
            assert score["average"] == pytest.approx((score["as_first"] + score["as_second"]) / 2)


def test_the_whole_matrix(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, pool=[*range(1, 8)], target=17)
    answer = zerosum("levels", path, "--full", "--json").ok().json()
    players, rows = answer["matrix"]["players"], answer["matrix"]["first_wins"]
    assert players == ["random", *(f"level:{n}" for n in range(1, 10)), "perfect"]
    assert [len(row) for row in rows] == [11] * 11
    level = answer["levels"][4]
    assert rows[5][4] == level["below"]["as_first"]
    assert 1 - rows[4][5] == pytest.approx(level["below"]["as_second"])


def test_the_table_for_people(zerosum: Zerosum) -> None:
    out = zerosum("levels", str(SUM21), "--full").ok().out
    assert "level:9" in out
    assert "With perfect play the first player wins; of matches at random the first wins 51.2%." in out
    assert "Every chance is exact." in out
    assert "Some levels score the same" not in out
    assert max(map(len, out.splitlines())) <= 84
    assert all(line == line.rstrip() for line in out.splitlines())


def test_a_flat_ladder_is_called_one(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, pool=[1, 2], target=2)
    assert "Some levels score the same" in zerosum("levels", path).ok().out


def test_a_game_too_large_is_refused(zerosum: Zerosum, tmp_path: Path) -> None:
    ran = zerosum("levels", variant(tmp_path, pool=HUGE, target=300, operations=["add", "subtract"]))
    assert ran.status == 1
    assert ran.err.startswith("zerosum: My Variant can have ")


@pytest.mark.parametrize("who", ["level:1", "perfect"])
def test_a_player_that_cannot_learn_a_game_is_refused_before_the_match(
    zerosum: Zerosum, tmp_path: Path, who: str
) -> None:
    path = variant(tmp_path, pool=HUGE, target=300, operations=["add", "subtract"])
    ran = zerosum("play", path, "--vs", who, stdin="1\n")
    assert ran.status == 1
    assert ran.out == ""
    assert ran.err.startswith(f"zerosum: {who} cannot play this game. ")
    assert zerosum.unfinished() == []
    assert zerosum("play", path, "--vs", "random", stdin="quit\n").status == 0


def test_who_wins_between_computers(zerosum: Zerosum) -> None:
    ran = zerosum("play", "sum31", "--p1", "level:2", "--p2", "perfect", "--who-wins", "--first", "2").ok()
    odds = document("sum31")["levels"][1]["perfect"]["as_second"]
    assert "With perfect play Player 1, who moves second, wins." in ran.err
    assert f"The chance to win: Player 2 (perfect) {1 - odds:.1%}, Player 1 (level:2) {odds:.1%}." in ran.err
    assert "The chance to win" not in ran.out
    assert "wins!" in ran.out


def test_who_wins_against_a_person(zerosum: Zerosum) -> None:
    ran = zerosum("play", "sum31", "--vs", "level:3", "--who-wins", "--names", "Ann", "Bob", stdin="quit\n").ok()
    assert "With perfect play Bob, who moves second, wins." in ran.err
    assert "Against level:3, Ann would win " in ran.err


def test_who_wins_between_people(zerosum: Zerosum) -> None:
    ran = zerosum("play", "zero-sum-duel", "--who-wins", stdin="quit\n").ok()
    assert ran.err.startswith("With perfect play Player 1, who moves first, wins.\n")
    assert "%" not in ran.err
    assert "second" not in ran.err
    two = zerosum("play", "zero-sum-duel", "--who-wins", "--best-of", "2", stdin="quit\n").ok()
    assert "That is the first match; in the second the seats are exchanged.\n" in two.err


def test_who_wins_of_a_game_too_large_is_said_to_be_unknown(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, pool=HUGE, target=300, operations=["add", "subtract"])
    ran = zerosum("play", path, "--who-wins", stdin="quit\n").ok()
    assert ran.err.startswith("Who wins is not known. My Variant can have ")
