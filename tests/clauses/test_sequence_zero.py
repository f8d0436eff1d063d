"""Sequence Zero, clause by clause."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.clauses.replay import Sitting, after, ended, legal, shy_plays, variant
from zerosum.rules.position import Clause, IllegalMoveError

GAME = "sequence-zero"
POOL = (1, 2, 3, 4, 5, 6, 7, 8, 9)


class TestSetup:
    def test_sequence(self) -> None:
        """Setup and Game Components: the shared sequence is 1 to 9."""
        assert after(GAME).pool == POOL

    def test_scores(self) -> None:
        """Setup: both players start with a score of 0, each with their own."""
        assert after(GAME).totals == (0, 0)


class TestTurns:
    def test_alternate(self) -> None:
        """Turns: turns alternate, whoever goes first in seat 1."""
        assert [after(GAME, *("+1", "+2", "+3")[:plies]).seat for plies in range(4)] == [1, 2, 1, 2]

    @pytest.mark.parametrize("number", POOL)
    def test_structure(self, number: int) -> None:
        """Turns, Turn Structure 1 to 4: a number, an operation, the score updated, the number removed."""
        for sign, score in (("+", number), ("-", -number)):
            position = after(GAME, f"{sign}{number}")
            assert position.totals == (score, 0)
            assert position.pool == tuple(other for other in POOL if other != number)


class TestRulesAndMechanics:
    def test_number_selection(self) -> None:
        """Rules 1, Number Selection: only from the sequence, each only once."""
        for move in ("+5", "-5", "+10", "-10", "+0"):
            with pytest.raises(IllegalMoveError) as caught:
                after(GAME, "+5", move)
            assert caught.value.clause is Clause.NUMBER

    def test_operations(self) -> None:
        """Rules 2, Operations: add or subtract, on your own score only."""
        assert after(GAME, "+5", "-6").totals == (5, -6)
        assert after(GAME, "+5", "-6", "-9", "+1").totals == (-4, -5)
        assert legal(after(GAME, "+1", "+2", "+3", "+4", "+5", "+6", "+7")) == ["+8", "-8", "+9", "-9"]

    def test_objective_check(self) -> None:
        """Rules 3, Objective Check: your score exactly 0 after your turn wins immediately."""
        assert ended(after(GAME, "+5", "+1", "-2", "+4", "-3")) == (1, "reached-target")
        assert ended(after(GAME, "+9", "-3", "+8", "+1", "+7", "+2")) == (2, "reached-target")

    def test_objective_check_is_after_your_turn(self) -> None:
        """Rules 3, Objective Check: the opponent's score of 0 at the start does not count for them."""
        position = after(GAME, "+5")
        assert position.totals[1] == 0
        assert ended(position) is None

    def test_depletion(self) -> None:
        """Rules 4, Sequence Depletion: the score closest to zero wins, positive or negative."""
        rules = variant(GAME, pool=[1, 2])
        assert ended(after(rules, "+1", "-2")) == (1, "closer")
        assert ended(after(rules, "-2", "+1")) == (2, "closer")
        assert ended(after(rules, "-1", "-2")) == (1, "closer")

    def test_depletion_in_the_full_game(self) -> None:
        """Rules 4, Sequence Depletion: plays in which nobody reaches zero end so, for either seat."""
        lines = [line for line in shy_plays(GAME, 200) if not line[-1].pool]
        ends = set()
        for line in lines:
            first, second = map(abs, line[-1].totals)
            if 0 not in (first, second):
                assert ended(line[-1]) == (1 if first < second else 2, "closer")
                ends.add(ended(line[-1]))
        assert ends == {(1, "closer"), (2, "closer")}

    def test_no_skipping(self) -> None:
        """Rules 5, No Skipping Turns: a number and an operation must be chosen; anything else is asked again."""
        sitting = Sitting(GAME)
        for answers in (("",), ("pass",), ("10",), ("5", ""), ("5", "pass")):
            assert sitting.say(*answers)
            assert sitting.position == after(GAME)
        assert sitting.journal == []

    def test_valid_moves(self) -> None:
        """Rules 6, Valid Moves: a move may lead away from zero or towards it."""
        assert after(GAME, "+5", "-6", "+9", "-8").totals == (14, -14)


class TestScoring:
    def test_tracking(self) -> None:
        """Scoring, Score Tracking: a running total; positive, negative or zero."""
        assert [after(GAME, *("+5", "-6", "-9", "+8")[:n]).totals for n in range(5)] == [
            (0, 0),
            (5, 0),
            (5, -6),
            (-4, -6),
            (-4, 2),
        ]

    def test_tie_breaker(self) -> None:
        """Scoring, Tie-Breaker and Rules 4: equally close after all numbers, the second player wins."""
        rules = variant(GAME, pool=[2, 2])
        for first, second in product(("+2", "-2"), repeat=2):
            assert ended(after(rules, first, second)) == (2, "tie-rule")
        assert ended(after(variant(GAME, pool=[1, 1], tie="first-mover"), "+1", "-1")) == (1, "tie-rule")

    def test_tie_cannot_happen_with_this_sequence(self) -> None:
        """Scoring, Tie-Breaker: 1 to 9 sum to an odd number, so one score is odd and the other even, always."""
        assert sum(POOL) % 2 == 1
        for mine in combinations(POOL, 5):
            theirs = [number for number in POOL if number not in mine]
            my_scores = {abs(sum(signs)) for signs in product(*((n, -n) for n in mine))}
            their_scores = {abs(sum(signs)) for signs in product(*((n, -n) for n in theirs))}
            assert not my_scores & their_scores


class TestExample:
    def test_turn_by_turn(self) -> None:
        """Example Gameplay, Turns 1 to 9: scores and sequence after each, and Player 1 closer at the end."""
        told = (
            ("-5", (-5, 0), (1, 2, 3, 4, 6, 7, 8, 9)),
            ("+6", (-5, 6), (1, 2, 3, 4, 7, 8, 9)),
            ("+9", (4, 6), (1, 2, 3, 4, 7, 8)),
            ("-4", (4, 2), (1, 2, 3, 7, 8)),
            ("-8", (-4, 2), (1, 2, 3, 7)),
            ("-7", (-4, -5), (1, 2, 3)),
            ("+2", (-2, -5), (1, 3)),
            ("+3", (-2, -2), (1,)),
            ("+1", (-1, -2), ()),
        )
        position = after(GAME)
        for turn, (move, totals, pool) in enumerate(told):
            assert position.seat == turn % 2 + 1
            assert position.outcome is None
            position = position.play(move)
            assert (position.totals, position.pool) == (totals, pool)
        assert ended(position) == (1, "closer")

    def test_interaction(self) -> None:
        """Command-Line Interaction Example: 5, then -."""
        sitting = Sitting(GAME)
        sitting.say("5", "-")
        assert sitting.position == after(GAME, "-5")
