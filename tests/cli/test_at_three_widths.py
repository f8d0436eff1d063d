"""Real terminals of 80, 60 and 40 columns: commands in short, who is who, again, going on, who begins."""

from __future__ import annotations

import pytest

from tests.cli.command import Zerosum, id_of
from tests.cli.pty_play import Person

AGAIN = "Again? (Enter, s to swap seats, n) "
DUEL = "enter the number you want to use: "
OPERATION = "Do you want to (A)dd or (S)ubtract it? "
SUM31 = "Enter a number from the available numbers: "
COLUMNS = pytest.mark.parametrize("columns", [80, 60, 40])


@COLUMNS
def test_short_forms_at_both_prompts_never_forfeit(zerosum: Zerosum, columns: int) -> None:
    """Ruling 4: `q ? h exit` and slips of one letter are commands; anything else at the operation prompt forfeits."""
    with Person(zerosum.command, "play", "zero-sum-duel", "--plain", columns=columns) as someone:
        for prompt, more in ((DUEL, "5"), (OPERATION, "a")):
            for word in ("?", "h", "hlep"):
                someone.sees(prompt).types(word).sees("q for quit")
            someone.sees(prompt).types("resgin").sees("Did you mean 'resign'?").sees(prompt).types(more)
        someone.sees(DUEL).types("4").sees(OPERATION).types("q")
        assert someone.ends() == 0
        assert "forfeits the game" not in someone.text
    with Person(zerosum.command, "resume", "--plain", columns=columns) as someone:
        someone.sees("Moves so far: +5").sees(DUEL).types("4").sees(OPERATION).types("bye")
        someone.sees("Player 2 forfeits the game.").sees(AGAIN).types("n")
        assert someone.ends() == 0


@COLUMNS
def test_you_and_the_computer(zerosum: Zerosum, columns: int) -> None:
    """It is clear at every turn who is who, also when the computer begins; records keep Player 1 and Player 2."""
    args = ("play", "zero-sum-game", "--vs", "level:3", "--first", "2", "--seed", "1", "--plain")
    with Person(zerosum.command, *args, columns=columns) as someone:
        someone.sees("Your Running Total: 0").sees("Computer (level 3)'s Running Total: 0")
        someone.sees("Computer (level 3)'s turn: select").sees("Selection: ")
        someone.sees("Computer (level 3)'s Running Total: 0 + ").sees("Your turn: select").sees("Selection: ")
        kept = zerosum.unfinished()[0]
        assert kept["names"] == ["Player 1", "Player 2"]
        someone.types(kept["moves"][0]).sees("was taken by Computer (level 3) on move 1.").sees("Selection: ")
        someone.types("resign").sees("You resign. Computer (level 3) wins!").sees(AGAIN).types("nonsense")
        someone.sees("Press Enter to play again, s to swap seats, n to stop.").sees(AGAIN).types("s")
        someone.sees("Your turn: select").sees("Selection: ").types("resign").sees(AGAIN).types("")
        someone.sees("Your turn: select").sees("Selection: ").types("quit")
        assert someone.ends() == 0
        assert "Player 1" not in someone.text
        assert "Player 2" not in someone.text
        assert " ".join(someone.text.split()).count("type help for the commands") == 1


@pytest.mark.parametrize("keys", ["n\r", "q\r", "\x04"])
def test_not_again(zerosum: Zerosum, keys: str) -> None:
    with Person(zerosum.command, "play", "sum31", "--vs", "random", "--plain") as someone:
        someone.sees("Your Turn:").sees(SUM31).types("resign").sees(AGAIN).presses(keys)
        assert someone.ends() == 0
    assert zerosum.unfinished() == []


def test_a_series_again_is_a_series(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31", "--vs", "random", "--best-of", "1", "--plain") as someone:
        someone.sees("Match 1 of at most 1. You 0, Computer (random) 0.").sees(SUM31).types("resign")
        someone.sees("Computer (random) wins the series, 1 to 0!").sees(AGAIN).types("")
        someone.sees("Match 1 of at most 1. You 0, Computer (random) 0.").sees(SUM31).types("q")
        assert someone.ends() == 0


def test_names_that_were_given_stay(zerosum: Zerosum) -> None:
    args = ("play", "zero-sum-duel", "--vs", "perfect", "--names", "Ann", "Bob", "--seed", "1", "--plain")
    with Person(zerosum.command, *args) as someone:
        someone.sees("Ann's turn: enter the number you want to use: ").types("5").sees(OPERATION).types("a")
        someone.sees("Ann chose to add 5.").sees("Bob (perfect)'s turn: enter").sees("Bob (perfect) chose to")
        someone.sees(DUEL).types("12").sees("Ann forfeits the game.").sees("Bob (perfect) wins!").sees(AGAIN).types("n")
        assert someone.ends() == 0


def test_the_computers_move_is_not_yours(zerosum: Zerosum) -> None:
    """Sequence Zero's rulebook says "You selected" of either player; against a computer the mover is named."""
    args = ("play", "sequence-zero", "--vs", "random", "--first", "2", "--seed", "1", "--plain")
    with Person(zerosum.command, *args) as someone:
        someone.sees("Computer (random) selected: ").sees("Computer (random)'s New Score: ").sees("Your Turn:")
        someone.sees("sequence: ").types("+5" if "+5" not in zerosum.unfinished()[0]["moves"][0] else "+4")
        someone.sees("You selected: ").sees("Your New Score: ").sees("Your Turn:").sees("sequence: ").types("q")
        assert someone.ends() == 0


@COLUMNS
def test_going_on_like_a_person(zerosum: Zerosum, columns: int) -> None:
    """Numbered, the newest last, Enter takes it; a wrong answer is asked again; lines fit the terminal."""
    older, newer = (id_of(zerosum.play(game, answers="+5")) for game in ("sum31", "zero-sum-duel"))
    with Person(zerosum.command, "resume", "--plain", columns=columns) as someone:
        someone.sees(" 1  Sum31, Player 1 and Player 2, 1 move").sees(older)
        someone.sees(" 2  Zero Sum Duel, Player 1 and").sees(newer).sees("Which match? [2] ").types("nonsense")
        someone.sees("'nonsense' is none of these matches.").sees("Which match? [2] ").types("?")
        someone.sees("Type a number from 1 to 2").sees("Which match? [2] ").types("")
        someone.sees("Shared Total: 5").sees(DUEL).types("q")
        assert someone.ends() == 0
        listed = someone.text.split("Which match?")[0]
        assert max(map(len, listed.splitlines())) <= columns
    with Person(zerosum.command, columns=columns) as someone:
        someone.sees("1  Go on: Zero Sum Duel").sees("(and 1 more)").sees("What next? [1] ").types("")
        someone.sees("Which match? [2] ").types("1").sees("Moves so far: +5").sees(SUM31).types("q")
        assert someone.ends() == 0


@COLUMNS
def test_the_menu_asks_two_people_who_begins(zerosum: Zerosum, columns: int) -> None:
    """Ruling 11; `zerosum play` without a game is the menu."""
    with Person(zerosum.command, "play", columns=columns) as someone:
        someone.sees("Which game? [5] ").types("help").sees("Enter takes").sees("Which game? [5] ").types("")
        someone.sees("Who plays? [1] ").types("1").sees("1  Player 1 moves first").sees("2  Player 2 moves first")
        someone.sees("t  A toss decides").sees("b  Both, one match each").sees("Who moves first? [1] ").types("2")
        someone.sees("Player 2's Turn:").sees(SUM31).types("q")
        assert someone.ends() == 0


def test_both_seats_from_the_menu_against_a_computer(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play") as someone:
        someone.sees("Which game? [5] ").types("").sees("Who plays? [1] ").types("2")
        someone.sees("Who moves first? [2] ").types("b").sees("Match 1 of 2. You 0, Computer (random) 0.")
        someone.sees("any game is even this way").sees(SUM31).types("resign")
        someone.sees("Match 2 of 2. You 0, Computer (random) 1.").sees(SUM31).types("resign")
        someone.sees("Computer (random) wins the series, 2 to 0!").sees(AGAIN).types("n")
        assert someone.ends() == 0


def test_a_toss_in_the_menu_is_announced(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "--names", "Ann", "Bob", "--first", "toss", "--plain") as someone:
        someone.sees("Which game? [5] ").types("5").sees("The toss: ")
        assert someone.child.expect_exact(["Ann moves first.", "Bob moves first."]) in (0, 1)
        first = someone.child.after.split()[0]
        someone.sees(f"{first}'s Turn:").sees(SUM31).types("q")
        assert someone.ends() == 0
    with Person(zerosum.command, "play") as someone:
        someone.sees("Which game? [5] ").types("5").sees("Who plays? [1] ").types("2")
        someone.sees("1  You move first").sees("Who moves first? [2] ").types("t").sees("The toss: ")
        assert someone.child.expect_exact(["you move first.", "Computer (random) moves first."]) in (0, 1)
        someone.sees("Your Turn:").sees(SUM31).types("q")
        assert someone.ends() == 0


def test_without_a_game_and_without_a_terminal(zerosum: Zerosum) -> None:
    ran = zerosum("play", stdin="5\n")
    assert (ran.out, ran.status) == ("", 2)
    assert "Missing argument 'GAME'" in ran.err


def test_help_is_a_command(zerosum: Zerosum) -> None:
    assert zerosum("help").ok().out == zerosum("--help").ok().out
    assert zerosum("help", "play").ok().out == zerosum("play", "--help").ok().out
    wrong = zerosum("help", "ply")
    assert (wrong.status, wrong.out) == (2, "")
    assert "Did you mean 'play'?" in wrong.err
