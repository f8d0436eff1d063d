"""A course at a real terminal: wrong answers, back a step, leaving and going on, the match at the end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.cli.command import Zerosum, variant
from tests.cli.pty_play import Person
from zerosum.coach.learner import follow, next_exercise
from zerosum.coach.lessons import bundled_course
from zerosum.rules.game_files import built_in

ASKS = "Your move: "


def steps(zerosum: Zerosum, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = zerosum("learn", game, "--json").ok().json()["steps"]
    return found


def test_a_whole_course_with_wrong_answers_and_a_break(zerosum: Zerosum) -> None:
    """Nonsense, help, two wrong in a row, back a step, quit, go on, new numbers, the law, the match."""
    make, guard, law = steps(zerosum, "zero-sum-duel")
    assert (law["idea"], law["exercises"]) == ("law", [])
    here = bundled_course(built_in("zero-sum-duel"))
    assert here is not None
    answers: list[tuple[str, bool]] = []

    def answer(someone: Person, *, right: bool) -> None:
        """Answer the exercise that is due by the course itself; a wrong answer is followed by a right one."""
        asked = next_exercise(here, follow(here, answers)).shown
        moves = [move for move in asked.position.legal_moves() if move not in asked.solutions]
        if not right:
            someone.types(asked.position.text_of(moves[0])).sees("No. ").sees("Try again.").sees(ASKS)
        someone.types(asked.position.text_of(asked.solutions[0])).sees("Right. ")
        answers.append((here.steps[follow(here, answers).step].idea, right))

    with Person(zerosum.command, "learn", "zero-sum-duel") as someone:
        someone.sees("Step 1 of 3: make 0").sees(make["words"]).sees("An example.").sees("You win.").sees(
            "Why not"
        ).sees(ASKS)
        someone.types("\x1b[A?!").sees(ASKS).types("").sees("Type a move.").sees(ASKS)
        someone.types("help").sees("idea     the idea of this step").sees(ASKS).types("hint").sees("Why: ").sees(ASKS)
        someone.types("example").sees("An example.").sees(ASKS)
        for _ in range(3):
            answer(someone, right=True)
        someone.sees("Now the same idea in new numbers").sees(
            "New numbers: each is 3 times as large, and the target is 7."
        ).sees("0 of 2.").sees(ASKS)
        someone.types("idea").sees("as by making 7.").sees(ASKS)
        for _ in range(2):
            answer(someone, right=True)
        someone.sees("Step 1 is learnt.").sees("Step 2 of 3: stay safe").sees(guard["words"]).sees(ASKS)
        for _ in range(2):
            answer(someone, right=False)
        someone.sees("Back to step 1 of 3: make 0").sees(ASKS)
        answer(someone, right=True)
        someone.sees("1 of 3.").sees(ASKS).types("quit").sees("To go on: zerosum learn zero-sum-duel")
        assert someone.ends() == 0
    with Person(zerosum.command, "learn", "zero-sum-duel", columns=40) as someone:
        someone.sees("You go on where you left.").sees("Step 1 of 3").sees("1 of 3.").sees(ASKS)
        for _ in range(2 + 5):
            answer(someone, right=True)
        someone.sees("Step 3 of 3: the law").sees("Press Enter when you can follow it: ").types("")
        someone.sees("You have learnt every step.").sees("as the second player").sees("Play it now? ")
        someone.types("").sees("Zero Sum Duel").types("resign")
        someone.sees("Again? ").types("n")
        assert someone.ends() == 0
    again = zerosum("learn", "zero-sum-duel").ok()
    assert "You have learnt every step." in again.out
    assert "Expect to win every match against perfect play." in again.out
    assert ASKS not in again.out


def test_what_an_earlier_version_taught_stays_learnt(zerosum: Zerosum) -> None:
    """Its lines have a field fewer; three right answers were enough."""
    lines = [f"2026-03-01 10:00:00\tsum31\t{idea}\t-\t+1\tright\n" for idea in ("make", "guard") for _ in range(3)]
    Path(os.environ["ZEROSUM_HOME"]).mkdir(exist_ok=True)
    Path(os.environ["ZEROSUM_HOME"], "lessons.txt").write_text("".join(lines), encoding="utf-8")
    assert "Step 3 of 4: keep a safe answer" in zerosum("learn", "sum31", stdin="quit\n").ok().out
    assert "Step 1 of 4: make 31" in zerosum("learn", "sum31", "--again", stdin="quit\n").ok().out


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
    document = zerosum("learn", none, "--json").ok().json()
    assert (document["schema"], document["game"], document["steps"]) == (1, "variant", [])
    assert document["why_not"] == why_not
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
    assert "Wins that people let go here, by the idea that keeps them:\nSum31                 make" in text
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
    assert "Did you mean 'guard'? Its ideas are make, guard, hold, shut-in-two, smallest." in ran.err
    assert zerosum("puzzle", "--daily", "--idea", "guard").status == 2
    none = zerosum("puzzle", variant(tmp_path, like="sum31", swap=True), "--idea", "guard")
    assert none.status == 2
    assert "has no ideas to choose from. No card is made" in none.err
