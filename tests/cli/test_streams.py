"""Closed, broken and full streams, the menu, names, completion, and the other ways to start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.cli.command import GOLDEN, TIMEOUT, Ran, Zerosum, id_of
from zerosum.base.errors import BadNameError
from zerosum.base.text import check_name

COMMAND = os.path.join(os.path.dirname(sys.executable), "zerosum")


def shell(line: str) -> Ran:
    """Run a line of shell in which `$Z` is the command; its status is that of the command, not of what follows."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        env={**os.environ, "Z": COMMAND},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert "Traceback" not in done.stderr, done
    assert "Exception" not in done.stderr, done
    return Ran(done.stdout, done.stderr, done.returncode)


def test_python_m_zerosum() -> None:
    module = Zerosum([sys.executable, "-m", "zerosum"])
    stdin = (GOLDEN / "sum31.in").read_text()
    assert module("play", "sum31", stdin=stdin).ok().out == (GOLDEN / "sum31.txt").read_text()
    assert "Usage: zerosum " in module("--help").ok().out


@pytest.mark.parametrize("closed", ["<&-", "</dev/null"])
def test_no_input_at_the_menu_is_an_exhibition(closed: str) -> None:
    ran = shell(f'"$Z" {closed}')
    assert ran.status == 0
    assert ran.out.startswith("--- Sum31 Game Start ---\n")
    assert ran.err.startswith("There is no input, so here is a match between two computer players.")
    assert shell('"$Z" resume --list').out == "There is no unfinished match.\n"


def test_closed_input_at_play_is_input_that_ended() -> None:
    ran = shell('"$Z" play sum31 <&-')
    assert ran.status == 1
    assert id_of(ran)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ('"$Z" games >&-', 0),
        ('"$Z" games <&- >&- 2>&-', 0),
        ('"$Z" gmaes 2>&-', 2),
        ('"$Z" replay - <&-', 1),
        ('printf "5\\n6\\n9\\n8\\n3\\n" | "$Z" play sum31 >&-', 0),
        ('printf "5\\nresign\\n" | "$Z" play sum31 >&- 2>&-', 0),
    ],
)
def test_closed_streams(line: str, status: int) -> None:
    assert shell(line).status == status
    # Had a journal been given the number of a closed stream, what is printed would be in it.
    assert shell('"$Z" resume --list').out == "There is no unfinished match.\n"


@pytest.mark.parametrize("line", ['yes 5 | "$Z" play sum31', '"$Z" rules sum31', '"$Z" --help', '"$Z" games --json'])
def test_a_reader_that_goes_away(line: str) -> None:
    ran = shell(f"{line} | head -c 1")
    assert len(ran.out) == 1
    assert "Broken pipe" not in ran.err.replace("yes: standard output: Broken pipe", "")


def test_a_match_whose_reader_has_gone_is_kept_and_says_so() -> None:
    ran = shell('(sleep 0.5; echo 5; sleep 0.5) | "$Z" play sum31 | head -c 1')
    assert ran.last_notice.startswith("The match is kept. To go on: zerosum resume ")


@pytest.mark.parametrize("line", ['"$Z" games', '"$Z" --help', 'printf "5\\n" | "$Z" play sum31'])
def test_a_full_disk_behind_standard_output(line: str) -> None:
    ran = shell(f"{line} > /dev/full")
    assert ran.status == 1
    assert ran.last_notice == "zerosum: Cannot go on: No space left on device."


MENU_END = "Which game? [5] "


@pytest.mark.parametrize(
    ("answers", "opening", "status"),
    [
        ("1 1", "Game Start!", 1),
        ("zero-sum-duel 1", "Shared Total: 0", 1),
        ("Sequence_Zero _", "Did you mean 'sequence", 1),
        ("_ _", "--- Sum31 Game Start ---", 1),
        ("5 2", "Player 1's Turn:", 1),
        ("5 3 _", "With best play the second player wins.", 1),
        ("5 level:2 2", "Who moves first? [2] 2\n\n--- Sum31 Game Start ---", 1),
        ("5 level:2 b", "b  Both, one match each; any game is even this way\n", 1),
        ("5 level:2 both", "Who moves first? [2] both\n\nMatch 1 of 2. Player 1 0, Player 2 0.\n", 1),
        ("4 perfect _", "Who moves first? [1] \n\nAvailable Numbers", 1),
        ("chess sum3 q", "'chess' is not a choice. Type one of the marks on the left, or q to quit.", 0),
        ("sum3 QUIT", "'sum3' is not a choice. Did you mean 'sum31'?", 0),
        ("5 nobody", "'nobody' is not a choice.", 1),
        ("\x1b[31m q", "'\\x1b[31m' is not a choice.", 0),
        ("r q", "'r' is not a choice.", 0),
    ],
)
def test_the_menu_from_a_pipe(zerosum: Zerosum, answers: str, opening: str, status: int) -> None:
    lines = "".join(f"{'' if word == '_' else word}\n" for word in answers.split(" "))
    ran = zerosum(stdin=lines)
    assert ran.status == status
    assert ran.out.startswith("The rulebooks\n1  Sum to Zero ")
    assert opening in ran.out
    assert "an invalid move forfeits" in ran.out.split(MENU_END)[0]
    assert "\x1b" not in ran.out


def test_the_menu_goes_on_with_an_unfinished_match(zerosum: Zerosum) -> None:
    match_id = id_of(zerosum.play("sum31", answers="5"))
    ran = zerosum(stdin="r\n6\n")
    assert "r  Go on with your unfinished match\n" in ran.out
    assert "Moves so far: +5\n" in ran.out
    assert id_of(ran) == match_id


NAMES: dict[str, str | bytes] = {
    "escape": "a\x1b[31mb",
    "title sequence": "a\x1b]0;x\x07",
    "carriage return": "a\rb",
    "newline": "a\nb",
    "tab": "a\tb",
    "bidi override": "a\u202eb",
    "bidi isolate": "a\u2066b",
    "zero width space": "a\u200bb",
    "zero width joiner": "a\u200db",
    "byte order mark": "\ufeffa",
    "blank lookalike": "\u3164",
    "private use": "a\ue000",
    "lone surrogate": b"a\xed\xa0\x80",
    "invalid UTF-8": b"a\xff",
    "C1 control": "a\x9b31m",
    "line separator": "a\u2028b",
    "100 kB": "a" * 100_000,
    "41 characters": "a" * 41,
    "empty": "",
    "spaces": "   ",
    "space around": " a",
}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_names_that_act_are_refused_at_entry(zerosum: Zerosum, name: str) -> None:
    """Promise 12."""
    for pair in ((NAMES[name], "Bob"), ("Bob", NAMES[name])):
        ran = zerosum("play", "sum31", "--names", *pair)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert all(c.isprintable() for c in ran.err[:-1])
        assert len(ran.err) < 300
    assert zerosum.unfinished() == []


def test_a_name_of_a_megabyte_is_refused() -> None:
    """No command line can carry one; whoever calls the check can."""
    with pytest.raises(BadNameError, match="1000000 characters; at most 40"):
        check_name("a" * 1_000_000)


@pytest.mark.parametrize(
    "name", ["Zoë", "李", "[/x]", "{winner}", "{0}", "%s", "a\\nb", "-", "--plain", '"', "😀", "a" * 40]
)
def test_names_that_only_look_odd_print_as_themselves(zerosum: Zerosum, name: str) -> None:
    ran = zerosum.play("zero-sum-game", "--names", name, "Bob", answers="resign").ok()
    assert f"{name} Running Total: 0\n" in ran.out
    assert ran.out.endswith(f"{name} resigns. Bob wins!\n")


def test_two_players_need_two_names(zerosum: Zerosum) -> None:
    ran = zerosum("play", "sum31", "--names", "Ann", "ann")
    assert (ran.status, ran.out) == (2, "")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_scripts(zerosum: Zerosum, name: str) -> None:
    script = zerosum("completion", name).ok().out
    assert "_ZEROSUM_COMPLETE" in script
    if shutil.which(name):
        subprocess.run([name, "-n"], input=script, text=True, check=True, timeout=TIMEOUT)


@pytest.mark.parametrize(
    ("words", "offered"),
    [("zerosum ga", "games"), ("zerosum play sum3", "sum31"), ("zerosum play --fi", "--first")],
)
def test_completion_offers(zerosum: Zerosum, words: str, offered: str) -> None:
    asked = {"COMP_WORDS": words.replace(" ", "\n"), "COMP_CWORD": str(words.count(" "))}
    ran = zerosum(env={"_ZEROSUM_COMPLETE": "bash_complete", **asked})
    assert offered in ran.out
