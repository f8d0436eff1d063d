"""Positions as text: what is written, what is read, and why the rest is refused."""

from __future__ import annotations

import pytest

from tests.clauses.replay import after, ended, variant
from zerosum.base.errors import IllegalPositionError, InvalidTextError
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.notation import parse_position

SWAPPED = variant("sum31", swap=True)
MIRROR = variant("zero-sum-duel", ban="mirror", pool=[5, 5, 3, -3])
ODD_SUDDEN_DEATH = variant("zero-sum-game", pool=[1, 1, 2], start=[1, 1])


@pytest.mark.parametrize(
    ("rules", "moves", "text"),
    [
        ("sum31", (), "1,2,3,4,5,6,7,8,9 0 1"),
        ("sum31", ("5", "6", "9", "8"), "1,2,3,4,7 28 1"),
        ("sum31", ("5", "6", "9", "8", "3"), "1,2,4,7 31 2"),
        ("zero-sum-game", ("-5", "+4"), "-4,-3,-2,-1,1,2,3,5 -5/4 1"),
        ("sequence-zero", ("-5", "+6"), "1,2,3,4,7,8,9 -5/6 1"),
        (variant("sum31", pool=[1, 2]), ("1", "2"), "- 3 1"),
        (SWAPPED, (), "1,2,3,4,5,6,7,8,9 0 1 -"),
        (SWAPPED, ("5",), "1,2,3,4,6,7,8,9 5 2 +5"),
        (SWAPPED, ("5", "swap"), "1,2,3,4,6,7,8,9 5 2 +5,swap"),
        (SWAPPED, ("5", "swap", "6"), "1,2,3,4,7,8,9 11 1 +6"),
        (MIRROR, ("+-3",), "3,5,5 -3 2 +-3"),
        (MIRROR, ("--3", "-5"), "3,5 -2 1 -5"),
    ],
)
def test_written_and_read(rules: str | Rules, moves: tuple[str, ...], text: str) -> None:
    position = after(rules, *moves)
    assert str(position) == text
    assert parse_position(text, position.rules) == position


class TestMemory:
    def test_swap_is_open_after_the_first_ply_only(self) -> None:
        assert SWAP in parse_position("1,2,3,4,6,7,8,9 5 2 +5", SWAPPED).legal_moves()
        assert SWAP not in parse_position("1,2,3,4,6,7,8,9 5 2 +5,swap", SWAPPED).legal_moves()

    def test_the_ban_remembers_through_text(self) -> None:
        position = parse_position("3,5 5 2 +5", variant("zero-sum-duel", ban="mirror", pool=[5, 5, 3]))
        assert Move(5) in position.legal_moves()
        assert [position.text_of(move) for move in position.legal_moves()] == ["+3", "-3", "+5"]

    @pytest.mark.parametrize("text", ["1,2,3,4,6,7,8,9 5 2", "1,2,3,4,5,6,7,8,9 0 1", ""])
    def test_the_fourth_field_is_due(self, text: str) -> None:
        for rules in (SWAPPED, variant("sum31", ban="mirror")):
            with pytest.raises(InvalidTextError, match="write POOL TOTALS SEAT PREVIOUS, such as"):
                parse_position(text, rules)

    @pytest.mark.parametrize("game", GAME_IDS)
    def test_the_fourth_field_is_not_due(self, game: str) -> None:
        with pytest.raises(InvalidTextError, match="write POOL TOTALS SEAT, such as"):
            parse_position(f"{after(game)} -", built_in(game))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1,2,3,4,6,7,8,9 5 2 -", "Only the start has no previous move"),
            ("1,2,3,4,6,7,8,9 5 2 +6", "The previous number 6 is still in the pool"),
            ("1,2,3,4,5,6,7,8,9 0 1 +5", "With no number used the position is"),
            ("1,2,3,4,7,8,9 11 1 +6,swap", "A swap is the second ply"),
        ],
    )
    def test_impossible_memory(self, text: str, message: str) -> None:
        with pytest.raises(IllegalPositionError, match=message):
            parse_position(text, SWAPPED)

    @pytest.mark.parametrize("memory", ["swap", "+5,", "+5,x", "x", "", "+5,swap,swap", ",swap"])
    def test_unreadable_memory(self, memory: str) -> None:
        with pytest.raises(InvalidTextError):
            parse_position(f"1,2,3,4,6,7,8,9 5 2 {memory}", SWAPPED)

    def test_swap_without_the_rule(self) -> None:
        with pytest.raises(InvalidTextError, match="not a previous move"):
            parse_position("1,2,3,4,6,7,8,9 5 2 +5,swap", variant("sum31", ban="mirror"))

    def test_a_later_round_that_looks_like_the_second_ply(self) -> None:
        """In sudden death the numbers may come back as they were; the seats cannot be swapped then."""
        rules = variant("zero-sum-game", pool=[1, 1], target=10, swap=True, operations=["add", "subtract"])
        second = after(rules, "+1")
        again = after(rules, "+1", "+1", "-1", "-1", "+1")
        assert (again.pool, again.totals, again.seat) == (second.pool, second.totals, second.seat)
        assert (str(second), str(again)) == ("1 1/0 2 +1", "1 1/0 2 +1,swap")
        assert (second.swap_open, again.swap_open) == (True, False)
        assert [parse_position(str(one), rules) for one in (second, again)] == [second, again]


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is not a position: write POOL TOTALS SEAT, such as '1,2,3,4,5,6,7,8,9 0 1'"),
            ("1,2 28", "is not a position"),
            ("1,2  28 1", "is not a position"),
            ("1,2 28 1 ", "is not a position"),
            (" 1,2 28 1", "is not a position"),
            ("1,,2 28 1", "is not a whole number"),
            (",1 28 1", "is not a whole number"),
            ("1;2 28 1", "is not a whole number"),
            ("1,x 28 1", "is not a whole number"),
            ("1,٣ 28 1", "is not a whole number"),
            ("1,2 x 1", "is not a whole number"),
            ("1,2 28/3 1", "not the totals of this game: one number"),
            ("1,2 9999999999999 1", "too large"),
            ("1,2 28 3", "'3' is not a seat: it is 1 or 2"),
            ("1,2 28 0", "is not a seat"),
            ("1,2 28 x", "is not a seat"),
            ("1,2 28 01", "is not a seat"),
        ],
    )
    def test_unreadable(self, text: str, message: str) -> None:
        with pytest.raises(InvalidTextError) as caught:
            parse_position(text, built_in("sum31"))
        assert message in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1,2,3,4,7,7 28 1", "7 is in the position's pool more often than in the game's"),
            ("1,2,3,4,10 28 1", "10 is in the position's pool more often"),
            ("0 28 1", "0 is in the position's pool"),
            ("1,2,3,4,7 28 2", "With 4 numbers used it is seat 1's turn"),
            ("1,2,3,4,7 27 1", "The used numbers make 28, not 27"),
            ("1,2,3,4,5,6,7,8,9 1 1", "With no number used the position is '1,2,3,4,5,6,7,8,9 0 1'"),
            ("1,2,3,4,5,6,7,8,9 0 2", "With no number used"),
        ],
    )
    def test_impossible(self, text: str, message: str) -> None:
        with pytest.raises(IllegalPositionError) as caught:
            parse_position(text, built_in("sum31"))
        assert message in str(caught.value)

    def test_own_totals_are_two(self) -> None:
        with pytest.raises(InvalidTextError, match="t1/t2, one for each seat"):
            parse_position("1,2,3,4,7,8,9 5 1", built_in("sequence-zero"))

    def test_an_empty_pool_that_is_refilled(self) -> None:
        with pytest.raises(IllegalPositionError, match="write the full pool"):
            parse_position("- -15/15 1", built_in("zero-sum-game"))

    def test_positions_that_are_over(self) -> None:
        assert ended(parse_position("1,2,4,7 31 2", built_in("sum31"))) == (1, "reached-target")
        assert ended(parse_position("1,2,3,4 35 2", built_in("sum31"))) == (2, "overshot")
        assert ended(parse_position("- -1/-2 2", built_in("sequence-zero"))) == (1, "closer")


class TestSuddenDeath:
    def test_a_full_pool_with_any_totals(self) -> None:
        position = parse_position("-5,-4,-3,-2,-1,1,2,3,4,5 -15/15 1", built_in("zero-sum-game"))
        assert position == after("zero-sum-game", "-5", "+5", "-4", "+4", "-3", "+3", "-2", "+2", "-1", "+1")

    def test_the_turn_with_an_even_pool(self) -> None:
        with pytest.raises(IllegalPositionError, match="seat 1's turn"):
            parse_position("-5,-4,-3,-2,-1,1,2,3,4,5 -15/15 2", built_in("zero-sum-game"))

    def test_the_turn_with_an_odd_pool(self) -> None:
        """Each round is begun by the other seat, so both can be to move."""
        position = after(ODD_SUDDEN_DEATH, "+1", "+2", "+1")
        assert str(position) == "1,1,2 3/3 2"
        assert parse_position("1,1,2 3/3 2", ODD_SUDDEN_DEATH) == position
        assert parse_position("1,2 4/4 1", ODD_SUDDEN_DEATH).seat == 1
        assert parse_position("1,2 4/4 2", ODD_SUDDEN_DEATH).seat == 2
