"""Sum to Zero: Rule Book, clause by clause."""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, ended, legal, shy_plays, variant
from zerosum.base.errors import InvalidTextError
from zerosum.rules.game_files import built_in
from zerosum.rules.position import Clause, IllegalMoveError, Position

GAME = "sum-to-zero"
POOL = (-9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9)


class TestSetup:
    def test_pool(self) -> None:
        """Setup: the shared number pool is -9 to +9, excluding zero."""
        assert after(GAME).pool == POOL

    def test_sum_starts_at_zero(self) -> None:
        """Setup: the cumulative sum starts at 0."""
        assert after(GAME).totals == (0,)

    def test_two_players(self) -> None:
        """Setup: two players; the starting player is decided before, and sits in seat 1."""
        assert after(GAME).seat == 1


class TestTurns:
    def test_alternate(self) -> None:
        """Turns: players alternate turns throughout the game."""
        assert [after(GAME, *("+1", "+2", "+3", "+4")[:plies]).seat for plies in range(5)] == [1, 2, 1, 2, 1]

    @pytest.mark.parametrize("number", POOL)
    def test_on_your_turn(self, number: int) -> None:
        """Turns, On Your Turn 1, 2 and 4: any one number; it is added to the sum and removed from the pool."""
        position = after(GAME, f"{number:+d}")
        assert position.totals == (number,)
        assert position.pool == tuple(other for other in POOL if other != number)

    def test_cannot_be_chosen_again(self) -> None:
        """Turns, On Your Turn 4: the number cannot be chosen again."""
        with pytest.raises(IllegalMoveError) as caught:
            after(GAME, "+5", "+5")
        assert caught.value.clause is Clause.NUMBER


class TestRulesAndMechanics:
    def test_select_one_available_number(self) -> None:
        """Rules 1, Number Selection: one available number must be selected."""
        assert legal(after(GAME, "-9", "+3")) == [f"{number:+d}" for number in POOL if number not in (-9, 3)]

    @pytest.mark.parametrize("answer", ["", "pass", "skip", "0", "10", "-10"])
    def test_no_passing(self, answer: str) -> None:
        """Rules 1, Number Selection: you cannot pass or skip your turn."""
        sitting = Sitting(GAME)
        assert sitting.say(answer)
        assert sitting.position == after(GAME)
        assert sitting.journal == []

    def test_sum(self) -> None:
        """Rules 2, Cumulative Sum Calculation: 5 and -3 make 2."""
        assert after(GAME, "+5", "-3").totals == (2,)

    def test_zero_wins_at_once(self) -> None:
        """Rules 3, Winning the Game: whose selection makes the sum exactly zero wins immediately."""
        assert ended(after(GAME, "+5", "-5")) == (2, "reached-target")
        assert ended(after(GAME, "+5", "+1", "-6")) == (1, "reached-target")

    def test_no_further_turns(self) -> None:
        """Rules 3, Winning the Game: no further turns are taken."""
        over = after(GAME, "+5", "-5")
        assert over.legal_moves() == ()
        with pytest.raises(IllegalMoveError) as caught:
            over.play("+1")
        assert caught.value.clause is Clause.OVER

    def test_exhausted(self) -> None:
        """Rules 4, End of Available Numbers: without zero the last player who made a move wins (in a variant)."""
        rules = variant(GAME, pool=[1, 2])
        assert ended(after(rules, "+1")) is None
        assert ended(after(rules, "+1", "+2")) == (2, "last-mover")
        assert ended(after(variant(GAME, pool=[1, 2, 3]), "+1", "+2", "+3")) == (1, "last-mover")

    @pytest.mark.parametrize("line", shy_plays(GAME, 10))
    def test_no_draw(self, line: list[Position]) -> None:
        """Rules 4: there is no draw mechanism; every play ends with a winner after at most 18 moves."""
        assert len(line) <= 19
        assert ended(line[-1]) is not None

    def test_must_select_even_if_it_does_not_help(self) -> None:
        """Rules 5, Valid Moves: a number may lead away from zero, and one must be selected all the same."""
        assert after(GAME, "+9", "+8", "+7").totals == (24,)

    @pytest.mark.parametrize("line", shy_plays(GAME, 5))
    def test_valid_while_numbers_are_available(self, line: list[Position]) -> None:
        """Rules 5, Valid Moves: each number that is left is a move, until the end."""
        for position in line[:-1]:
            assert legal(position) == [f"{n:+d}" for n in position.pool]


class TestScoring:
    def test_victory_is_all(self) -> None:
        """Scoring: victory by exact zero; no points, so an outcome is a winner and a reason and no more."""
        outcome = after(GAME, "+5", "-5").outcome
        assert outcome is not None
        assert outcome.__slots__ == ("winner", "reason")


class TestExamples:
    def test_example_1(self) -> None:
        """Example 1, Quick Victory: 5, -2, -3."""
        told = (("+5", 5), ("-2", 3), ("-3", 0))
        position = after(GAME)
        used: set[int] = set()
        for seat, (move, total) in zip((1, 2, 1), told, strict=True):
            assert position.seat == seat
            assert position.outcome is None
            position = position.play(move)
            used.add(int(move))
            assert position.totals == (total,)
            assert set(position.pool) == set(POOL) - used
        assert ended(position) == (1, "reached-target")

    def test_example_2_cannot_happen(self) -> None:
        """Example 2, Exhausting Numbers: the pool sums to zero, so the last number always makes zero."""
        rules = built_in(GAME)
        assert rules.start[0] + sum(rules.pool) == rules.target
        emptied = [line[-1] for line in shy_plays(GAME, 200) if not line[-1].pool]
        assert len(emptied) > 20
        assert {ended(position) for position in emptied} == {(2, "reached-target")}

    def test_interaction(self) -> None:
        """Command-Line Interaction Example: 4, -1, -3."""
        assert [after(GAME, *("+4", "-1", "-3")[:n]).totals for n in (1, 2, 3)] == [(4,), (3,), (0,)]
        assert after(GAME, "+4", "-1").pool == (-9, -8, -7, -6, -5, -4, -3, -2, 1, 2, 3, 5, 6, 7, 8, 9)
        assert ended(after(GAME, "+4", "-1", "-3")) == (1, "reached-target")


class TestGameFlowSummary:
    def test_start_is_not_a_win(self) -> None:
        """Game Flow 1 and 3: zero is checked after each turn, so the start at zero is no victory."""
        assert after(GAME).totals == (built_in(GAME).target,)
        assert ended(after(GAME)) is None

    def test_only_adds(self) -> None:
        """Turns, On Your Turn 2: the number is added; there is no other operation, and a bare number is enough."""
        assert after(GAME, "5").totals == (5,)
        with pytest.raises(InvalidTextError):
            after(GAME, "--5")
