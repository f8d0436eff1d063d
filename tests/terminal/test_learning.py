"""Puzzles and history through the real command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.command import GAMES, Zerosum


@pytest.mark.parametrize("game", GAMES)
def test_puzzles_as_json(zerosum: Zerosum, game: str) -> None:
    """One document, with the keys that scripts rely on; every solution is a winning move."""
    answer = zerosum("puzzle", game, "--count", "3", "--seed", "1", "--json").ok().json()
    assert answer["schema"] == 1
    assert len(answer["puzzles"]) == 3
    for puzzle in answer["puzzles"]:
        assert {"game", "position", "solutions", "plies", "difficulty"} <= puzzle.keys()
        assert puzzle["game"] == game
        told = zerosum("analyze", game, "--position", puzzle["position"], "--json").ok().json()
        assert puzzle["plies"] == told["plies"]
        assert sorted(puzzle["solutions"]) == sorted(one["move"] for one in told["options"] if one["verdict"] == "win")


def test_a_seed_makes_puzzles_repeatable(zerosum: Zerosum) -> None:
    one, two, other = (zerosum("puzzle", "sum31", "--seed", seed, "--count", "4", "--json").out for seed in "112")
    assert one == two != other


def test_a_puzzle_asked_and_answered(zerosum: Zerosum) -> None:
    """Nonsense is asked again, the answer explains itself, and a solved puzzle does not come again."""
    (puzzle,) = zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"]
    right = puzzle["solutions"][0]
    ran = zerosum("puzzle", "sum31", "--seed", "3", stdin=f"nonsense\n\n+99\nmoves\n{right}\n").ok()
    assert "Type a move. You may also type moves, skip or quit." in ran.out
    assert "'nonsense' is not a whole number." in ran.out
    assert "+99 is not allowed: that number is not available." in ran.out
    assert f"Right. {right} wins" in ran.out
    assert ran.out.endswith("Sum31: 1 solved so far; answers given: 1.\n")
    again = zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"]
    assert puzzle["position"] not in [one["position"] for one in again]


def test_a_wrong_answer_is_refuted_and_comes_again(zerosum: Zerosum) -> None:
    (puzzle,) = zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"]
    told = zerosum("analyze", "sum31", "--position", puzzle["position"], "--json").json()
    wrong = next(one["move"] for one in told["options"] if one["verdict"] == "loss")
    ran = zerosum("puzzle", "sum31", "--seed", "3", stdin=f"{wrong}\n").ok()
    assert "No. " in ran.out
    assert f"No. {wrong} wins" not in ran.out
    assert "would have won" in ran.out
    assert zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"] == [puzzle]


@pytest.mark.parametrize(("answers", "status"), [("quit\n", 0), ("skip\nskip\n", 0), ("skip\n", 1), ("", 1)])
def test_leaving_puzzles(zerosum: Zerosum, answers: str, status: int) -> None:
    ran = zerosum("puzzle", "sum31", "--seed", "3", "--count", "2", stdin=answers)
    assert ran.status == status
    assert "Traceback" not in ran.err


def test_mistakes_come_back(zerosum: Zerosum) -> None:
    """A win that was missed in a kept match is a puzzle; without matches there is none."""
    assert zerosum("puzzle", "sum31", "--mine").ok().out == "There is no puzzle in your matches of Sum31.\n"
    zerosum.play("sum31", answers="5 6 1 2 resign")
    positions = [
        one["position"] for one in zerosum("puzzle", "sum31", "--mine", "--json", "--count", "9").json()["puzzles"]
    ]
    assert "1,2,3,4,7,8,9 11 1" in positions


def test_stats(zerosum: Zerosum) -> None:
    assert zerosum("stats").ok().out == "Matches: 0, 0 of them unfinished.\n"
    zerosum.play("sum31", answers="5 6 9 8 3")
    zerosum.play("sum31", answers="5 6")
    zerosum("play", "sum31", "--vs", "level:2", "--seed", "1", stdin="5\nresign\n").ok()
    told = zerosum("stats", "--json").ok().json()
    assert told["schema"] == 1
    assert (told["matches"], told["unfinished"]) == (3, 1)
    rows = {(one["game"], one["opponent"]): one for one in told["games"]}
    assert (rows["sum31", "human"]["matches"], rows["sum31", "human"]["won"]) == (2, 1)
    assert (rows["sum31", "level:2"]["won"], rows["sum31", "level:2"]["lost"]) == (0, 1)
    assert all(0 <= one["accuracy"] <= 1 for one in told["history"] if one["accuracy"] is not None)
    text = zerosum("stats").ok().out
    assert "Accuracy over time, the latest last:\n" in text
    assert max(map(len, text.splitlines())) <= 80


def test_progress_that_was_spoiled_is_passed_over(zerosum: Zerosum, tmp_path: Path) -> None:
    """Lines that are not ours do no harm, and a file that cannot be read is one clear error."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "puzzles.txt").write_bytes(b"\xff\xfe\nnot\tours\n")
    env = {"ZEROSUM_HOME": str(home)}
    assert zerosum("stats", "--json", env=env).ok().json()["puzzles"] == {"tried": 0, "solved": 0}
    (home / "puzzles.txt").unlink()
    (home / "puzzles.txt").mkdir()
    ran = zerosum("puzzle", "sum31", "--json", env=env)
    assert ran.status == 1
    assert "cannot be read" in ran.last_notice
