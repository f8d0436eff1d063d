"""Records that a person writes, and records that lie."""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, variant
from tests.each import each
from zerosum.base.errors import RecordError, RulesError, ZerosumError
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Person, Setup
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.record import Ending, format_ending, parse_ending, parse_record

SUM31 = '[Game "sum31"]\n\n'
DUEL = '[Game "zero-sum-duel"]\n\n'


class TestReading:
    @pytest.mark.parametrize(
        "moves",
        [
            "1. +5 +6 2. +9 +8 3. +3",
            "1.+5 +6 2.+9 +8 3.+3",
            "1. 5 6 2. 9 8 3. 3",
            "+5 +6 +9 +8 +3",
            "+5 +6 2. +9 +8 +3",
            "1.\n+5\n+6\n\n2. +9\t+8   3. +3\n\n",
        ],
    )
    def test_the_least(self, moves: str) -> None:
        match = read_match(SUM31 + moves)
        assert [move.number for move in match.moves] == [5, 6, 9, 8, 3]
        assert match.outcome == Outcome(Seat.FIRST, Reason.REACHED_TARGET)

    @pytest.mark.parametrize("text", ['[Game "sum31"]', '[Game "sum31"]\n', '\n\n[Game "sum31"]\n\n\n'])
    def test_no_moves(self, text: str) -> None:
        assert read_match(text) == Match.begin(Setup(rules=built_in("sum31")))

    def test_a_written_record(self) -> None:
        setup = Setup(rules=built_in("sum31"), names=("Ann", "Bob"), first=Person.TWO, date="2024-02-29")
        match = Match.begin(setup).after(Move(5)).after(Ending(Reason.RESIGNED, Seat.FIRST))
        text = match.record()
        for line in (
            *('[Game "sum31"]', '[Pool "1,2,3,4,5,6,7,8,9"]', '[Target "31"]', '[Overshoot "loses"]'),
            *('[Player1 "Ann"]', '[Player2 "Bob"]', '[First "2"]', '[Date "2024-02-29"]'),
            *('[Result "2"]', '[Reason "resigned"]', "1. +5 resign:1"),
        ):
            assert line in text.splitlines()

    def test_the_rules_are_in_the_record(self) -> None:
        """A record of a variant needs no file, and keeps its rules under a built-in id too."""
        rules = variant("sum31", target=11, pool=[5, 6, 7])
        match = Match.begin(Setup(rules=rules)).after(Move(5)).after(Move(6))
        again = read_match(match.record())
        assert again.setup.rules == rules != built_in("sum31")
        assert again.outcome == Outcome(Seat.SECOND, Reason.REACHED_TARGET)

    def test_unknown_tags_are_left_alone(self) -> None:
        assert parse_record('[Game "sum31"]\n[Event "Club"]\n').tags["Event"] == "Club"


class TestRefusals:
    @each(
        ("text", "message"),
        [
            ("", "does not say which game"),
            ("1. +5", "does not say which game"),
            ('[Game "chess"]', "'chess', which is not built in"),
            ("[Game sum31]", "Line 1 of the record is not a tag"),
            ('[Game "sum31"', "Line 1 of the record is not a tag"),
            ('[Game "sum31"]\n[Game "sum31"]', "Line 2 of the record gives the tag Game a second time"),
            (SUM31 + "2. +5", "'2.' is out of order after 0 moves"),
            (SUM31 + "1. +5 1. +6", "'1.' is out of order after 1 moves"),
            (SUM31 + "1. +5 2. +6", "'2.' is out of order after 1 moves"),
            (SUM31 + "1. +5 +6 1. +7", "'1.' is out of order after 2 moves"),
            (SUM31 + "1. +5 +6 3. +7", "'3.' is out of order"),
            (SUM31 + "1. +5 +5", "Move 2, +5: +5 is not allowed: that number is not available"),
            (SUM31 + "1. +5 x", "Move 2, x: 'x' is not a whole number"),
            (SUM31 + "1. +5 swap", "Move 2, swap: swap is not allowed: seats can only be swapped"),
            (SUM31 + "1. +5 +6 2. +9 +8 3. +3 +1", "Move 6, +1: +1 is not allowed: the match is over"),
            (SUM31 + "1. +5 resign:1 +6", "'+6' stands after the end of the match"),
            (SUM31 + "1. +5 resign:1 resign:2", "'resign:2' stands after the end"),
            (SUM31 + "1. +5 resign:3", "Move 2, resign:3"),
            (SUM31 + '1. +5 " +6', "Move 2"),
            (SUM31 + "1. +5 +6 2. +9 +8 3. +3 resign:1", "The match is over; nothing can follow"),
            (DUEL + "1. 5", "Move 1, 5: '5' is not a move here"),
            (DUEL + '1. +5 forfeit:2:"6 +"', "the answer '6 +' forfeits, but"),
            (DUEL + '1. +5 forfeit:2:"x"', "the answer 'x' forfeits, but"),
            (DUEL + '1. +5 forfeit:2:""', "does not"),
            (DUEL + '1. +5 forfeit:2:"-6"', "does not"),
            (DUEL + '1. +5 forfeit:1:"5"', "the answer '5' forfeits, but"),
            (DUEL + "1. +5 forfeit:2", "Move 2, forfeit:2"),
            (SUM31 + '1. +5 forfeit:2:"5"', "the answer '5' forfeits, but"),
            ('[Game "zero-sum-duel"]\n[Lenient "true"]\n\n1. +5 forfeit:2:"5"', "does not"),
            ('[Game "sum31"]\n[First "3"]', "The tag First must be 1 or 2"),
            ('[Game "sum31"]\n[Lenient "yes"]', "The tag Lenient must be true or false"),
            ('[Game "sum31"]\n[Date "today"]', "The tag Date cannot be 'today'"),
            ('[Game "sum31"]\n[Who1 "/bin/sh"]', "The tag Who1 cannot be"),
            ('[Game "sum31"]\n[Player1 "\x1b[0m"]', "tag Player1"),
            ('[Game "sum31"]\n[Series "s"]\n[Best-Of "3"]\n[Round "4"]', "Round 4 of a best of 3 is not possible"),
        ],
    )
    def test_refused(self, text: str, message: str) -> None:
        with pytest.raises(RecordError) as caught:
            read_match(text)
        assert message in str(caught.value)
        assert str(caught.value).isprintable()

    @pytest.mark.parametrize(
        ("tags", "message"),
        [
            ('[Pool "1,2"]', "format: missing"),
            ('[Format "1"]\n[Name "x"]\n[Pool "1,0"]\n[Target "3"]', "pool: 0 is not allowed"),
            (
                '[Format "1"]\n[Name "x"]\n[Pool "1,x"]\n[Target "3"]',
                "pool: number 2 of the list, 'x', must be a whole number",
            ),
            ('[Format "1"]\n[Name "x"]\n[Pool "1"]\n[Target "true"]', "target: must be a whole number"),
            ('[Format "2"]\n[Name "x"]\n[Pool "1"]\n[Target "3"]', "format: 2 is newer"),
            ('[Format "1"]\n[Name "x"]\n[Pool "1"]\n[Target "3"]\n[Swap "1"]', "swap: must be true or false"),
        ],
    )
    def test_bad_rules(self, tags: str, message: str) -> None:
        with pytest.raises(RulesError) as caught:
            read_match(f'[Game "mine"]\n{tags}\n\n')
        assert message in str(caught.value)


class TestResults:
    def test_an_edited_result_is_worked_out_anew(self) -> None:
        text = '[Game "sum31"]\n[Result "2"]\n[Reason "forfeit"]\n\n1. +5 +6 2. +9 +8 3. +3'
        assert read_match(text).outcome == Outcome(Seat.FIRST, Reason.REACHED_TARGET)
        assert '[Result "1"]\n[Reason "reached-target"]' in read_match(text).record()

    def test_an_unfinished_match_has_no_result(self) -> None:
        assert read_match('[Game "sum31"]\n[Result "1"]\n\n1. +5').outcome is None
        assert '[Result "*"]' in read_match(SUM31 + "1. +5").record()

    @pytest.mark.parametrize(
        ("answers", "text"), [(("5",), "5"), (("-5",), "-5"), (("6", ""), "6 "), (("6", 'a "b" \\'), '6 a "b" \\')]
    )
    def test_forfeits_are_replayed(self, answers: tuple[str, ...], text: str) -> None:
        sitting = Sitting("zero-sum-duel")
        sitting.say("+5")
        sitting.say(*answers)
        match = sitting.referee.match
        assert match.ending == Ending(Reason.FORFEIT, Seat.SECOND, text)
        assert read_match(match.record()) == match
        assert match.position == after("zero-sum-duel", "+5")

    def test_beyond_the_ply_limit(self) -> None:
        """A record cannot go on after the limit of a sudden-death match."""
        rules = variant("zero-sum-game", pool=[1, 1], operations=["add", "subtract"], target=100)
        match = Match.begin(Setup(rules=rules))
        while match.outcome is None:
            match = match.after(match.position.legal_moves()[len(match.moves) // 2 % 2])
        assert match.outcome == Outcome(Seat.FIRST, Reason.PLY_LIMIT)
        assert read_match(match.record()) == match
        with pytest.raises(ZerosumError, match="over"):
            read_match(match.record() + " +1")


class TestEndings:
    @pytest.mark.parametrize(
        "ending",
        [
            Ending(Reason.RESIGNED, Seat.FIRST),
            Ending(Reason.TIME, Seat.SECOND),
            Ending(Reason.FORFEIT, Seat.FIRST, "5 "),
            Ending(Reason.FORFEIT, Seat.SECOND, 'a "b" \\'),
        ],
    )
    def test_round_trip(self, ending: Ending) -> None:
        assert parse_ending(format_ending(ending)) == ending
        assert ending.outcome == Outcome(ending.seat.other, ending.reason)

    @pytest.mark.parametrize("text", ["", "resign", "resign:0", 'resign:1:"x"', "forfeit:1", "time:12", "Resign:1"])
    def test_not_endings(self, text: str) -> None:
        assert parse_ending(text) is None
