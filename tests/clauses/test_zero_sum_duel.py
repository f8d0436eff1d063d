"""Zero Sum Duel, clause by clause."""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, ended, legal, shy_plays, variant
from zerosum.base.errors import InvalidTextError
from zerosum.match.setup import Series
from zerosum.rules.game_files import built_in
from zerosum.rules.model import InvalidMove
from zerosum.rules.position import Clause, IllegalMoveError

GAME = "zero-sum-duel"
POOL = (1, 2, 3, 4, 5, 6, 7, 8, 9)


class TestSetup:
    def test_shared_total(self) -> None:
        """Setup 1, Shared Total Initialization: zero."""
        assert after(GAME).totals == (0,)

    def test_pool(self) -> None:
        """Setup 2, Number Pool: 1 to 9."""
        assert after(GAME).pool == POOL

    def test_players(self) -> None:
        """Setup 3, Player Designation: whoever goes first sits in seat 1."""
        assert after(GAME).seat == 1


class TestTurns:
    def test_order(self) -> None:
        """Turns, Turn Order: players alternate."""
        assert [after(GAME, *("+1", "+2", "+4")[:plies]).seat for plies in range(4)] == [1, 2, 1, 2]

    def test_structure(self) -> None:
        """Turns, Turn Structure 1 to 5: an unused number, an operation, the total updated."""
        position = after(GAME, "+9")
        assert legal(position)[:4] == ["+1", "-1", "+2", "-2"]
        assert position.play("-4").totals == (5,)
        assert position.play("-4").pool == (1, 2, 3, 5, 6, 7, 8)

    def test_number_then_operation(self) -> None:
        """Turns, Turn Structure 3 and 4: the number is selected first, the operation is chosen then."""
        sitting = Sitting(GAME)
        assert sitting.say("5") is None
        assert sitting.position == after(GAME)
        assert sitting.say("5", "A") is None
        assert sitting.position == after(GAME, "+5")

    def test_check_for_win(self) -> None:
        """Turns, Turn Structure 6 and 7: zero wins, anything else passes the turn."""
        assert ended(after(GAME, "+5", "-3")) is None
        assert ended(after(GAME, "+5", "-3", "-2")) == (1, "reached-target")


class TestNumberSelection:
    def test_unique_usage(self) -> None:
        """Rules 1, Unique Usage: each number can be selected only once, whichever way it is applied."""
        for move in ("+5", "-5"):
            with pytest.raises(IllegalMoveError) as caught:
                after(GAME, "+5", move)
            assert caught.value.clause is Clause.NUMBER

    def test_valid_choices(self) -> None:
        """Rules 1, Valid Choices: players must choose from the remaining numbers."""
        assert legal(after(GAME, "+1", "+2", "+4", "+6", "+7", "+8")) == ["+3", "-3", "+5", "-5", "+9", "-9"]


class TestOperationChoice:
    @pytest.mark.parametrize("number", POOL)
    def test_addition_or_subtraction(self, number: int) -> None:
        """Rules 2, Addition or Subtraction: either, for any number."""
        assert after(GAME, f"+{number}").totals == (number,)
        assert after(GAME, f"-{number}").totals == (-number,)

    def test_mandatory(self) -> None:
        """Rules 2, Mandatory Operation: a number without an operation is no move."""
        with pytest.raises(InvalidTextError, match=r"\+5"):
            after(GAME, "5")


class TestUpdatingTheSharedTotal:
    def test_immediate(self) -> None:
        """Rules 3, Immediate Update: the total is what was added less what was subtracted."""
        assert [after(GAME, *("+9", "-1", "-3", "+2")[:n]).totals[0] for n in range(1, 5)] == [9, 8, 5, 7]


class TestWinningTheGame:
    def test_objective(self) -> None:
        """Rules 4, Objective: the first to make the total exactly zero wins."""
        assert ended(after(GAME, "+9", "-4", "-5")) == (1, "reached-target")
        assert ended(after(GAME, "+9", "-4", "-3", "-2")) == (2, "reached-target")

    def test_no_draws(self) -> None:
        """Rules 4, No Draws: all numbers used and not zero, the last who made a valid move wins: seat 1, the ninth."""
        ends = {ended(line[-1]) for line in shy_plays(GAME, 100) if not line[-1].pool}
        assert ends == {(1, "last-mover")}

    def test_no_draws_in_an_even_pool(self) -> None:
        """Rules 4, No Draws: in a variant with an even pool the last is seat 2."""
        assert ended(after(variant(GAME, pool=[1, 2]), "+1", "+2")) == (2, "last-mover")


class TestInvalidMoves:
    def test_number_reuse(self) -> None:
        """Rules 5, Number Reuse and Penalty: a used number forfeits at once, and the opposing player wins."""
        sitting = Sitting(GAME)
        sitting.say("5", "add")
        sitting.say("5")
        assert sitting.end == (1, "forfeit")
        assert sitting.position == after(GAME, "+5")

    @pytest.mark.parametrize("answer", ["", "x", "5", "multiply", "*", "addd", "as", "swap"])
    def test_operation_requirement(self, answer: str) -> None:
        """Rules 5, Operation Requirement and Penalty: failing to choose an operation forfeits at once."""
        sitting = Sitting(GAME)
        sitting.say("5", answer)
        assert sitting.end == (2, "forfeit")

    @pytest.mark.parametrize("number", ["0", "10", "-10", "+5", "-5", "1000000"])
    def test_numbers_that_are_not_available(self, number: str) -> None:
        """Rules 1, Valid Choices and 5, Penalty: any readable number that is not available forfeits."""
        sitting = Sitting(GAME)
        sitting.say("5", "add")
        sitting.say(number)
        assert sitting.end == (1, "forfeit")

    def test_forfeit_is_a_policy_of_the_rules(self) -> None:
        """Rules 5, Penalty: it is this game's own; the position itself knows no forfeit."""
        assert built_in(GAME).invalid_move is InvalidMove.FORFEIT
        sitting = Sitting(variant(GAME, invalid_move="ask-again"))
        sitting.say("5", "add")
        assert sitting.say("5")
        assert sitting.end is None


class TestScoring:
    def test_series(self) -> None:
        """Scoring, Series Play: wins are tracked over several games, and a majority decides."""
        assert Series("s", 5).majority == 3


class TestExample:
    def test_turn_by_turn(self) -> None:
        """Example Game Play: 5 added, 3 subtracted, 2 subtracted, with totals and pools."""
        told = (
            ("+5", 5, (1, 2, 3, 4, 6, 7, 8, 9)),
            ("-3", 2, (1, 2, 4, 6, 7, 8, 9)),
            ("-2", 0, (1, 4, 6, 7, 8, 9)),
        )
        position = after(GAME)
        for turn, (move, total, pool) in enumerate(told):
            assert position.seat == turn % 2 + 1
            assert position.outcome is None
            position = position.play(move)
            assert (position.totals, position.pool) == ((total,), pool)
        assert ended(position) == (1, "reached-target")

    def test_interaction(self) -> None:
        """Command-Line Interaction Example: the same moves, as answered at the two prompts."""
        sitting = Sitting(GAME)
        for answers in (("5", "A"), ("3", "S"), ("2", "S")):
            sitting.say(*answers)
        assert sitting.position == after(GAME, "+5", "-3", "-2")
        assert sitting.end == (1, "reached-target")
