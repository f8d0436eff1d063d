"""A course at a real terminal: wrong answers, back a step, leaving and going on, the match at the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.terminal.command import Zerosum, variant
from tests.terminal.pty_play import Person

ASKS = "Your move: "


def steps(zerosum: Zerosum, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = zerosum("learn", game, "--json").ok().json()["steps"]
    return found


def wrong(exercise: dict[str, Any]) -> str:
    numbers = exercise["position"].split()[0].split(",")
    return next(f"+{number}" for number in numbers if f"+{number}" not in exercise["solutions"])


def test_a_whole_course_with_wrong_answers_and_a_break(zerosum: Zerosum) -> None:
    """Nonsense, help, two wrong in a row, back a step, quit, go on, the last step, the match."""
    course = steps(zerosum, "sum31")
    make, guard = course[0]["exercises"], course[1]["exercises"]
    assert [one["idea"] for one in course] == ["make", "guard", "shut-in-two", "smallest"]
    with Person(zerosum.command, "learn", "sum31") as someone:
        someone.sees("Step 1 of 4: make").sees("Make 31 if you can.").sees(ASKS)
        someone.types("\x1b[A?!").sees(ASKS).types("").sees("Type a move.").sees(ASKS)
        someone.types("help").sees("idea   the idea of this step").sees(ASKS).types("hint").sees("Make 31").sees(ASKS)
        for n in range(3):
            someone.types(make[n]["solutions"][0]).sees("Right. ")
        someone.sees("Step 2 of 4: guard").sees(ASKS)
        for n in range(2):
            someone.types(wrong(guard[n])).sees("No. ").sees("Never pass 31").sees("Try again.").sees(ASKS)
            someone.types(guard[n]["solutions"][0]).sees("Right. ")
        someone.sees("Back to step 1 of 4: make").sees(ASKS).types(make[3]["solutions"][0]).sees("1 of 3.").sees(ASKS)
        someone.types("quit").sees("To go on: zerosum learn sum31")
        assert someone.ends() == 0
    with Person(zerosum.command, "learn", "sum31", columns=40) as someone:
        someone.sees("You go on where you left.").sees("Step 1 of 4").sees("1 of 3.").sees(ASKS)
        for n in (4, 5):
            someone.types(make[n]["solutions"][0]).sees("Right. ")
        someone.sees("Step 2 of 4")
        for one in (*guard[2:5], *course[2]["exercises"][:3], *course[3]["exercises"][:3]):
            someone.sees(ASKS).types(one["solutions"][0]).sees("Right. ")
        someone.sees("You have learnt every step.").sees("--first 2").sees("Play it now? ")
        someone.types("").sees("Sum").types("resign")
        someone.sees("Again? ").types("n")
        assert someone.ends() == 0
    again = zerosum("learn", "sum31").ok()
    assert "You have learnt every step." in again.out
    assert ASKS not in again.out


def test_leaving_and_beginning_anew(zerosum: Zerosum) -> None:
    first = steps(zerosum, "zero-sum-duel")[0]["exercises"][0]
    for keys, status in (("\x04", 0), ("\x03", 130)):
        with Person(zerosum.command, "learn", "zero-sum-duel") as someone:
            someone.sees(ASKS).presses(keys)
            assert someone.ends() == status
    cut = zerosum("learn", "zero-sum-duel", stdin=f"{first['solutions'][0]}\n")
    assert (cut.status, "1 of 3." in cut.out) == (1, True)
    assert "You go on where you left." in zerosum("learn", "zero-sum-duel", stdin="quit\n").ok().out
    anew = zerosum("learn", "zero-sum-duel", "--again", stdin="show\nquit\n").ok()
    assert "0 of 3." in anew.out
    assert "The answer: " in anew.out
    assert "You go on" not in anew.out


def test_a_variant_has_a_course_or_is_told_why_not(zerosum: Zerosum, tmp_path: Path) -> None:
    five = variant(tmp_path, like="zero-sum-duel", pool=[1, 2, 3, 4, 5])
    assert len(steps(zerosum, five)) == 2
    assert "in 2 steps" in zerosum("learn", five, stdin="quit\n").ok().out
    none = variant(tmp_path, like="sum31", swap=True)
    assert zerosum("learn", none, "--json").ok().json() == {"schema": 1, "game": "variant", "steps": []}
    told = zerosum("learn", none).ok().out
    assert told.startswith("There is no course of My Variant. No card is made")
    assert zerosum("learn", "no-such-game").status == 2
