"""Zero Sum Game, clause by clause."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.clauses.replay import Sitting, after, ended, legal, shy_plays, variant
from zerosum.base.errors import InvalidTextError
from zerosum.rules.position import Clause, IllegalMoveError, Position

GAME = "zero-sum-game"
POOL = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
TIE = ("-5", "+5", "-4", "+4", "-3", "+3", "-2", "+2", "-1", "+1")
"""A play of all ten numbers that nobody wins: -15 and 15."""


class TestSetup:
    def test_pool(self) -> None:
        """Setup 1, Number Pool: -5 to -1 and 1 to 5."""
        assert after(GAME).pool == POOL

    def test_totals(self) -> None:
        """Setup 2, Running Totals: both start at zero, a separate total for each."""
        assert after(GAME).totals == (0, 0)

    def test_roles(self) -> None:
        """Setup 3, Player Roles: whoever is first sits in seat 1."""
        assert after(GAME).seat == 1


class TestTurns:
    def test_order(self) -> None:
        """Turns 1 and 4, Turn Order and Progression: alternately, until a win condition is met."""
        assert [after(GAME, *TIE[:plies]).seat for plies in range(11)] == [1, 2] * 5 + [1]

    @pytest.mark.parametrize("number", POOL)
    def test_action(self, number: int) -> None:
        """Turns 2 and 3: one unclaimed number is added to the mover's total and removed from the pool."""
        position = after(GAME, f"{number:+d}")
        assert position.totals == (number, 0)
        assert position.pool == tuple(other for other in POOL if other != number)
        assert position.play(f"{-number:+d}").totals == (number, -number)


class TestRulesAndMechanics:
    def test_selection(self) -> None:
        """Rules 1, Number Selection: any unclaimed number, each only once."""
        assert legal(after(GAME, "+5", "-5")) == ["-4", "-3", "-2", "-1", "+1", "+2", "+3", "+4"]
        with pytest.raises(IllegalMoveError) as caught:
            after(GAME, "+5", "+5")
        assert caught.value.clause is Clause.NUMBER

    def test_calculation(self) -> None:
        """Rules 2, Running Total Calculation: -2 and 3 make 1."""
        assert after(GAME, "-2", "-1", "+3").totals == (1, -1)

    def test_immediate_win(self) -> None:
        """Rules 3, Immediate Win: a running total of exactly zero after one's turn."""
        assert ended(after(GAME, "+5", "+4", "-5")) == (1, "reached-target")
        assert ended(after(GAME, "+5", "+4", "-3", "-4")) == (2, "reached-target")

    def test_the_others_zero_does_not_win(self) -> None:
        """Rules 3, Immediate Win: only after one's own turn; Player 2 at zero before moving has not won."""
        position = after(GAME, "+5")
        assert position.totals == (5, 0)
        assert ended(position) is None

    @pytest.mark.parametrize("answer", ["", "pass", "0", "6", "-6", "+5"])
    def test_forbidden_moves(self, answer: str) -> None:
        """Rules 4, Forbidden Moves: no skipping; a number must be selected, and is asked for again."""
        sitting = Sitting(GAME)
        sitting.say("5")
        assert sitting.say(answer)
        assert sitting.position == after(GAME, "+5")
        assert sitting.end is None

    def test_victory_ends(self) -> None:
        """Rules 5, Game End Conditions: after a victory there is no move."""
        assert after(GAME, "+5", "+4", "-5").legal_moves() == ()

    def test_only_adds(self) -> None:
        """Turns 2 against Objective: the objective's "subtracting" is adding a negative number."""
        assert after(GAME, "-3").totals == (-3, 0)
        assert after(GAME, "-3").pool == (-5, -4, -2, -1, 1, 2, 3, 4, 5)
        with pytest.raises(InvalidTextError):
            after(GAME, "--3")


class TestScoring:
    def test_closest(self) -> None:
        """Scoring, Closest to Zero: all numbers exhausted, the numerically closer total wins (in a variant)."""
        rules = variant(GAME, pool=[1, 2])
        assert ended(after(rules, "+1", "+2")) == (1, "closer")
        assert ended(after(rules, "+2", "+1")) == (2, "closer")

    def test_sudden_death(self) -> None:
        """Scoring, Sudden Death: equally distant, the numbers come back and the game continues."""
        position = after(GAME, *TIE)
        assert position.totals == (-15, 15)
        assert position.pool == POOL
        assert position.seat == 1
        assert ended(position) is None
        assert legal(position) == [f"{number:+d}" for number in POOL]

    def test_sudden_death_follows_the_same_rules(self) -> None:
        """Scoring, Sudden Death: continue following the same rules, until zero."""
        again = ("+5", "-5", "+4", "-4", "+3", "-3", "+2", "-2", "+1", "-1")
        back = after(GAME, *TIE)
        for move in again[:-2]:
            back = back.play(move)
        assert back.totals == (-1, 1)
        assert back.pool == (-1, 1)
        assert ended(back.play("+1")) == (1, "reached-target")
        third = back.play("-1").play("+1")
        assert (third.totals, third.pool, third.outcome) == ((-2, 2), POOL, None)

    def test_sudden_death_goes_on_for_rounds(self) -> None:
        """Scoring, Sudden Death: it continues as often as the tie lasts."""
        for line in shy_plays(GAME, 5, plies=80):
            refills = [position for position in line[1:] if len(position.pool) == 10]
            assert len(refills) >= 3
            assert all(position.totals[0] == -position.totals[1] != 0 for position in refills)

    def test_tie_broken_in_sudden_death(self) -> None:
        """Scoring, Sudden Death: "or the tie is broken", which a pool with another sum allows (in a variant)."""
        rules = variant(GAME, pool=[1, 3], start=[1, 3])
        tied = after(rules, "+3", "+1")
        assert (tied.totals, tied.pool, tied.outcome) == ((4, 4), (1, 3), None)
        assert ended(tied.play("+1").play("+3")) == (1, "closer")

    def test_the_standard_pool_never_breaks_a_tie(self) -> None:
        """Scoring, Closest to Zero: whoever takes which five, the pool sums to zero, so both are equally distant."""
        for mine in combinations(POOL, 5):
            theirs = [number for number in POOL if number not in mine]
            assert sum(mine) == -sum(theirs)


class TestExamples:
    def test_first_broken_example(self) -> None:
        """Example 1, first version: taken numbers are refused until an available one is selected."""
        sitting = Sitting(GAME)
        sitting.say("5", "-5")
        assert "-5 was taken by Player 2" in (sitting.say("-5") or "")
        sitting.say("-3")
        assert sitting.position.totals == (2, -5)
        for _ in range(6):
            assert "5 was taken by Player 1" in (sitting.say("5") or "")
        assert sitting.position.pool == (-4, -2, -1, 1, 2, 3, 4)
        assert sitting.position.seat == 2
        assert sitting.end is None

    def test_second_broken_example(self) -> None:
        """Example 1, second version: -3 is said not to be available after 3; it is."""
        assert after(GAME, "+3", "-3").totals == (3, -3)

    def test_corrected_example_that_is_broken_too(self) -> None:
        """Corrected Example 1: 5 stays taken however often it is selected."""
        sitting = Sitting(GAME)
        sitting.say("-5", "5")
        for _ in range(5):
            assert sitting.say("5")
        assert sitting.position == after(GAME, "-5", "+5")
        assert sitting.position.pool == (-4, -3, -2, -1, 1, 2, 3, 4)

    def test_accurate_example_1(self) -> None:
        """Example 1, the accurate one: -4, 4, (4 refused) 5, -5, -1, with pools and totals."""
        told: tuple[tuple[str, tuple[int, int], tuple[int, ...]], ...] = (
            ("-4", (-4, 0), (-5, -3, -2, -1, 1, 2, 3, 4, 5)),
            ("4", (-4, 4), (-5, -3, -2, -1, 1, 2, 3, 5)),
            ("5", (1, 4), (-5, -3, -2, -1, 1, 2, 3)),
            ("-5", (1, -1), (-3, -2, -1, 1, 2, 3)),
            ("-1", (0, -1), (-3, -2, 1, 2, 3)),
        )
        sitting = Sitting(GAME)
        for turn, (answer, totals, pool) in enumerate(told):
            assert sitting.position.seat == turn % 2 + 1
            assert sitting.end is None
            if turn == 2:
                assert sitting.say("4")
            assert sitting.say(answer) is None
            assert (sitting.position.totals, sitting.position.pool) == (totals, pool)
        assert sitting.end == (1, "reached-target")

    def test_example_2_cannot_happen(self) -> None:
        """Example 2, Closest to Zero Win: finals of 2 and -1 do not sum to zero, as the whole pool does."""
        assert sum(POOL) == 0 != 2 + -1
        finals = {(sum(mine), -sum(mine)) for mine in combinations(POOL, 5)}
        assert (2, -1) not in finals
        assert all(first == -second for first, second in finals)

    def test_example_2_would_be_right(self) -> None:
        """Example 2, Outcome: where such totals can arise, -1 is closer to zero than 2 and wins."""
        assert ended(after(variant(GAME, pool=[2, -1]), "+2", "-1")) == (2, "closer")

    def test_interaction(self) -> None:
        """Command-Line Interaction Sample: -3, 3, and Player 1 cannot conclude with that 3: it is taken."""
        position: Position = after(GAME, "-3", "+3")
        assert position.totals == (-3, 3)
        assert position.pool == (-5, -4, -2, -1, 1, 2, 4, 5)
        assert position.objection(after(GAME).legal_moves()[POOL.index(3)]) is Clause.NUMBER
        assert ended(position.play("+1").play("+4").play("+2")) == (1, "reached-target")
