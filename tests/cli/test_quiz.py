"""Puzzles and the daily at a real terminal: hint, help, another try, the score, and every way to leave."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from tests.cli.command import Zerosum
from tests.cli.pty_play import Person
from zerosum.cli.user_data import DailyLog, DailyStanding
from zerosum.coach.daily import daily_game, daily_position
from zerosum.rules.game_files import load_game
from zerosum.solver import solution_of

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


DAY = date(2026, 11, 17)
DAILY = ("puzzle", "--daily", str(DAY))


def typed_to_the_end(*, best: bool) -> str:
    """Return the lines that bring the daily to an end, each the best move or the worst."""
    solution = solution_of(load_game(daily_game(DAY)))
    position = daily_position(DAY, solution)
    mover, lines = position.seat, list[str]()
    while position.outcome is None:
        ours = position.seat is mover
        move = solution.options(position)[-1 if ours and not best else 0].move
        lines += [position.text_of(move)] if ours else []
        position = position.play(move)
    return "\n".join(lines) + "\n"


def test_the_daily_goes_on_where_it_was_left(zerosum: Zerosum, tmp_path: Path) -> None:
    """A move stays made: left in the middle of a try, opened again, lost, won, and shown again with its reasons."""
    bad, good = typed_to_the_end(best=False), typed_to_the_end(best=True)
    first, rest = good.split("\n", 1)
    left = zerosum(*DAILY, stdin=f"nonsense\nhelp\nrules\nmoves\n{first}\nquit\n").ok().out
    assert "Take turns to take a number" in left
    assert "They answer " in left
    again = zerosum(*DAILY, stdin=f"{rest}")
    assert (again.status, "Try 1 of 3." in again.out) == (0, False), "it goes on in the middle of the first try"
    assert "zerosum daily 2026-11-17: won at try 1 of 3\n\N{LARGE BLUE SQUARE}\N{LARGE ORANGE CIRCLE}" in again.out
    assert "Why it is won: " in again.out
    assert "Days in a row" not in again.out, "a day of the past adds nothing"
    assert "won at try 1 of 3" in zerosum(*DAILY, stdin="").ok().out
    lost = zerosum(*DAILY, stdin=bad * 3, env={"ZEROSUM_HOME": str(tmp_path / "other")}).ok().out
    assert lost.count("let the win go") == 3
    assert "zerosum daily 2026-11-17: not won in 3 tries" in lost
    assert "Try 3, move " in lost


def test_two_terminals_make_one_move(zerosum: Zerosum) -> None:
    first, second = typed_to_the_end(best=True).split()[:2]
    with Person(zerosum.command, *DAILY) as someone:
        someone.sees(ASKS)
        zerosum(*DAILY, stdin=f"{first}\nquit\n").ok()
        someone.types(first).sees("It has gone on elsewhere").sees(ASKS).types(second).sees("They answer")
        someone.sees(ASKS).presses("\x03")
        assert someone.ends() == 130


def test_the_reasons_of_a_past_daily_are_shown_and_it_adds_nothing(zerosum: Zerosum) -> None:
    shown = zerosum(*DAILY, stdin="show\n").ok().out
    assert "Why it is won: " in shown
    ended = zerosum(*DAILY, stdin="")
    assert (ended.status, "Your move: " in ended.out) == (1, True)
    assert zerosum("stats", "--json").ok().json()["puzzles"] == {"tried": 0, "solved": 0}


def test_days_in_a_row_at_the_terminal(tmp_path: Path) -> None:
    log = DailyLog(str(tmp_path))
    rows = [("2026-11-15", "2026-11-15"), ("2026-11-16", "2026-11-16"), ("2026-11-18", "2026-11-17")]
    lines = [f"{when} 12:00:00\t{on}\t1\t+{n}\t{how}" for when, on in rows for n, how in ((1, "on"), (2, "won"))]
    (tmp_path / "daily.txt").write_text("\n".join([*lines, "2026-11-14 12:00:00\t2026-11-14\t1\t+1\tlost", "x\ty", ""]))
    assert log.won_days() == [date(2026, 11, 15), date(2026, 11, 16)]
    assert log.standing(date(2026, 11, 17)) == DailyStanding([["+1", "+2"]], won=True)
    log.add(date(2026, 11, 18), 1, "+3", won=None)
    assert log.standing(date(2026, 11, 18)) == DailyStanding([["+3"]], won=False)
