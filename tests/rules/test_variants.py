"""What the keys mean together: overshoot, reaching, ban, swap and sudden death in small games worked by hand."""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, ended, legal, variant
from zerosum.base.errors import BadValueError
from zerosum.rules.moves import SWAP, Move, Operation
from zerosum.rules.position import Clause, IllegalMoveError

MIRROR = variant("zero-sum-duel", ban="mirror", pool=[2, 2, 3, -2])
OWN_OVERSHOOT = variant(
    "sequence-zero", start=[0, 10], target=5, overshoot="loses", pool=[1, 2, 4, 6], operations=["add", "subtract"]
)


class TestReaching:
    def test_loses(self) -> None:
        """Landing on the target loses; the reason is the same."""
        rules = variant("sum31", reaching="loses")
        assert ended(after(rules, "9", "8", "7", "6", "1")) == (2, "reached-target")
        assert ended(after(rules, "9", "8", "7", "6", "2")) == (2, "overshot")

    def test_only_landing_changes(self) -> None:
        """Closest and last mover still name the winner."""
        assert ended(after(variant("sum31", pool=[1, 2], reaching="loses"), "1", "2")) == (2, "last-mover")
        rules = variant("sequence-zero", pool=[1, 2], reaching="loses")
        assert ended(after(rules, "+1", "+2")) == (1, "closer")


class TestOvershoot:
    def test_each_total_has_its_own_side(self) -> None:
        """Seat 1 comes from below and seat 2 from above; passing is seen from the start of each."""
        assert ended(after(OWN_OVERSHOOT, "+6")) == (2, "overshot")
        assert ended(after(OWN_OVERSHOOT, "-6")) is None
        assert ended(after(OWN_OVERSHOOT, "+1", "-6")) == (1, "overshot")
        assert ended(after(OWN_OVERSHOOT, "+1", "+6")) is None
        assert ended(after(OWN_OVERSHOOT, "+1", "-2", "+4")) == (1, "reached-target")

    def test_from_above(self) -> None:
        rules = variant("sum31", start=40, pool=[-1, -9, -10, 5])
        assert ended(after(rules, "-10")) == (2, "overshot")
        assert ended(after(rules, "-9")) == (1, "reached-target")
        assert ended(after(rules, "+5")) is None

    def test_the_last_number_too(self) -> None:
        """Overshooting comes before running out, and landing before both."""
        assert ended(after(variant("sum31", pool=[32]), "32")) == (2, "overshot")
        assert ended(after(variant("sum31", pool=[31]), "31")) == (1, "reached-target")
        assert ended(after(variant("sum31", pool=[30]), "30")) == (1, "last-mover")

    def test_play_on(self) -> None:
        rules = variant("sum31", overshoot="play-on", pool=[20, 15, -4])
        assert ended(after(rules, "20", "15")) is None
        assert ended(after(rules, "20", "15", "-4")) == (1, "reached-target")


class TestBan:
    def test_mirror(self) -> None:
        """No move whose amount is the negation of the one before, whichever number makes it."""
        position = after(MIRROR, "+2")
        assert legal(position) == ["--2", "+2", "+3", "-3"]
        for move in (Move(2, Operation.SUBTRACT), Move(-2)):
            assert position.objection(move) is Clause.MIRROR
            with pytest.raises(IllegalMoveError, match="undoes the move before it"):
                position.play(move)

    def test_unless_every_move_is_one(self) -> None:
        rules = variant("sum-to-zero", ban="mirror", pool=[1, -1], start=5)
        assert legal(after(rules, "+1")) == ["-1"]
        assert ended(after(rules, "+1", "-1")) == (2, "last-mover")

    def test_only_the_last_number_counts(self) -> None:
        """The ban looks at the number played last, by either person, and no further back."""
        assert "-2" in legal(after(MIRROR, "+2", "+3"))
        assert "-3" not in legal(after(variant("zero-sum-duel", ban="mirror", pool=[3, 3, 1]), "+3"))

    def test_a_swap_does_not_clear_it(self) -> None:
        rules = variant("zero-sum-duel", ban="mirror", swap=True, pool=[2, 2, 3])
        assert legal(after(rules, "+2")) == ["+2", "+3", "-3", "swap"]
        assert legal(after(rules, "+2", "swap")) == ["+2", "+3", "-3"]

    def test_a_refill_does_not_clear_it(self) -> None:
        rules = variant("zero-sum-game", ban="mirror", pool=[1, -1], start=[3, 5], target=0)
        position = after(rules, "+1", "-1")
        assert (position.totals, position.pool) == ((4, 4), (-1, 1))
        assert legal(position) == ["-1"]

    def test_swap_is_never_banned(self) -> None:
        rules = variant("sum-to-zero", ban="mirror", swap=True, pool=[1, -1], start=5)
        assert legal(after(rules, "+1")) == ["-1", "swap"]
        assert legal(after(rules, "+1", "swap")) == ["-1"]

    def test_nothing_is_banned_at_the_start(self) -> None:
        assert legal(after(MIRROR)) == ["+-2", "--2", "+2", "-2", "+3", "-3"]


class TestSwap:
    RULES = variant("sum31", swap=True)

    def test_only_as_the_second_ply(self) -> None:
        for moves in ((), ("5", "6"), ("5", "swap"), ("5", "swap", "6")):
            position = after(self.RULES, *moves)
            assert position.objection(SWAP) is Clause.SWAP
            with pytest.raises(IllegalMoveError, match="seats can only be swapped as the second ply"):
                position.play("swap")
        assert after(self.RULES, "5").objection(SWAP) is None

    def test_seat_2_is_still_to_move(self) -> None:
        before, swapped = after(self.RULES, "5"), after(self.RULES, "5", "swap")
        assert swapped.seat == before.seat == 2
        assert (swapped.pool, swapped.totals) == (before.pool, before.totals)
        assert swapped != before

    @pytest.mark.parametrize("word", ["swap", "SWAP", "Swap"])
    def test_at_the_prompt_in_any_case(self, word: str) -> None:
        sitting = Sitting(self.RULES)
        assert sitting.say(word)
        sitting.say("5", word)
        assert sitting.journal == [Move(5), SWAP]
        assert sitting.say(word)

    def test_only_where_the_rules_say_so(self) -> None:
        assert after("sum31", "5").objection(SWAP) is Clause.SWAP

    def test_a_swap_carries_no_number(self) -> None:
        with pytest.raises(BadValueError, match="A swap has no number"):
            Move(6, Operation.SWAP)

    def test_not_after_the_end(self) -> None:
        """A first move that ends the match leaves nothing to swap."""
        for pool in ([31, 1], [1]):
            position = after(variant("sum31", swap=True, pool=pool), str(max(pool)))
            assert position.outcome is not None
            assert position.objection(SWAP) is Clause.OVER
            assert not position.swap_open

    def test_with_a_pool_of_one_number_and_sudden_death(self) -> None:
        """The first ply empties the pool, which is refilled, and the seats may be swapped then."""
        rules = variant("zero-sum-game", swap=True, pool=[1], start=[0, 3], target=2)
        position = after(rules, "+1")
        assert (position.totals, position.pool, position.outcome) == ((1, 3), (1,), None)
        assert legal(position) == ["+1", "swap"]
        assert legal(position.play("swap")) == ["+1"]
        assert ended(position.play("swap").play("+1")) == (1, "closer")


class TestTies:
    @pytest.mark.parametrize(("tie", "winner"), [("second-mover", 2), ("first-mover", 1)])
    def test_tie_rule(self, tie: str, winner: int) -> None:
        """Equally close on either side of the target; who moved last does not matter."""
        rules = variant("sequence-zero", pool=[1, 1, 1], start=[3, 4], target=5, tie=tie)
        assert ended(after(rules, "+1", "-1", "-1")) == (winner, "tie-rule")
        even = variant("sequence-zero", pool=[1, 1], start=[3, 7], target=5, tie=tie)
        assert ended(after(even, "+1", "-1")) == (winner, "tie-rule")

    def test_landing_with_the_last_number_comes_first(self) -> None:
        rules = variant("sequence-zero", pool=[1, 1], start=[6, 4], target=5)
        assert ended(after(rules, "+1", "+1")) == (2, "reached-target")


class TestRepeats:
    def test_equal_numbers_are_one_move(self) -> None:
        rules = variant("sum31", pool=[3, 3, 4])
        assert legal(after(rules)) == ["+3", "+4"]
        assert after(rules, "3").pool == (3, 4)
        assert after(rules, "3", "3").pool == (4,)
        assert after(rules, "3", "3").objection(Move(3)) is Clause.NUMBER
