"""What may be typed at a prompt: moves, commands, and everything that is neither."""

from __future__ import annotations

import pytest

from tests.cli.command import GAMES, Zerosum
from zerosum.rules.describe import describe
from zerosum.rules.game_files import load_game

COMMANDS = ("hint", "moves", "rules", "help")
SIGNED = ("sequence-zero", "zero-sum-duel")

POISON: dict[str, bytes] = {
    "2^63": b"9223372036854775808",
    "-2^63-1": b"-9223372036854775809",
    "25 digits": b"1" * 25,
    "1 MB of digits": b"7" * 1_000_000,
    "1 MB of letters": b"x" * 1_000_000,
    "1 MB of spaces before": b" " * 1_000_000 + b"5",
    "beyond the limit": b"1000001",
    "underscore": b"1_0",
    "arabic digit": "٣".encode(),
    "fullwidth digit": "５".encode(),
    "superscript": "²".encode(),
    "decimal": b"5.0",
    "comma": b"5,0",
    "true": b"true",
    "exponent": b"1e1",
    "hexadecimal": b"0x5",
    "NaN": b"NaN",
    "inf": b"inf",
    "NUL": b"\0",
    "NUL after": b"5\0",
    "lone surrogate": b"\xed\xa0\x80",
    "invalid UTF-8": b"\xff\xfe5",
    "overlong": b"\xc0\xb5",
    "escape sequence": b"\x1b[31m5",
    "title sequence": b"\x1b]0;owned\x07",
    "bidi": "\u202e5".encode(),
    "zero width": "\u200b5".encode(),
    "two numbers": b"5 6",
    "braces": b"{player}",
    "percent": b"%s",
    "word": b"seven",
    "bare sign": b"+",
}


@pytest.mark.parametrize("game", GAMES)
def test_poison_is_asked_again_and_never_a_forfeit(zerosum: Zerosum, game: str) -> None:
    """Promise 9 and ruling 4: text that is no number, or one beyond the limit, is not a selection."""
    lines = [*POISON.values(), b"", b"   "]
    ran = zerosum("play", game, stdin=b"\n".join([*lines, b"quit\n"]))
    assert ran.status == 0
    assert ran.out.count("is not a whole number.") + ran.out.count("is too large; numbers go") == len(lines) - 3
    assert ran.out.count("Type a number, or help.\n") == 3  # two blank lines, and spaces up to the line's limit
    assert "forfeits" not in ran.out
    assert ran.last_notice == "No move was made, so nothing is kept."


@pytest.mark.parametrize("game", GAMES)
def test_what_is_echoed_or_quoted_cannot_act_on_a_terminal(zerosum: Zerosum, game: str) -> None:
    ran = zerosum("play", game, stdin=b"\n".join([*POISON.values(), b"quit\n"]))
    assert {c for c in ran.out + ran.err if not c.isprintable()} <= {"\n"}
    assert max(map(len, ran.out.splitlines())) < 1_200  # a line of a megabyte is cut, not printed


@pytest.mark.parametrize("name", sorted(POISON))
def test_no_poison_forfeits_the_duel(zerosum: Zerosum, name: str) -> None:
    zerosum("play", "zero-sum-duel", stdin=POISON[name] + b"\n+5\nquit\n").ok()
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


@pytest.mark.parametrize("text", ["5", " 5 ", "+5", "05", "0" * 60 + "5", "\t5\r"])
def test_other_ways_to_write_a_number(zerosum: Zerosum, text: str) -> None:
    assert zerosum("play", "sum31", stdin=f"{text}\nquit\n").status == 0
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


def test_the_unicode_minus_is_a_minus(zerosum: Zerosum) -> None:
    zerosum("play", "zero-sum-game", stdin="\N{MINUS SIGN}4\nquit\n").ok()
    zerosum("play", "zero-sum-duel", stdin="5\n\N{MINUS SIGN}\nquit\n").ok()
    assert sorted(tuple(kept["moves"]) for kept in zerosum.unfinished()) == [("-4",), ("-5",)]


@pytest.mark.parametrize("zeros", [1, 60, 900])
def test_a_taken_number_with_leading_zeros_forfeits_the_duel(zerosum: Zerosum, zeros: int) -> None:
    ran = zerosum.play("zero-sum-duel", answers=f"+5 {'0' * zeros}5").ok()
    assert ran.out.endswith("Invalid move: 5.\nPlayer 2 forfeits the game.\nPlayer 1 wins!\n")


@pytest.mark.parametrize("text", ["x" * 1000, "\x1b[2J", "5", "adds", "+-", "(A)", "_add", "0"])
def test_no_operation_forfeits_the_duel_and_stays_readable(zerosum: Zerosum, text: str) -> None:
    ran = zerosum("play", "zero-sum-duel", stdin=f"5\n{text}\n").ok()
    assert "Player 1 forfeits the game.\nPlayer 2 wins!\n" in ran.out
    assert {c for c in ran.out if not c.isprintable()} == {"\n"}
    assert zerosum.unfinished() == []


@pytest.mark.parametrize("word", ["a", "A", "add", "ADD", "+"])
def test_words_for_adding(zerosum: Zerosum, word: str) -> None:
    zerosum.play("zero-sum-duel", answers=f"5 {word} quit").ok()
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


@pytest.mark.parametrize("word", ["s", "S", "subtract", "Subtract", "-"])
def test_words_for_subtracting(zerosum: Zerosum, word: str) -> None:
    zerosum.play("sequence-zero", answers=f"5 {word} quit").ok()
    assert zerosum.unfinished()[0]["moves"] == ["-5"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spell", [str.lower, str.upper, str.title])
def test_commands_at_the_number_prompt(zerosum: Zerosum, game: str, spell: type[str]) -> None:
    words = " ".join(map(spell, (*COMMANDS, "undo", "quit")))
    ran = zerosum.play(game, answers=words).ok()
    assert " ".join(map(str, load_game(game).pool[-2:])) in ran.out.replace(",", "").replace("+", "")
    for said in ("The pool: ", "Numbers are moves. These words are commands:\n", "There is nothing to undo.\n"):
        assert ran.out.count(said) == 1, said
    assert "forfeits the game" not in ran.out
    assert "is not a whole number" not in ran.out
    assert ran.last_notice == "No move was made, so nothing is kept."
    assert zerosum.unfinished() == []


@pytest.mark.parametrize("game", SIGNED)
def test_commands_at_the_operation_prompt_never_forfeit(zerosum: Zerosum, game: str) -> None:
    """Ruling 4; and ruling 10: `undo` there drops the chosen number."""
    ran = zerosum.play(game, answers="5 " + " ".join(COMMANDS) + " HELP undo 4 + QUIT").ok()
    assert ran.out.count("The pool: ") == 1
    assert ran.out.count("Numbers are moves.") == 2
    assert zerosum.unfinished()[0]["moves"] == ["+4"]


def test_quit_at_the_operation_prompt_keeps_the_match_without_the_number(zerosum: Zerosum) -> None:
    assert zerosum.play("zero-sum-duel", answers="5 A 6 quit").status == 0
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


def test_moves_lists_every_legal_move(zerosum: Zerosum) -> None:
    ran = zerosum.play("sequence-zero", answers="+1 -2 moves quit").ok()
    assert "\n+3 -3 +4 -4 +5 -5 +6 -6 +7 -7 +8 -8 +9 -9\n" in ran.out


def test_rules_say_what_lenient_changes(zerosum: Zerosum) -> None:
    strict = zerosum.play("zero-sum-duel", answers="rules quit").out
    lenient = zerosum.play("zero-sum-duel", "--lenient", answers="rules quit").out
    for line in describe(load_game("zero-sum-duel"))[-4:]:
        assert f"{line}\n" in strict
    assert "forfeit" not in lenient
    assert "An invalid number or operation is asked for again (--lenient).\n" in lenient


def test_who_took_a_number_and_when(zerosum: Zerosum) -> None:
    ran = zerosum.play("sum31", answers="1 2 7 7 2 1 quit").ok()
    for reason in (
        "7 was taken by Player 1 on move 3.",
        "2 was taken by Player 2 on move 2.",
        "1 was taken by Player 1",
    ):
        assert reason in ran.out


def test_short_forms_and_slips_are_commands_at_both_prompts(zerosum: Zerosum) -> None:
    """Ruling 4: none of them forfeits; nobody resigns by a slip."""
    typed = ["?", "h", "H", "hlep", "resgin", "resig"]
    ran = zerosum("play", "zero-sum-duel", stdin="\n".join([*typed, "5", *typed, "+", "4", "qiut", ""])).ok()
    assert ran.out.count("Numbers are moves. These words are commands:\n") == 2 * 4
    assert ran.out.count("Did you mean 'resign'? Type it in full to give up.\n") == 2 * 2
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


@pytest.mark.parametrize("word", ["q", "Q", "exit", "EXIT", "exti", "quti"])
def test_leaving_in_short(zerosum: Zerosum, word: str) -> None:
    ran = zerosum("play", "zero-sum-duel", stdin=f"5\nA\n4\n{word}\n").ok()
    assert "forfeits the game" not in ran.out
    assert zerosum.unfinished()[0]["moves"] == ["+5"]


@pytest.mark.parametrize(("typed", "meant"), [("bye", "quit"), ("back", "undo"), ("chess", None)])
def test_other_words_are_answered_with_a_guess(zerosum: Zerosum, typed: str, meant: str | None) -> None:
    ran = zerosum.play("sum31", answers=f"{typed} quit").ok()
    assert (f"Did you mean '{meant}'?" in ran.out) == (meant is not None)
