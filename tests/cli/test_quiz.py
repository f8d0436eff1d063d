"""Puzzles at a real terminal: hint, help, another try, the score, and every way to leave."""

from __future__ import annotations

from typing import Any

from tests.cli.command import Zerosum
from tests.cli.pty_play import Person

ASKS = "Your move: "
ARGS = ("puzzle", "sum31", "--seed", "3", "--count", "2")


def puzzles(zerosum: Zerosum) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = zerosum(*ARGS, "--json").ok().json()["puzzles"]
    return found


def wrong(zerosum: Zerosum, puzzle: dict[str, Any]) -> str:
    told = zerosum("analyze", "sum31", "--position", puzzle["position"], "--json").ok().json()
    return next(str(one["move"]) for one in told["options"] if one["verdict"] == "loss")


def test_a_whole_quiz(zerosum: Zerosum) -> None:
    """Nonsense, help, a wrong answer, a hint, a second try, and the score at the end."""
    one, two = puzzles(zerosum)
    miss = wrong(zerosum, one)
    with Person(zerosum.command, *ARGS) as someone:
        someone.sees("Puzzle 1 of 2").sees(ASKS).types("\x1b[A?!").sees(ASKS).types("").sees("Type a move.")
        someone.sees(ASKS).types("help").sees("hint   a hint").sees(ASKS)
        someone.types(miss).sees("No.").sees(f"{miss} loses").sees("2 tries left.").sees(ASKS)
        someone.types("hint").sees("Hint: ").sees(ASKS)
        someone.types(one["solutions"][0]).sees("Right.").sees("Puzzle 2 of 2").sees(ASKS)
        someone.types("7" * 5000).sees(ASKS).types(two["solutions"][0]).sees("Right.")
        assert someone.ends() == 0
    assert "Score: 4 of 6. Solved: 2 of 2; at the first try without a hint: 1.\n" in someone.text
    assert zerosum("stats", "--json").ok().json()["hints"] == {"matches": 0, "puzzles": 1}


def test_leaving_keeps_the_answers_and_says_the_score(zerosum: Zerosum) -> None:
    (one, _), solved = puzzles(zerosum), 0
    for keys, status in (("\x04", 0), ("\x03", 130), ("quit\r", 0), ("q\r", 0)):
        with Person(zerosum.command, *ARGS, NO_COLOR="1") as someone:
            someone.sees(ASKS).types("skip" if solved else one["solutions"][0]).sees("Puzzle 2 of 2").sees(ASKS)
            someone.presses(keys)
            assert someone.ends() == status
        solved = 1
        assert "Score: " in someone.text.split("Puzzle 2 of 2")[1]
        assert zerosum("stats", "--json").ok().json()["puzzles"] == {"tried": 1, "solved": 1}
    with Person(zerosum.command, *ARGS, NO_COLOR="1") as someone:
        someone.sees(ASKS).presses("\x03")
        assert someone.ends() == 130
    assert "Score: " not in someone.text


DAILY = ("puzzle", "--daily", "2026-11-15")


def test_the_puzzle_of_the_day_goes_on_where_it_was_left(zerosum: Zerosum) -> None:
    """Left after a wrong answer and a hint, it earns what is left; solved, it earns no more; the rules stand there."""
    (one,) = zerosum(*DAILY, "--json").ok().json()["puzzles"]
    told = zerosum("analyze", one["game"], "--position", one["position"], "--json").ok().json()
    miss = next(option["move"] for option in told["options"] if option["verdict"] == "loss")
    first = zerosum(*DAILY, stdin=f"{miss}\nhint\nquit\n").ok().out
    assert "Take turns to take a number" in first
    again = zerosum(*DAILY, stdin=f"{one['solutions'][0]}\n").ok().out
    assert "You have begun it: 2 tries left, for at most 1 of 3 points." in again
    assert "Score: 1 of 3." in again
    solved = zerosum(*DAILY, stdin="").ok().out
    assert "You have solved it, for 1 of 3 points." in solved
    assert "Score: 1 of 3." in solved


def test_a_daily_whose_answer_was_seen_earns_nothing(zerosum: Zerosum) -> None:
    (one,) = zerosum(*DAILY, "--json").ok().json()["puzzles"]
    zerosum(*DAILY, stdin="show\n").ok()
    again = zerosum(*DAILY, stdin=f"{one['solutions'][0]}\n").ok().out
    assert "You have seen the answer, so it scores nothing." in again
    assert "Score: 0 of 3." in again
    assert zerosum("stats", "--json").ok().json()["puzzles"] == {"tried": 0, "solved": 0}
