"""Real terminals: whole matches, wrong keys, signals, colours, sizes, history."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from tests.cli.command import GAMES, GOLDEN, Zerosum
from tests.cli.pty_play import Person
from zerosum.rules.game_files import load_game
from zerosum.rules.position import perft

PROMPT = "numbers: "  # of Sum31
NUMBER = {
    "sum-to-zero": "Select a number: ",
    "sequence-zero": "Select a number from the sequence: ",
    "zero-sum-duel": "enter the number you want to use: ",
    "zero-sum-game": "Selection: ",
    "sum31": "Enter a number from the available numbers: ",
}
OPERATION = {
    "sequence-zero": "Choose an operation (+ or -): ",
    "zero-sum-duel": "Do you want to (A)dd or (S)ubtract it? ",
}
HELP = "Numbers are moves; type help for the commands.\n"
FORFEIT = "In Zero Sum Duel an invalid move forfeits the match; --lenient asks again\ninstead.\n"


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match(zerosum: Zerosum, game: str) -> None:
    """What the terminal shows is the rulebook's dialogue, what was typed included."""
    prompts = [NUMBER[game]] + ([OPERATION[game]] if game in OPERATION else [])
    with Person(zerosum.command, "play", game, "--plain", TERM="dumb") as someone:
        for at, answer in enumerate((GOLDEN / f"{game}.in").read_text().split()):
            someone.sees(prompts[at % len(prompts)]).types(answer)
        someone.sees("Again? ").types("n")
        assert someone.ends() == 0
        dialogue, _, _ = someone.text.rpartition("\nr  Review")
        assert dialogue.removeprefix(HELP).removeprefix(FORFEIT) == (GOLDEN / f"{game}.txt").read_text()
    assert zerosum.unfinished() == []


@pytest.mark.parametrize("game", [game for game in GAMES if game != "zero-sum-duel"])
def test_a_bad_number_is_asked_for_again(zerosum: Zerosum, game: str) -> None:
    with Person(zerosum.command, "play", game) as someone:
        someone.sees(NUMBER[game]).types("77").sees("77 is not one of the numbers of this game.")
        someone.sees(NUMBER[game]).types("nonsense").sees("'nonsense' is not a whole number.")
        someone.sees(NUMBER[game]).types("+5").sees(NUMBER[game]).types("5").sees("5 was taken by Player 1 on move 1.")
        someone.sees(NUMBER[game]).types("resign").sees("Again? ").types("n")
        assert someone.ends() == 0


@pytest.mark.parametrize("answers", [["+5", "5"], ["12"], ["5", "x"], ["5", ""]])
def test_the_duel_is_forfeited_by_number_and_by_operation(zerosum: Zerosum, answers: list[str]) -> None:
    with Person(zerosum.command, "play", "zero-sum-duel") as someone:
        for answer in answers:
            someone.sees(OPERATION["zero-sum-duel"] if answer in ("x", "") else NUMBER["zero-sum-duel"]).types(answer)
        someone.sees("forfeits the game.").sees("Again? ").types("n")
        assert someone.ends() == 0


def test_words_never_forfeit_the_duel(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "zero-sum-duel") as someone:
        for word in ("", "help", "nonsense", "1e1", "9" * 25, "٣"):
            someone.sees(NUMBER["zero-sum-duel"]).types(word)
        someone.sees(NUMBER["zero-sum-duel"]).types("5").sees(OPERATION["zero-sum-duel"]).types("HELP")
        someone.sees("this list").sees(OPERATION["zero-sum-duel"]).types("undo")
        someone.sees(NUMBER["zero-sum-duel"]).types("quit")
        assert someone.ends() == 0
    assert zerosum.unfinished() == []


@pytest.mark.parametrize("game", ["sum31", "zero-sum-duel"])
def test_control_c_and_going_on(zerosum: Zerosum, game: str) -> None:
    with Person(zerosum.command, "play", game) as someone:
        someone.sees(NUMBER[game]).types("+5").sees(NUMBER[game]).presses("\x03")
        assert someone.ends() == 130
        match_id = zerosum.unfinished()[0]["id"]
        assert someone.text.endswith(f"\nThe match is kept. To go on: zerosum resume {match_id}\n")
    with Person(zerosum.command, "resume") as someone:
        someone.sees("Moves so far: +5").sees(NUMBER[game]).types("resign").sees("Again? ").types("n")
        assert someone.ends() == 0


def test_control_c_at_the_operation_prompt(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "zero-sum-duel") as someone:
        someone.sees(NUMBER["zero-sum-duel"]).types("5").sees(OPERATION["zero-sum-duel"]).presses("\x03")
        assert someone.ends() == 130
    assert zerosum.unfinished()[0]["moves"] == []


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0), ("q\r", 0)])
def test_leaving_the_menu(zerosum: Zerosum, key: str, status: int) -> None:
    with Person(zerosum.command, "play") as someone:
        someone.sees("Which game? [5] ").presses(key)
        assert someone.ends() == status
    assert zerosum.unfinished() == []


def test_control_d_is_input_that_ended(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees(PROMPT).types("5").sees(PROMPT).presses("\x04")
        assert someone.ends() == 1
        assert someone.text.splitlines()[-1].endswith(f"zerosum resume {zerosum.unfinished()[0]['id']}")
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


def test_undo(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees(PROMPT).types("5").sees("Player 2's Turn:").sees(PROMPT).types("undo")
        someone.sees("Moves so far: none").sees("Player 1's Turn:").sees(PROMPT).types("undo")
        someone.sees("There is nothing to undo.").sees(PROMPT).types("quit")
        assert someone.ends() == 0


def test_the_menu(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play") as someone:
        someone.sees("Which game? [5] ").types("chess").sees("'chess' is not a choice.")
        someone.sees("Which game? [5] ").types("Zero Sum Duel").sees("Who plays? [1] ").types("")
        someone.sees("1  Player 1 moves first").sees("t  A toss decides").sees("Who moves first? [1] ").types("")
        someone.sees(NUMBER["zero-sum-duel"]).types("+5").sees(NUMBER["zero-sum-duel"]).types("quit")
        assert someone.ends() == 0
    with Person(zerosum.command, "play") as someone:
        someone.sees("r  Go on with your unfinished match").sees("Which game? [5] ").types("r")
        someone.sees("Moves so far: +5").sees(NUMBER["zero-sum-duel"]).types("-5")
        someone.sees("Again? ").types("n")
        assert someone.ends() == 0
        assert "Invalid move: -5." in someone.text


def test_with_several_matches_a_terminal_asks_which(zerosum: Zerosum) -> None:
    zerosum.play("sum31", answers="5")
    zerosum.play("zero-sum-game", answers="3")
    wanted = next(one["id"] for one in zerosum.unfinished() if one["game"] == "zero-sum-game")
    with Person(zerosum.command, "resume") as someone:
        someone.sees("Which match? [2] ").types(wanted).sees("Moves so far: +3").sees("Selection: ").types("quit")
        assert someone.ends() == 0
    with Person(zerosum.command, "resume") as someone:
        someone.sees("Which match? [2] ").types("3").sees("'3' is none of these matches.")
        someone.sees("Which match? [2] ").types("q")
        assert someone.ends() == 0
    with Person(zerosum.command, "resume") as someone:
        someone.sees("Which match? ").presses("\x04")
        assert someone.ends() == 1


def test_names_with_escape_sequences_are_refused(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31", "--names", "a\x1b]0;owned\x07", "b") as someone:
        assert someone.ends() == 2
        assert "a\\x1b]0;owned\\x07" in someone.seen
        assert "\x1b" not in someone.seen


def test_colour_where_a_terminal_can_show_it(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees(PROMPT).types("77").sees(PROMPT).types("resign").sees("Again? ").types("n")
        assert someone.ends() == 0
        assert "\x1b[36mPlayer 1's Turn:\x1b[0m" in someone.seen
        assert "\x1b[1;32m" in someone.seen
        assert someone.seen.count("\x1b[0m") >= 3


@pytest.mark.parametrize(
    ("args", "env"),
    [([], {"NO_COLOR": "1", "TERM": "dumb"}), ([], {"TERM": "dumb"}), (["--plain"], {"TERM": "dumb"})],
)
def test_no_escape_where_none_is_wanted(zerosum: Zerosum, args: list[str], env: dict[str, str]) -> None:
    with Person(zerosum.command, "play", "zero-sum-duel", *args, columns=80, **env) as someone:
        someone.sees(NUMBER["zero-sum-duel"]).types("nonsense").sees(NUMBER["zero-sum-duel"]).types("12")
        someone.sees("Again? ").types("n")
        assert someone.ends() == 0
        assert "\x1b" not in someone.seen


@pytest.mark.parametrize(("args", "env"), [([], {"NO_COLOR": "1"}), (["--plain"], {})])
def test_no_colour_where_none_is_wanted(zerosum: Zerosum, args: list[str], env: dict[str, str]) -> None:
    """On a terminal of many arts: no colour, and no other sequence either, not even around prompts."""
    with Person(zerosum.command, "play", "zero-sum-duel", *args, columns=80, **env) as someone:
        someone.sees(NUMBER["zero-sum-duel"]).types("nonsense").sees(NUMBER["zero-sum-duel"]).types("12")
        someone.sees("Again? ").types("n")
        assert someone.ends() == 0
        assert "\x1b" not in someone.seen


def test_a_colour_terminal_shows_a_picture(zerosum: Zerosum) -> None:
    """The pool with dots for what was taken, a line of numbers for each person, and the total on its way."""
    with Person(zerosum.command, "play", "sum31", TERM="xterm-256color", LANG="C.UTF-8") as someone:
        someone.sees("○").sees(PROMPT).types("5").sees("●").sees("○").sees(PROMPT).types("6")
        someone.sees("●").sees("○").sees(PROMPT).types("quit")
        assert someone.ends() == 0
        assert "  1  2  3  4  ·  6  7  8  9\n  Player 1 5\n  Player 2 \n  0 ·" in someone.text
        assert "  1  2  3  4  ·  ·  7  8  9\n  Player 1 5\n  Player 2 6\n  0 ·" in someone.text
        assert "\x1b[36m5\x1b[0m" in someone.seen
        assert "\x1b[35m6\x1b[0m" in someone.seen
        assert "Available Numbers: [1, 2, 3, 4, 7, 8, 9]" in someone.text


def test_plain_text_has_no_picture(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31", "--plain", TERM="xterm-256color", LANG="C.UTF-8") as someone:
        someone.sees(PROMPT).types("5").sees(PROMPT).types("quit")
        assert someone.ends() == 0
        assert not set("●○¹²─·") & set(someone.text)


def test_a_resized_window_changes_nothing(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees(PROMPT).presses("5")
        for rows, columns in ((50, 200), (3, 10), (1, 1), (24, 80)):
            someone.child.setwinsize(rows, columns)
            os.kill(someone.child.pid, signal.SIGWINCH)
        someone.presses("\r").sees("Total is now 5").sees(PROMPT).types("quit")
        assert someone.ends() == 0
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


def test_arrow_up_recalls_what_was_typed(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees(PROMPT).types("5").sees(PROMPT).types("6").sees(PROMPT)
        someone.presses("\x1b[A\x1b[A\r").sees("5 was taken by Player 1 on move 1.")
        someone.sees(PROMPT).presses("88\x7f\r").sees("Total is now 19").sees(PROMPT).types("quit")
        assert someone.ends() == 0


def test_closing_the_terminal_keeps_the_match(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees(PROMPT).types("5").sees("Player 2's Turn:").sees(PROMPT)
        os.kill(someone.child.pid, signal.SIGHUP)
        assert someone.ends() == -signal.SIGHUP
    assert zerosum.unfinished()[0]["moves"] == ["+5"]
    with Person(zerosum.command, "play", "zero-sum-game") as someone:
        someone.sees("Selection: ").types("3").sees("Player 2, select").sees("Selection: ")
        someone.child.close(force=False)
    assert {tuple(one["moves"]) for one in zerosum.unfinished()} == {("+5",), ("+3",)}


def test_a_computers_moves_at_a_terminal(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31", "--vs", "random", "--seed", "3", "--first", "2") as someone:
        someone.sees("Computer (random)'s Turn:").sees(PROMPT).sees("Your Turn:").sees(PROMPT).types("resign")
        someone.sees("You resign. Computer (random) wins!").sees("Again? (Enter, s to swap seats, n) ").types("n")
        assert someone.ends() == 0


AT_WORK = """
from zerosum.cli.progress_line import progress_line
with progress_line("Counting") as say:
    input()
    say("3 of 7")
    input()
print("done")
"""


@pytest.mark.parametrize("columns", [80, 40])
def test_work_that_takes_long_says_what_it_does_how_far_it_is_and_for_how_long(columns: int) -> None:
    with Person((sys.executable, "-c", AT_WORK), columns=columns) as someone:
        someone.sees("Counting ...").sees("Counting ...").presses("\n").sees("Counting: 3 of 7")
        someone.sees(" s").presses("\n").sees("done")
        assert someone.ends() == 0


def test_counting_says_how_far_it_is() -> None:
    told: list[str] = []
    assert perft(load_game("sum31"), 3, told.append) == 504
    assert told == [f"move {n} of 3, 0 of {of} positions" for n, of in ((1, 1), (2, 9), (3, 36))]
