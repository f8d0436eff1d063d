"""Puzzles and history through the real command."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import GAMES, Zerosum


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
    assert "Type a move. You may also type hint, moves, rules, show, skip, quit or help." in ran.out
    assert "'nonsense' is not a whole number." in ran.out
    assert "+99 is not allowed: that number is not available." in ran.out
    assert f"Right. {right} " in ran.out
    assert ran.out.endswith("Sum31: 1 solved so far; answers given: 1.\n")
    again = zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"]
    assert puzzle["position"] not in [one["position"] for one in again]


def wrong_answers(zerosum: Zerosum, puzzle: dict[str, Any]) -> list[str]:
    told = zerosum("analyze", puzzle["game"], "--position", puzzle["position"], "--json").ok().json()
    return [one["move"] for one in told["options"] if one["verdict"] == "loss"]


def test_a_wrong_answer_is_refuted_and_asked_again(zerosum: Zerosum) -> None:
    """First what it leads to, then all hints, then the answer; a missed puzzle comes again."""
    (puzzle,) = zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"]
    one, two, three = wrong_answers(zerosum, puzzle)[:3]
    ran = zerosum("puzzle", "sum31", "--seed", "3", stdin=f"{one}\n{one}\n{two}\n{three}\n").ok()
    first, second, third = ran.out.split("No. ")[1:]
    assert first.startswith(f"{one} loses")
    assert "Try again: 2 tries left.\n" in first
    assert f"You have tried {one}.\n" in first
    assert "Hint: " not in first
    assert second.count("Hint: ") == 2
    assert "Try again: 1 try left.\n" in second
    assert "would have won" not in ran.out
    assert f"The answer: {puzzle['solutions'][0]} wins" in third
    assert "Score: 0 of 3. Solved: 0 of 1; at the first try without a hint: 0.\n" in third
    assert zerosum("puzzle", "sum31", "--seed", "3", "--json").json()["puzzles"] == [puzzle]


def test_a_target_that_loses_is_no_goal(zerosum: Zerosum) -> None:
    assert "\nAvoid: 26\n" in zerosum("puzzle", "thin-ice", stdin="").out
    assert "\nTarget: 22\n" in zerosum("puzzle", "summit", stdin="").out


def test_a_second_try_and_hints_are_scored_and_counted(zerosum: Zerosum) -> None:
    puzzles = zerosum("puzzle", "sum31", "--seed", "3", "--count", "3", "--json").json()["puzzles"]
    clean, later, hinted = puzzles
    answers = [clean["solutions"][0], wrong_answers(zerosum, later)[0], later["solutions"][0]]
    answers += ["hint", "hint", "hint", hinted["solutions"][0]]
    ran = zerosum("puzzle", "sum31", "--seed", "3", "--count", "3", stdin="\n".join(answers) + "\n").ok()
    assert ran.out.count("Hint: ") == 2
    assert "There is no other hint. Type show to see the answer.\n" in ran.out
    assert "Score: 6 of 9. Solved: 3 of 3; at the first try without a hint: 1.\n" in ran.out
    zerosum.play("sum31", answers="hint 5 quit")
    told = zerosum("stats", "--json").ok().json()
    assert told["puzzles"] == {"tried": 4, "solved": 3}
    assert told["hints"] == {"matches": 1, "puzzles": 2}
    assert zerosum("stats").ok().out.endswith("Hints used: 1 in matches, 2 in puzzles.\n")


def test_words_and_nonsense_at_a_puzzle(zerosum: Zerosum) -> None:
    ran = zerosum("puzzle", "sum31", "--seed", "3", stdin="HELP\n?\nh\nhnt\n+99\n\x1b[2J\nnext\n").ok()
    assert ran.out.count("These words are commands:\n") == 3
    assert "'hnt' is not a whole number. Did you mean 'hint'?\n" in ran.out
    assert "\x1b" not in ran.out
    assert "Score: 0 of 3." in ran.out
    shown = zerosum("puzzle", "sum31", "--seed", "3", stdin="show\n").ok()
    assert "The answer: " in shown.out
    assert zerosum("stats", "--json").json()["puzzles"] == {"tried": 0, "solved": 0}


def test_hints_are_given_where_they_cannot_be_counted(zerosum: Zerosum, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "hints.txt").mkdir()
    env = {"ZEROSUM_HOME": str(tmp_path / "home")}
    assert "Hint: " in zerosum("puzzle", "sum31", stdin="hint\nquit\n", env=env).ok().out
    ran = zerosum("stats", env=env)
    assert (ran.status, ran.out) == (1, "")
    assert "hints.txt: cannot be read" in ran.err


def test_the_daily_is_a_function_of_the_date(zerosum: Zerosum) -> None:
    told = zerosum("puzzle", "--daily", "2026-11-15", "--json").ok().json()
    assert told["date"] == "2026-11-15"
    (puzzle,) = told["puzzles"]
    assert (puzzle["game"], puzzle["position"]) == ("to-the-brim", "1,2,4,5,8,9,10,11 9/7 2")
    before = f"{datetime.now(UTC):%Y-%m-%d}"
    today = zerosum("puzzle", "--daily", "--json").ok().json()["date"]
    assert today in (before, f"{datetime.now(UTC):%Y-%m-%d}")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "Missing argument 'GAME'."),
        (("--daily", "2026-13-01"), "'2026-13-01' is not a date such as 2026-11-15."),
        (("--daily", "sum31"), "'sum31' is not a date"),
        (("--daily", "9999-12-31"), "The daily of 9999-12-31 opens at midnight UTC on that date."),
        (("sum31", "--daily"), "--daily goes with no GAME"),
        (("--daily", "2026-11-15", "--count", "2"), "--daily goes with no GAME, --count"),
    ],
)
def test_what_is_no_puzzle_of_the_day(zerosum: Zerosum, args: tuple[str, ...], words: str) -> None:
    ran = zerosum("puzzle", *args)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


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
    zerosum("play", "sum31", "--vs", "level:2", "--seed", "1", stdin="5\n1\n2\n3\n4\nresign\n").ok()
    told = zerosum("stats", "--json").ok().json()
    assert told["schema"] == 1
    assert (told["matches"], told["unfinished"]) == (3, 1)
    rows = {(one["game"], one["opponent"]): one for one in told["games"]}
    assert (rows["sum31", "human"]["matches"], rows["sum31", "human"]["won"]) == (1, 1)  # both sides of it are here
    assert (rows["sum31", "level:2"]["won"], rows["sum31", "level:2"]["lost"]) == (0, 1)
    assert all(0 <= one["accuracy"] <= 1 for one in told["history"] if one["accuracy"] is not None)
    text = zerosum("stats").ok().out
    assert "Two people at this keyboard, each match counted once:\n" in text
    assert "Your accuracy against computers, the latest last:\n" in text
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
