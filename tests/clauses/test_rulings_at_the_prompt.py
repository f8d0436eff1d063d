"""The rulings about answers at the prompts: what forfeits (4), undo (10), and who begins (11)."""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, variant
from zerosum.match.match import Match, Undo, read_match
from zerosum.match.new_setup import new_setup
from zerosum.match.referee import NothingToUndoError, Refusal
from zerosum.match.setup import Person
from zerosum.match.typed_moves import COMMANDS, OPERATION_WORDS, SHORT_FORMS, read_prompt_command
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.record import Ending


class TestRuling4:
    """Zero Sum Duel: what forfeits."""

    @pytest.mark.parametrize("answer", ["5", "0", "10", "-7", "+12", "-5", "+5", "1000000", "005", "\N{MINUS SIGN}5"])
    def test_readable_number_that_is_not_available(self, answer: str) -> None:
        """Ruling 4: at the number prompt, a readable whole number that is not available."""
        sitting = Sitting("zero-sum-duel")
        sitting.say("5", "a")
        if answer == "-7":
            sitting.say("7", "a")
        sitting.say(answer)
        assert sitting.end is not None
        assert sitting.end[1] == "forfeit"

    @pytest.mark.parametrize("answer", ["", "x", "a d d", "++", "5", "plusses", "aa", "hinted", "\x1b", "x" * 500])
    def test_no_operation(self, answer: str) -> None:
        """Ruling 4: at the operation prompt, any answer that is not an operation, an empty one too."""
        sitting = Sitting("zero-sum-duel")
        sitting.say("5", answer)
        assert sitting.end == (2, "forfeit")
        assert read_match(sitting.referee.match.record()) == sitting.referee.match

    @pytest.mark.parametrize(
        ("answer", "total"),
        [
            *((word, 5) for word in ("a", "A", "add", "ADD", "+", "ad", "p", "plus", "Pl", " a ")),
            *((word, -5) for word in ("s", "S", "Subtract", "-", "sub", "SUB", "subtr", "m", "min", "Minus")),
        ],
    )
    def test_operations(self, answer: str, total: int) -> None:
        """Ruling 4: +, - and every beginning of add, plus, subtract and minus, in any case, are operations."""
        sitting = Sitting("zero-sum-duel")
        sitting.say("5", answer)
        assert sitting.position.totals == (total,)
        names = ("add", "plus", "subtract", "minus")
        beginnings = {name[:end] for name in names for end in range(1, len(name) + 1)}
        assert {word for word in OPERATION_WORDS if word.isascii()} == {"+", "-"} | beginnings

    def test_a_forfeit_by_a_word_that_is_an_operation_now_stays_one(self) -> None:
        """A match that an earlier version kept is read as it was played."""
        kept = Match.begin(new_setup(built_in("zero-sum-duel"))).after(Ending(Reason.FORFEIT, Seat.FIRST, "5 sub"))
        read = read_match(kept.record())
        assert read.outcome is not None
        assert read.outcome.winner is Seat.SECOND

    @pytest.mark.parametrize(
        "answer", ["", "x", "five", "5.0", "1e1", "1_0", "٣", "1000001", "9" * 25, "9223372036854775808", "5 +", "swap"]
    )
    def test_text_that_is_no_number(self, answer: str) -> None:
        """Ruling 4: text that is no number, or one beyond the parser's limit, is asked for again."""
        sitting = Sitting("zero-sum-duel")
        sitting.say("5", "a")
        assert isinstance(sitting.say(answer), Refusal)
        assert sitting.end is None
        assert sitting.say("+4") is None
        assert sitting.position == after("zero-sum-duel", "+5", "+4")

    @pytest.mark.parametrize(
        ("typed", "word"),
        [
            *((word, word) for word in COMMANDS),
            ("HELP", "help"),
            ("q", "quit"),
            ("Q", "quit"),
            ("exit", "quit"),
            ("?", "help"),
            ("h", "help"),
            ("hlep", "help"),  # neighbours swapped
            ("ehlp", "help"),
            ("hep", "help"),  # one letter missing
            ("helpp", "help"),  # one too many
            ("halp", "help"),  # one wrong
            ("hnit", "hint"),
            ("qiut", "quit"),
            ("exti", "quit"),
            ("uno", "undo"),
            ("move", "moves"),
            ("rule", "rules"),
            ("resgin", "resign"),
        ],
    )
    def test_commands_short_forms_and_slips(self, typed: str, word: str) -> None:
        """Ruling 4: commands, their short forms and misspellings by one letter or two neighbours never forfeit."""
        command = read_prompt_command(typed)
        assert command is not None
        assert command.word == word
        assert command.exact == (typed.lower() in (*COMMANDS, *SHORT_FORMS))

    @pytest.mark.parametrize(
        "typed",
        ["", "x", "a", "s", "+", "-", "add", "subtract", "ad", "5", "-5", "hinted", "plhe", "hpel", "qq", "bye"],
    )
    def test_nothing_else_is_a_command(self, typed: str) -> None:
        """Ruling 4: two slips, operations and anything else are no command, so at the operation prompt they count."""
        assert read_prompt_command(typed) is None

    def test_lenient(self) -> None:
        """Ruling 4: lenient asks again instead, at either prompt."""
        sitting = Sitting("zero-sum-duel", lenient=True)
        assert sitting.say("12") == "12 is not one of the numbers of this game."
        assert sitting.say("5", "x") == "Say whether to add or subtract 5: + or -."
        assert sitting.say("5", "x", "add") is None
        assert sitting.say("5") == "5 was taken by Player 1 on move 1."
        assert sitting.end is None

    def test_forfeit_of_many_digits(self) -> None:
        """Ruling 4: leading zeros do not make a number unreadable, nor its forfeit."""
        sitting = Sitting("zero-sum-duel")
        sitting.say("5", "a")
        sitting.say("0" * 900 + "5")
        assert sitting.end == (1, "forfeit")
        assert read_match(sitting.referee.match.record()) == sitting.referee.match


class TestRuling10:
    """Undo."""

    def test_one_ply_between_people(self) -> None:
        """Ruling 10: one ply between people, whoever asks."""
        for asking in Person:
            sitting = Sitting("sum31")
            sitting.say("5", "6", "9")
            assert sitting.referee.undo(asking) == Undo(1)
            assert sitting.position == after("sum31", "5", "6")
            assert sitting.journal == [Move(5), Move(6), Move(9), Undo(1)]

    @pytest.mark.parametrize(("moves", "plies"), [(("5", "6"), 2), (("5", "6", "9"), 1), (("5", "6", "9", "8"), 2)])
    def test_own_last_turn_against_a_computer(self, moves: tuple[str, ...], plies: int) -> None:
        """Ruling 10: back to the person's own last turn against a computer."""
        sitting = Sitting("sum31", who=("human", "random"))
        sitting.say(*moves)
        assert sitting.referee.undo(Person.ONE) == Undo(plies)
        assert sitting.referee.match.to_move is Person.ONE

    def test_nothing_of_ones_own_to_undo(self) -> None:
        """Ruling 10: where the computer alone has moved there is no own turn to go back to."""
        sitting = Sitting("sum31", who=("random", "human"))
        sitting.say("5")
        with pytest.raises(NothingToUndoError):
            sitting.referee.undo(Person.TWO)
        assert sitting.position == after("sum31", "5")

    def test_nothing_to_undo_at_the_start(self) -> None:
        """Ruling 10: the start cannot be undone."""
        with pytest.raises(NothingToUndoError):
            Sitting("sum31").referee.undo(Person.ONE)

    def test_a_swap_is_undone_as_a_ply(self) -> None:
        """Ruling 10: a swap is a ply like any other; the persons are back in their seats."""
        sitting = Sitting(variant("sum31", swap=True))
        sitting.say("5", "swap")
        assert sitting.referee.match.person(Seat.FIRST) is Person.TWO
        sitting.referee.undo(Person.ONE)
        assert sitting.referee.match.person(Seat.FIRST) is Person.ONE
        assert sitting.position.swap_open

    def test_a_swap_against_a_computer(self) -> None:
        """Ruling 10: after one's own swap and the computer's move, undo goes back to before the swap."""
        sitting = Sitting(variant("sum31", swap=True), who=("random", "human"))
        sitting.say("5", "swap", "6")
        assert sitting.referee.match.to_move is Person.TWO
        assert sitting.referee.undo(Person.TWO) == Undo(2)
        assert sitting.position == after(variant("sum31", swap=True), "5")

    def test_a_chosen_number_is_no_entry(self) -> None:
        """Ruling 10: at the operation prompt nothing is written yet, so undo only drops the number."""
        sitting = Sitting("sequence-zero")
        sitting.say("5")
        assert sitting.journal == []
        assert sitting.say("6", "+") is None
        assert sitting.position == after("sequence-zero", "+6")


class TestRuling11:
    """Who begins."""

    def test_player_1_by_default(self) -> None:
        """Ruling 11: Player 1 by default, else as `--first` says; the menu and the toss are in the terminal's tests."""
        assert new_setup(built_in("sum31")).first is Person.ONE
        assert new_setup(built_in("sum31"), first="2").first is Person.TWO
        tossed = {new_setup(built_in("sum31"), first="toss", seed=str(seed)).first for seed in range(12)}
        assert tossed == set(Person)
