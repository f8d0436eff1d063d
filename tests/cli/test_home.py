"""`zerosum` at a terminal of 100, 80, 60 and 40 columns: the first time, later, and what is offered after a match."""

from __future__ import annotations

import os
import re

import click
import pytest

from tests.cli.command import Zerosum
from tests.cli.pty_play import Person
from tests.docs.test_commands import EVERY, command
from zerosum.cli.home_menu import first_words
from zerosum.cli.root_command import COMMANDS
from zerosum.cli.terminal_text import width
from zerosum.coach.next_step import FIRST_GAME
from zerosum.lab.repair import one_changes
from zerosum.match.match import Match
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Setup
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.record import Ending

COLUMNS = pytest.mark.parametrize("columns", [100, 80, 60, 40])
PROMPT = "available numbers: "
HOME = "What next? [1] "
AGAIN = "Again? "
CHANGE = one_changes(built_in("sum31"))[0]
NEARLY_WON = (9, 8, 6, 1)
"""Moves after which the first player wins by 7."""


def keep(who: str, *numbers: int, resigned: bool = False, game: str = "sum31", date: str = "2026-01-01") -> str:
    """Keep a match of a person, who moves first, against a computer; it goes on, is won, or is resigned."""
    saved = SavedMatches(os.environ["ZEROSUM_HOME"])
    match_id = saved.create(Setup(rules=built_in(game), who=("human", who), date=f"{date} 00:00:00"))
    with saved.opened(match_id) as journal:
        match: Match = journal.reading.match
        for number in numbers:
            journal.write(Move(number))
            match = match.after(Move(number))
        if resigned:
            ending = Ending(Reason.RESIGNED, Seat.FIRST)
            journal.write(ending)
            match = match.after(ending)
        if match.outcome is not None:
            saved.settle(match_id, match)
    return match_id


def fits(someone: Person) -> None:
    for line in re.split("[\r\n]+", someone.text):
        assert width(line) <= someone.columns, line


@COLUMNS
def test_a_first_time_and_a_second_time(zerosum: Zerosum, columns: int) -> None:
    """Three sentences, Enter, and it is your turn; later the match goes on by Enter alone."""
    with Person(zerosum.command, columns=columns) as someone:
        someone.sees("Enter to play, m for the menu, q to quit: ").types("what")
        assert " ".join(first_words(built_in(FIRST_GAME))) in " ".join(someone.text.split())
        someone.sees("'what' is not a choice.").sees("q to quit: ").types("rules").sees("is asked for again.")
        someone.sees("q to quit: ").types("help").sees("friend.").sees("q to quit: ").types("")
        someone.sees("Computer (level 1)'s Turn:").sees("Total is now").sees("Your Turn:").sees(PROMPT)
        (taken,) = zerosum.unfinished()[0]["moves"]
        someone.types("2" if taken == "+1" else "1").sees("Your Turn:").sees(PROMPT).types("quit")
        assert someone.ends() == 0
        fits(someone)
        assert "Player" not in someone.text
    with Person(zerosum.command, columns=columns) as someone:
        someone.sees("1  Go on: Sum31 against level 1, 3 moves").sees("2  Play Sum31 against level 1")
        someone.sees("3  The daily duel").sees("4  Lesson: Sum31, step 1 of 4, make 31").sees("5  With a friend, here")
        someone.sees("6  All games").sees("7  Your own rules").sees("q  Quit").sees(HOME).types("nonsense")
        someone.sees("'nonsense' is not a choice.").sees(HOME).types("")
        someone.sees("Moves so far:").sees("Your Turn:").sees(PROMPT).types("resign")
        someone.sees("You resign.").sees("1  Lesson: ").sees(AGAIN).types("n")
        assert someone.ends() == 0
        fits(someone)


def test_the_coach_of_the_first_match_is_there_when_it_goes_on(zerosum: Zerosum) -> None:
    keep("level:1", *NEARLY_WON)
    with Person(zerosum.command, columns=100) as someone:
        someone.sees("1  Go on: Sum31").sees(HOME).types("").sees(PROMPT).types("2").sees("Coach: +2 lets the win go")
        someone.sees("type undo to take it back").sees(PROMPT).types("q")
        assert someone.ends() == 0


@COLUMNS
def test_you_are_you_in_all_that_is_said_of_a_match(zerosum: Zerosum, columns: int) -> None:
    finished, unfinished = keep("level:2", *NEARLY_WON, 7), keep("level:1", *NEARLY_WON)
    for args, shown in (
        (("replay", finished), "You win! The total is exactly 31."),
        (("replay", unfinished), "The match is unfinished; you are to move."),
        (("review", finished), "You won by making 31."),
        (("review", unfinished), "Sum31: You against Computer (level 1)"),
        (("measure", "record", finished, unfinished), "You: 2 matches, 5 decisions"),
        (("resume", "--list"), "Sum31, You and Computer (level 1), 4 moves"),
        (("stats",), "You against computers:"),
    ):
        with Person(zerosum.command, *args, columns=columns) as someone:
            someone.sees(shown)
            assert someone.ends() == 0
            assert "Player" not in someone.text, args
            fits(someone)


def test_enter_takes_the_first_line_and_the_level_fits(zerosum: Zerosum) -> None:
    keep("level:2", *NEARLY_WON, 7)
    keep("level:2", *NEARLY_WON, 7)
    with Person(zerosum.command, columns=40) as someone:
        someone.sees("1  Play Sum31 against level 3").sees(HOME).types("").sees("never overlooks a win at once")
        someone.sees("Computer (level 3)'s Turn:").sees("Your Turn:").sees(PROMPT).types("q")
        assert someone.ends() == 0
    with Person(zerosum.command, "play", "Sum 31", "--vs", "computer", "--plain") as someone:
        someone.sees("Your Turn:").sees(PROMPT).types("q")
        assert someone.ends() == 0
    assert {one["who"][1] for one in zerosum.unfinished()} == {"level:3"} or zerosum.unfinished() == []


def test_lessons_friends_games_and_own_rules_from_home(zerosum: Zerosum) -> None:
    """A lesson and the list of games come back home; a match does not."""
    keep("level:2", *NEARLY_WON, 7)
    with Person(zerosum.command, columns=60, NO_COLOR="1") as someone:
        someone.sees("3  Lesson: Sum31, step 1 of 4").sees(HOME).types("3").sees("Your move: ").types("rules")
        someone.sees("Whoever brings the total to exactly 31 wins").sees("Your move: ").types("q")
        someone.sees(HOME).types("5").sees("q  Back").sees("Which game? [5] ").types("q")
        someone.sees(HOME).types("6").sees("Which game? [5] ").types("5").sees(f"1  {CHANGE.question}")
        someone.sees(CHANGE.words[1:]).sees("Play which? ").types("x").sees("Type a number from 1 to 3, or n.")
        someone.sees("Play which? ").types("n")
        someone.sees(HOME).types("4").sees("Which game? [5] ").types("").sees("Who moves first? [1] ").types("")
        someone.sees("Player 1's Turn:").sees(PROMPT).types("5").sees("Player 2's Turn:").sees(PROMPT).types("resign")
        someone.sees(AGAIN).types("")
        someone.sees("Player 1's Turn:").sees(PROMPT).types("q")
        assert someone.ends() == 0
        fits(someone)


@pytest.mark.parametrize(("rows", "columns"), [(20, 60), (20, 40)])
def test_menus_fit_a_small_terminal(zerosum: Zerosum, rows: int, columns: int) -> None:
    """From one question to the next there are never more lines than the terminal has."""
    keep("level:2", *NEARLY_WON, 7)
    keep("level:2", *NEARLY_WON)
    with Person(zerosum.command, columns=columns, LINES=str(rows)) as someone:
        someone.sees(HOME).types("6").sees("Which game? [5] ").types("").sees("Who plays? [1] ").types("3")
        someone.sees("Who moves first? [2] ").types("").sees("Your Turn:").sees(PROMPT).types("resign")
        someone.sees(AGAIN).types("c").sees("Play which? ").types("n").sees(AGAIN).types("n")
        assert someone.ends() == 0
        fits(someone)
    menus = re.split(
        r"What next\?|Which game\?|Who plays\?|Who moves first\?|Your Turn:|Again\?|Play which\?", someone.text
    )
    for menu in menus[:3] + menus[-3:]:
        assert menu.count("\n") < rows, menu


@COLUMNS
def test_winners_are_offered_the_next_level_and_the_next_game(zerosum: Zerosum, columns: int) -> None:
    keep("level:2", *NEARLY_WON, 7)
    keep("level:2", *NEARLY_WON, date="2026-01-02")
    with Person(zerosum.command, "resume", columns=columns) as someone:
        someone.sees("Your Turn:").sees(PROMPT).types("7").sees("You win!").sees("1  Next: level 3")
        someone.sees("You have won twice in a row.").sees("Enter for 1").sees("n) ").types("")
        someone.sees("Your Turn:").sees(PROMPT).types("resign").sees("Computer (level 3) wins!").sees(AGAIN).types("n")
        assert someone.ends() == 0
        fits(someone)
    keep("level:5", *NEARLY_WON, date="2026-01-03")
    with Person(zerosum.command, "resume", columns=columns) as someone:
        someone.sees("Your Turn:").sees(PROMPT).types("7").sees("You win!").sees("1  Next game: Summit")
        someone.sees("n) ").types("1").sees("Summit").sees("Stretch: ").types("q")
        assert someone.ends() == 0
        fits(someone)


def test_losers_are_offered_the_lesson_that_would_have_helped_and_an_easier_level(zerosum: Zerosum) -> None:
    keep("level:3", *NEARLY_WON, resigned=True)
    keep("level:3", *NEARLY_WON, resigned=True)
    keep("level:3", *NEARLY_WON, date="2026-01-02")
    with Person(zerosum.command, "resume", NO_COLOR="1") as someone:
        # 7 would make 31; 5 lets that win go, and level 3 never overlooks a win at once.
        someone.sees("Your Turn:").sees(PROMPT).types("5").sees("Computer (level 3) wins!")
        someone.sees("1  An easier one: level 2").sees("You have lost 3 times in a row.")
        someone.sees("2  Lesson: make 31").sees("It is the idea that cost you most.").sees("n) ").types("2")
        someone.sees("Step 1 of 4: make 31").sees("Your move: ").types("rules").sees("exactly 31 wins")
        someone.sees("Your move: ").types("q").sees(AGAIN).sees("n) ").types("r")
        someone.sees("Sum31: You against Computer (level 3)").sees("Computer won by making 31.")
        someone.sees("your +5: from a win to a loss.").sees("You").sees("Computer").sees(AGAIN).sees("n) ").types("")
        someone.sees("Your Turn:").sees(PROMPT).types("resign").sees("Computer (level 2) wins!").sees(AGAIN).types("n")
        assert someone.ends() == 0
        assert "Player" not in someone.text


def test_the_same_with_one_rule_changed(zerosum: Zerosum) -> None:
    keep("level:2", *NEARLY_WON)
    with Person(zerosum.command, "resume", NO_COLOR="1") as someone:
        someone.sees(PROMPT).types("7").sees("You win!").sees(AGAIN).types("c")
        someone.sees(f"1  {CHANGE.question}").sees(CHANGE.words[1:])
        someone.sees("Play which? ").types("1").sees("Sum31, changed").sees("Number: ").types("1")
        someone.sees("Number: ").types("q")
        assert someone.ends() == 0
    (kept,) = zerosum.unfinished()
    assert (kept["game"], kept["moves"][0]) == ("sum31-changed", "+1")


def test_without_a_game_it_is_the_one_played_last(zerosum: Zerosum) -> None:
    for args, asked in ((("rules",), "Which game? [5] "), (("learn",), "Which game? [5] ")):
        with Person(zerosum.command, *args, columns=100) as someone:
            someone.sees(asked).types("q")
            assert someone.ends() == 0
    keep("level:2", *NEARLY_WON, 7, date="2026-01-02")
    for args, shown in (
        (("rules",), "Whoever brings the total to exactly 31 wins"),
        (("card",), "with this card the second player always wins"),
        (("review",), "Sum31: You against Computer (level 2)"),
        (("replay",), "You win! The total is exactly 31."),
    ):
        with Person(zerosum.command, *args, columns=100) as someone:
            someone.sees(shown)
            assert someone.ends() == 0
    for args, asked in ((("puzzle",), "Your move: "), (("learn",), "Your move: ")):
        with Person(zerosum.command, *args, columns=40) as someone:
            someone.sees("which you played last").sees(asked).types("rules").sees(
                "An invalid number is asked for again."
            ).sees(asked).types("q")
            assert someone.ends() == 0
            fits(someone)


def test_missing_arguments_list_the_choices(zerosum: Zerosum) -> None:
    for args in ("rules", "card", "learn", "puzzle", "levels", "solve", "measure policy level:3", "metrics", "prove"):
        ran = zerosum(*args.split())
        assert ran.status == 2, args
        assert "The games are sum-to-zero, sequence-zero, " in ran.err, args
    for args in ("review", "replay"):
        assert "a path, the ID of a match" in zerosum(*args.split()).err, args
    assert "The families are sum, " in zerosum("atlas").err
    assert "The players are random, level:1 to level:9, " in zerosum("bot", "levels").err


WITHOUT_ARGUMENTS = ("resume", "lab", "help")
"""Commands that take arguments and do without."""


def test_every_command_without_its_arguments_gives_an_example(zerosum: Zerosum) -> None:
    taking = [name for name in EVERY if any(isinstance(one, click.Argument) for one in command(name).params)]
    assert len(taking) > len(COMMANDS)
    for name in sorted({*taking, "exam make"} - {*WITHOUT_ARGUMENTS}):
        ran = zerosum(*name.split())
        assert ran.status == 2, name
        assert "Choose from:" in ran.err or f"For example: zerosum {name} " in ran.err, ran.err


def test_nobody_forfeits_a_puzzle(zerosum: Zerosum) -> None:
    shown = zerosum("puzzle", "zero-sum-duel", stdin="rules\nquit\n").ok().out
    assert "An invalid number is asked for again." in shown
    assert "forfeit" not in shown


def test_what_people_type_for_games_and_levels_is_understood(zerosum: Zerosum) -> None:
    for game in ("Sum31", "Sum 31", "SUM31", "sum-31"):
        assert zerosum("rules", game).ok().out.startswith("Sum31\n"), game
    for who, means in (("3", "level:3"), ("level3", "level:3"), ("Level 3", "level:3"), ("computer", "level:1")):
        zerosum.play("sum31", "--vs", who, answers="5")
        assert zerosum.unfinished()[0]["who"] == ["human", means], who
        zerosum("resume", "--forget", zerosum.unfinished()[0]["id"]).ok()
    assert "There is no player 'level:10'" in zerosum.play("sum31", "--vs", "10").err
