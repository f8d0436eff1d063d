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
    with Person(zerosum.command, "learn", "zero-sum-duel") as someone:
        someone.sees(ASKS).presses("\x04")
        assert someone.ends() == 0
    with Person(zerosum.command, "learn", "zero-sum-duel") as someone:
        someone.sees(ASKS).types(first["solutions"][0]).sees("Right. ").sees("1 of 3.").sees(ASKS).presses("\x03")
        assert someone.ends() == 130
    cut = zerosum("learn", "zero-sum-duel", stdin="nonsense\n")
    assert cut.status == 1
    assert "You go on where you left." in cut.out
    assert "1 of 3." in cut.out
    anew = zerosum("learn", "zero-sum-duel", "--again", stdin="show\nquit\n").ok()
    assert "0 of 3." in anew.out
    assert "The answer: " in anew.out
    assert "You go on" not in anew.out


def test_a_variant_has_a_course_or_is_told_why_not(zerosum: Zerosum, tmp_path: Path) -> None:
    five = variant(tmp_path, like="zero-sum-duel", pool=[1, 2, 3, 4, 5])
    assert len(steps(zerosum, five)) == 2
    assert "in 2 steps" in zerosum("learn", five, stdin="quit\n").ok().out
    none = variant(tmp_path, like="sum31", swap=True)
    told = zerosum("learn", none).ok().out
    assert told.startswith("There is no course of My Variant. No card is made")
    why_not = told.removeprefix("There is no course of My Variant. ").strip()
    nothing = {"schema": 1, "game": "variant", "steps": [], "why_not": why_not}
    assert zerosum("learn", none, "--json").ok().json() == nothing
    assert zerosum("learn", "no-such-game").status == 2


def test_puzzles_by_idea_and_mistakes_filed_by_it(zerosum: Zerosum, tmp_path: Path) -> None:
    """What was let go in a match is in the stats, by idea; it can be asked by idea, and the idea is named then."""
    zerosum.play("sum31", answers="9 8 7 6 5").ok()
    told = zerosum("stats", "--json").ok().json()["mistakes"]
    assert [(one["game"], one["idea"], one["count"]) for one in told] == [
        ("sum31", "make", 1),
        ("sum31", "smallest", 1),
    ]
    text = zerosum("stats").ok().out
    assert "Wins you let go, by the idea that keeps them:\nSum31                 make" in text
    (mine,) = zerosum("puzzle", "sum31", "--mine", "--idea", "smallest", "--json").ok().json()["puzzles"]
    assert mine["idea"] == "smallest"
    asked = zerosum("puzzle", "sum31", "--mine", "--idea", "smallest", stdin=f"{mine['solutions'][0]}\n").ok().out
    assert "The idea: smallest. " in asked
    every = zerosum("puzzle", "sum31", "--mine", stdin="skip\n").ok().out
    assert every.startswith("Wins that you let go, by idea: make 1.\n")  # The other one is solved.
    assert "The idea" not in every
    none = zerosum("puzzle", "sum31", "--mine", "--idea", "guard").ok().out
    assert none == "There is no puzzle in your matches of Sum31 that the idea guard decides.\n"
    some = zerosum("puzzle", "sequence-zero", "--idea", "squeeze-in-two", "--count", "3", "--json").ok().json()
    assert [one["idea"] for one in some["puzzles"]] == ["squeeze-in-two@5"] * 3
    seven = variant(tmp_path, like="sum31", pool=[1, 2, 3, 4, 5, 6, 7], target=22)
    zerosum.play(seven, answers="7 6 5 4").ok()
    assert "My Variant            not filed" in zerosum("stats").ok().out
    (mine,) = zerosum("puzzle", seven, "--mine", "--idea", "guard", "--json").ok().json()["puzzles"]
    assert mine["idea"] == "guard"


def test_an_idea_that_is_not_there(zerosum: Zerosum, tmp_path: Path) -> None:
    ran = zerosum("puzzle", "sum31", "--idea", "gard")
    assert (ran.status, ran.out) == (2, "")
    assert "Did you mean 'guard'? Its ideas are make, guard, shut-in-two, smallest." in ran.err
    assert zerosum("puzzle", "--daily", "--idea", "guard").status == 2
    none = zerosum("puzzle", variant(tmp_path, like="sum31", swap=True), "--idea", "guard")
    assert none.status == 2
    assert "has no ideas to choose from. No card is made" in none.err
