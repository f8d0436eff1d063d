"""The rulings on vague clauses, one class each.

Rulings 4, 10 and 11 are in `test_rulings_at_the_prompt.py`, and the limit of ruling 7 is in `test_ply_limit.py`.
"""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, ended, shy_plays, variant
from zerosum.base import limits
from zerosum.base.errors import RecordError
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Person, Series, Setup
from zerosum.rules.game_files import RULEBOOK_IDS, built_in
from zerosum.rules.model import InvalidMove, Seat, Tie
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome, Reason


class TestRuling1:
    """Seats and persons."""

    def test_seat_1_moves_first(self) -> None:
        """Ruling 1: seat 1 is whoever moves first; with Player 2 first, Player 2 sits there."""
        for first in Person:
            match = Match.begin(Setup(rules=built_in("sum31"), first=first))
            assert match.position.seat is Seat.FIRST
            assert match.to_move is match.person(Seat.FIRST) is first
            assert match.seat(first) is Seat.FIRST
            assert match.seat(first.other) is Seat.SECOND

    def test_names_belong_to_persons(self) -> None:
        """Ruling 1: names belong to persons, Player 1 listed first always."""
        setup = Setup(rules=built_in("sum31"), names=("Ann", "Bob"), first=Person.TWO)
        assert (setup.name(Person.ONE), setup.name(Person.TWO)) == ("Ann", "Bob")
        record = Match.begin(setup).record()
        assert '[Player1 "Ann"]\n[Player2 "Bob"]' in record
        assert '[First "2"]' in record

    def test_winner_is_a_seat(self) -> None:
        """Ruling 1: outcomes and records use seats; Player 2 moving first and winning is winner 1."""
        match = Match.begin(Setup(rules=built_in("sum-to-zero"), first=Person.TWO))
        for number in (5, -2, -3):
            match = match.after(Move(number))
        assert match.outcome == Outcome(Seat.FIRST, Reason.REACHED_TARGET)
        assert match.person(Seat.FIRST) is Person.TWO
        assert '[Result "1"]' in match.record()

    def test_second_player_of_a_tie_break_is_seat_2(self) -> None:
        """Ruling 1: the second player of a tie-break is the one in seat 2, whoever sits there."""
        rules = variant("sequence-zero", pool=[1, 1])
        assert ended(after(rules, "+1", "+1")) == (2, "tie-rule")

    def test_persons_change_seats_by_swap(self) -> None:
        """Ruling 1: after a swap the persons have changed seats, and the one who moved first is in seat 2."""
        match = Match.begin(Setup(rules=variant("sum31", swap=True)))
        for move in ("+5", "swap"):
            match = match.after(
                next(one for one in match.position.legal_moves() if match.position.text_of(one) == move)
            )
        assert match.person(Seat.FIRST) is Person.TWO
        assert match.to_move is Person.ONE
        assert [match.mover(ply) for ply in (0, 1)] == [Person.ONE, Person.TWO]

    @pytest.mark.parametrize(("best_of", "majority"), [(1, 1), (2, 2), (3, 2), (5, 3), (99, 50)])
    def test_majority(self, best_of: int, majority: int) -> None:
        """Ruling 1: a series stops at a majority."""
        assert Series("s", best_of).majority == majority

    def test_two_matches_are_both_played(self) -> None:
        """Ruling 1: of two matches neither is left out, and none follows them."""
        first, second = Series("s", 2, 1), Series("s", 2, 2)
        assert [first.goes_on(won) for won in ((1, 0), (0, 1))] == [True, True]
        assert [second.goes_on(won) for won in ((2, 0), (1, 1), (0, 2))] == [False, False, False]

    @pytest.mark.parametrize("best_of", ["4", "0", "98", "100"])
    def test_best_of_is_odd_or_two(self, best_of: str) -> None:
        """Ruling 1: best-of takes an odd number, or 2."""
        with pytest.raises(RecordError):
            read_match(f'[Game "sum31"]\n[Series "s"]\n[Best-Of "{best_of}"]\n\n')


class TestRuling2:
    """Starting on the target."""

    @pytest.mark.parametrize("game", [game for game in RULEBOOK_IDS if game != "sum31"])
    def test_only_a_move_wins(self, game: str) -> None:
        """Ruling 2: the four games that start on their target are not won, nor lost, before a move."""
        start = after(game)
        assert set(start.totals) == {built_in(game).target}
        assert start.outcome is None
        assert start.legal_moves()

    def test_the_other_total_on_the_target_wins_nothing(self) -> None:
        """Ruling 2: with own totals seat 2 still starts on the target after seat 1 has moved."""
        assert ended(after("sequence-zero", "+1")) is None
        assert ended(after(variant("sequence-zero", start=[3, 0]), "+1")) is None

    def test_coming_back_wins(self) -> None:
        """Ruling 2: a move that comes back to where the match started wins."""
        assert ended(after("zero-sum-duel", "+3", "-1", "-2")) == (1, "reached-target")


class TestRuling3:
    """Sum to Zero: exhausted without zero."""

    def test_cannot_happen(self) -> None:
        """Ruling 3: the pool sums to zero, so the last number always brings the sum to zero."""
        rules = built_in("sum-to-zero")
        assert sum(rules.pool) == rules.target - rules.start[0]
        ends = {ended(line[-1]) for line in shy_plays("sum-to-zero", 50)}
        assert {reason for _, reason in filter(None, ends)} == {"reached-target"}

    def test_reachable_in_variants(self) -> None:
        """Ruling 3: it is implemented all the same."""
        assert ended(after(variant("sum-to-zero", pool=[-2, 1]), "+1", "-2")) == (2, "last-mover")


class TestRuling5:
    """The other four ask again."""

    @pytest.mark.parametrize("game", [game for game in RULEBOOK_IDS if game != "zero-sum-duel"])
    def test_ask_again(self, game: str) -> None:
        """Ruling 5: after an invalid number they say why it is not available, and ask again."""
        assert built_in(game).invalid_move is InvalidMove.ASK_AGAIN
        sitting = Sitting(game)
        sitting.say("+5")
        assert sitting.say("5") == "5 was taken by Player 1 on move 1."
        assert sitting.say("12") == "12 is not one of the numbers of this game."
        assert sitting.end is None
        assert sitting.journal == [Move(5)]


class TestRuling6:
    """Zero Sum Game adds only."""

    def test_adds_only(self) -> None:
        """Ruling 6: the turn rules stand."""
        start = after("zero-sum-game")
        assert {move.operation.value for move in start.legal_moves()} == {"add"}
        sitting = Sitting("zero-sum-game")
        sitting.say("-3")
        assert sitting.position.totals == (-3, 0)
        assert -3 not in sitting.position.pool


class TestRuling7:
    """Sudden death."""

    def test_refill(self) -> None:
        """Ruling 7: the pool is refilled, totals carry over, and seat 1 moves next."""
        position = after("zero-sum-game", "-5", "+5", "-4", "+4", "-3", "+3", "-2", "+2", "-1", "+1")
        assert (position.pool, position.totals, position.seat) == (built_in("zero-sum-game").pool, (-15, 15), 1)

    def test_turns_go_on_with_an_odd_pool(self) -> None:
        """Ruling 7: turns keep alternating, so with an odd pool seat 2 begins the next round."""
        rules = variant("zero-sum-game", pool=[1, 1, 2], start=[1, 1])
        position = after(rules, "+1", "+2", "+1")
        assert (position.pool, position.totals, position.seat) == ((1, 1, 2), (3, 3), 2)
        assert position.outcome is None

    def test_closer_never_decides(self) -> None:
        """Ruling 7: an emptied pool leaves t and -t."""
        assert sum(built_in("zero-sum-game").pool) == 0
        for line in shy_plays("zero-sum-game", 10, plies=60):
            assert all(sum(position.totals) == 0 for position in line if len(position.pool) == 10)
        assert sum(built_in("zero-sum-game").pool) != 2 + -1  # the rulebook's Example 2

    def test_only_an_empty_pool_breaks_a_tie(self) -> None:
        """Ruling 7: "until the tie is broken" is read at an empty pool; one total closer in mid-round ends nothing."""
        position = after("zero-sum-game", *["-5", "+5", "-4", "+4", "-3", "+3", "-2", "+2", "-1", "+1"], "+5")
        assert position.totals == (-10, 15)
        assert position.outcome is None

    def test_the_last_example_1_stands(self) -> None:
        """Ruling 7: the drafts of Example 1 take numbers that are gone and refuse -3; the last Example 1 is played."""
        assert ended(after("zero-sum-game", "-4", "+4", "+5", "-5", "-1")) == (1, "reached-target")
        assert after("zero-sum-game", "+3", "-3").totals == (3, -3)
        gone = Sitting("zero-sum-game")
        gone.say("5", "-5")
        assert gone.say("-5") == "-5 was taken by Player 2 on move 2."
        sample = Sitting("zero-sum-game")
        sample.say("-3", "3")
        assert sample.say("3") == "3 was taken by Player 2 on move 2."

    def test_only_sudden_death_can_come_that_far(self) -> None:
        """Ruling 7: a pool is smaller than the limit, so nothing else ends by it."""
        assert limits.POOL_NUMBERS + 1 < limits.MATCH_PLIES
        assert [game for game in RULEBOOK_IDS if built_in(game).tie is Tie.SUDDEN_DEATH] == ["zero-sum-game"]


class TestRuling8:
    """Sum31 cannot run out."""

    def test_standard_pool(self) -> None:
        """Ruling 8: all but one of the numbers are more than 31 already."""
        rules = built_in("sum31")
        assert all(sum(rules.pool) - number > rules.target for number in rules.pool)

    def test_variants(self) -> None:
        """Ruling 8: variants can, and then `exhausted` decides."""
        assert ended(after(variant("sum31", pool=[1, 2, 3]), "1", "2", "3")) == (1, "last-mover")


class TestRuling9:
    """Closest to zero means closest to the target."""

    def test_closest_to_the_target(self) -> None:
        """Ruling 9: 9 is closer to 10 than 1 is, though 1 is closer to zero."""
        rules = variant("sequence-zero", pool=[1, 9], target=10)
        assert ended(after(rules, "+1", "+9")) == (2, "closer")
        assert ended(after(rules, "+9", "+1")) == (1, "closer")
