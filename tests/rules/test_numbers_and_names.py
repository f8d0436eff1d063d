"""The one number grammar and the one check of names, at their edges."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.each import each
from tests.strategies import POISON
from zerosum.base import limits
from zerosum.base.errors import BadNameError, InvalidTextError, RecordError, ZerosumError
from zerosum.base.text import (
    ASCII,
    TABLE,
    check_name,
    check_player_name,
    parse_number,
    printable,
    read_characters,
    same_name,
    shorten,
    signed,
    skeleton,
)
from zerosum.match.match import Match, read_match
from zerosum.match.new_setup import new_setup
from zerosum.match.setup import SetupError
from zerosum.rules.game_files import load_game, load_text
from zerosum.rules.moves import ADD_ONLY, Operation, parse_move

BOTH = (Operation.ADD, Operation.SUBTRACT)


class TestNumbers:
    @each("text", POISON)
    def test_poison(self, text: str) -> None:
        """What is not `[+-]?[0-9]+` within the limit is refused, as a number and as a move."""
        for read in (parse_number, lambda text: parse_move(text, ADD_ONLY), lambda text: parse_move(text, BOTH)):
            with pytest.raises(InvalidTextError) as caught:
                read(text)
            assert str(caught.value).isprintable()
            assert len(str(caught.value)) < 500

    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("5", 5),
            ("+5", 5),
            ("-5", -5),
            ("\N{MINUS SIGN}5", -5),
            ("007", 7),
            ("-0", 0),
            ("000", 0),
            ("1000000", 1_000_000),
            ("-1000000", -1_000_000),
            ("0" * 5_000 + "5", 5),
            ("-" + "0" * 5_000 + "1000000", -1_000_000),
        ],
        ids=lambda value: str(value)[:12],
    )
    def test_numbers(self, text: str, number: int) -> None:
        assert parse_number(text) == number

    def test_the_limit_is_named(self) -> None:
        with pytest.raises(InvalidTextError, match=r"^'1000001' is too large; numbers go from -1000000 to 1000000\.$"):
            parse_number("1000001")
        assert parse_number("1000001", limits.TOTAL) == 1_000_001
        with pytest.raises(InvalidTextError, match=f"to {10**12}"):
            parse_number(str(10**12 + 1), limits.TOTAL)

    def test_signed(self) -> None:
        assert [signed(number) for number in (5, -5, 0)] == ["+5", "-5", "+0"]


class TestMoves:
    @pytest.mark.parametrize(
        ("text", "amount", "number"), [("+5", 5, 5), ("-5", -5, 5), ("+-3", -3, -3), ("--3", 3, -3)]
    )
    def test_add_or_subtract(self, text: str, amount: int, number: int) -> None:
        move = parse_move(text, BOTH)
        assert (move.amount, move.number) == (amount, number)

    @pytest.mark.parametrize("text", ["5", "", "a5", "*5", "5+", "+ 5", "+5 ", "SWAP", "Swap", " swap"])
    def test_not_moves(self, text: str) -> None:
        with pytest.raises(InvalidTextError):
            parse_move(text, BOTH)

    @pytest.mark.parametrize("text", ["+-3", "--3", "swap ", "- 3", "add 3"])
    def test_not_moves_where_a_game_only_adds(self, text: str) -> None:
        with pytest.raises(InvalidTextError):
            parse_move(text, ADD_ONLY)


class TestNames:
    @pytest.mark.parametrize("name", ["Ann", "Jürgen", "李雷", 'O\'Brien "Bob"', "a" * 40, "[x]", "\\n", "😀", "Ж"])
    def test_good(self, name: str) -> None:
        assert check_name(name) == name

    @each(
        "name",
        [
            "\x1b[31mAnn",
            "\x1b]0;title\x07",
            "Ann\rBob",
            "Ann\n",
            "Ann\0",
            "Ann\t",
            "A\x7f",
            "A\x9b31m",
            "A\u202eB",
            "A\u2066B",
            "A\u200bB",
            "A\u200dB",
            "A\ufeffB",
            "A\u2028B",
            "A\u00adB",
            "A\u00a0B",
            "A\ue000B",
            "A\ud800B",
            "\u3164",
            "\u115f",
            "\u2800",
            "Ann\ufe0f",
            "\U000e0100",
            "A\u034fB",
            "A\u180eB",
            "A\U000e0041",
        ],
    )
    def test_what_a_terminal_might_act_on(self, name: str) -> None:
        with pytest.raises(BadNameError) as caught:
            check_name(name)
        assert str(caught.value).isprintable()
        assert caught.value.exit_code == 2

    @pytest.mark.parametrize("name", ["", " ", "   ", " Ann", "Ann "])
    def test_blank_edges(self, name: str) -> None:
        with pytest.raises(BadNameError):
            check_name(name)

    @pytest.mark.parametrize("length", [limits.NAME_LENGTH + 1, 1_000_000])
    def test_too_long(self, length: int) -> None:
        with pytest.raises(BadNameError, match=f"^The name has {length} characters; at most 40 are allowed"):
            check_name("x" * length)

    def test_printable(self) -> None:
        assert printable("plain Ä") == "plain Ä"
        assert printable("a\x1b[0m\u202e\ud800\u3164") == r"a\x1b[0m\u202e\ud800\u3164"

    def test_shorten(self) -> None:
        assert shorten("x" * 40) == "x" * 40
        assert shorten("x" * 41) == "x" * 40 + "..."
        assert shorten("\x1b" * 100).isprintable()


class TestNormalNames:
    """A name has one form, whoever typed it, and something to look at."""

    @pytest.mark.parametrize(
        "name", ["\u0301", "\u0301\u0308", "\u0301 \u0301", "\u0e31", "\u20dd", "\u0301Ann"], ids=ascii
    )
    def test_nothing_for_a_mark_to_stand_on(self, name: str) -> None:
        with pytest.raises(BadNameError, match="begins with a combining mark, U\\+"):
            check_name(name)

    def test_twins(self) -> None:
        """The same name in two encodings is stored as one."""
        assert check_name("Zoe\u0308") == check_name("Zo\u00eb") == "Zo\u00eb"
        assert check_name("\u212bsa") == check_name("A\u030asa") == "\u00c5sa"

    def test_the_length_is_that_of_the_normal_form(self) -> None:
        assert check_name("e\u0301" * limits.NAME_LENGTH) == "\u00e9" * limits.NAME_LENGTH
        with pytest.raises(BadNameError, match="has 41 characters"):
            check_name("e\u0301" * (limits.NAME_LENGTH + 1))
        with pytest.raises(BadNameError, match="has 60 characters"):
            check_name("\u0958" * 30)  # which has no composed form

    @pytest.mark.parametrize(
        ("one", "two"),
        [
            ("Ann", "ANN"),
            ("Zo\u00eb", "ZOE\u0308"),
            ("stra\u00dfe", "STRASSE"),
            ("\uff21nn", "ann"),
            ("\ufb01n", "FIN"),
            ("\u03a3", "\u03c2"),
        ],
    )
    def test_the_same_to_a_reader(self, one: str, two: str) -> None:
        assert same_name(one, two)
        assert not same_name(one, two + "x")
        with pytest.raises(SetupError, match="need different names"):
            new_setup(load_game("sum31"), names=(one, two))

    @given(st.text(max_size=limits.NAME_LENGTH))
    @example("e\u0301")
    @example("\u0344")
    @example("\u1e9b\u0323")
    def test_normalising_twice_changes_nothing(self, text: str) -> None:
        try:
            name = check_name(text)
        except BadNameError:
            return
        assert check_name(name) == name
        assert unicodedata.is_normalized("NFC", name)
        assert same_name(text, name)

    @given(st.text(max_size=limits.NAME_LENGTH))
    @example("Zoe\u0308")
    def test_records_give_back_the_name(self, text: str) -> None:
        try:
            setup = new_setup(load_game("sum31"), names=(text, "Somebody else"), seed=text)
        except ZerosumError:
            return
        assert setup.names[0] == check_name(text)
        again = read_match(Match.begin(setup).record()).setup
        assert (again.names, again.seed) == (setup.names, setup.seed)

    @each(
        "name",
        [
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f3f3\ufe0f\u200d\U0001f308",
            "\u2764\ufe0f",
            "Ann \U0001f44d\U0001f3fd",
            "1\ufe0f\u20e3",
            "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
            "\U0001f1eb\U0001f1ee",
            "\U0001fae8",
        ],
    )
    def test_emoji_are_welcome_with_the_joiners_inside_them(self, name: str) -> None:
        assert check_player_name(name) == name == printable(name)

    @each("name", ["\u200d\U0001f469", "\U0001f469\u200d", "A\u200d\U0001f469", "1\ufe0f", "A\U000e0067", "\ufe0f"])
    def test_a_joiner_outside_an_emoji_is_not(self, name: str) -> None:
        with pytest.raises(BadNameError, match="cannot be shown"):
            check_player_name(name)
        assert printable(name).isprintable()

    @each(
        "name",
        ["e\u0301\u0323", "\u1ebf", "\u1f82", "\u0e01\u0e34\u0e49", "\u05e9\u05bc\u05c1", "\u0915\u094d\u0937\u093f"],
    )
    def test_two_marks_a_letter_are_allowed(self, name: str) -> None:
        check_player_name(f"Z{name}")

    @each(
        "name",
        ["e\u0301\u0323\u0308", "\u1ebf\u0323", "o\u0302\u20dd\u0301", "\u0e01" + "\u0e49" * 3],
    )
    def test_three_are_not(self, name: str) -> None:
        with pytest.raises(BadNameError, match="more than 2 combining marks"):
            check_player_name(f"Z{name}")
        check_name(name)  # of a match that an earlier version kept

    @each(
        ("one", "two"),
        [
            ("Ann", "\u0410nn"),
            ("ann", "\u0410NN"),
            ("Bob", "\u0412ob"),
            ("Player 1", "Player l"),
            ("Player 1", "PIayer I"),
            ("Tom", "Torn"),
            ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
            ("\u2764", "\u2764\ufe0f"),
            ("O'Hara", "0\u2019Hara"),
            ("\U0001d400nn", "\u0410nn"),
        ],
    )
    def test_look_alikes_are_the_same_name(self, one: str, two: str) -> None:
        assert same_name(one, two)
        assert same_name(two, one)
        with pytest.raises(SetupError, match="look alike"):
            new_setup(load_game("sum31"), names=(one, two))

    @each(("one", "two"), [("Ann", "Anne"), ("Player 1", "Player 2"), ("\u0416", "Zh"), ("\U0001f600", "\U0001f601")])
    def test_names_that_differ_to_a_reader(self, one: str, two: str) -> None:
        assert not same_name(one, two)

    def test_names_in_ascii_need_no_table(self) -> None:
        """The few entries in the code are those of the table."""
        ascii_entries: dict[str, str] = {}
        for line in (one for one in Path(TABLE).read_text().splitlines() if not one.startswith("#")):
            looks, *characters = line.split()
            ascii_entries |= {chr(int(one, 16)): read_characters(looks) for one in characters if int(one, 16) < 128}
        assert ascii_entries == ASCII

    @given(st.text(max_size=limits.NAME_LENGTH))
    def test_a_skeleton_is_its_own_skeleton(self, text: str) -> None:
        assert same_name(text, text)
        assert skeleton(skeleton(text)) == skeleton(text)

    def test_titles_and_records(self) -> None:
        assert load_text('like = "sum31"\nid = "x"\nname = "Zoe\u0308"\n').name == "Zo\u00eb"
        record = '[Game "sum31"]\n[Player1 "Zoe\u0308"]\n\n1. +5\n'
        assert read_match(record).setup.names[0] == "Zo\u00eb"
        with pytest.raises(RecordError, match="combining mark"):
            read_match(record.replace("Zoe", ""))
