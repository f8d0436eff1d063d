"""Sum31 Game Rule Book, clause by clause."""

from __future__ import annotations

import pytest

from tests.clauses.replay import Sitting, after, ended, legal, variant
from zerosum.match.setup import Series
from zerosum.rules.game_files import built_in
from zerosum.rules.position import Clause, IllegalMoveError, Position

GAME = "sum31"
POOL = (1, 2, 3, 4, 5, 6, 7, 8, 9)


class TestSetup:
    def test_total_starts_at_zero(self) -> None:
        """Setup, Starting Total: the game begins with a total of 0."""
        assert after(GAME).totals == (0,)

    def test_pool(self) -> None:
        """Setup, Available Numbers: 1 to 9."""
        assert after(GAME).pool == POOL

    def test_order(self) -> None:
        """Setup, Player Order: whoever takes the first turn sits in seat 1."""
        assert after(GAME).seat == 1


class TestTurns:
    def test_alternate(self) -> None:
        """Turns, Turn Order: players alternate."""
        assert [after(GAME, *("1", "2", "3")[:plies]).seat for plies in range(4)] == [1, 2, 1, 2]

    @pytest.mark.parametrize("number", POOL)
    def test_actions(self, number: int) -> None:
        """Turns, Player Actions 1 to 5: the number is added and removed, and the turn passes."""
        position = after(GAME, str(number))
        assert position.totals == (number,)
        assert position.pool == tuple(other for other in POOL if other != number)
        assert position.seat == 2


class TestRulesAndMechanics:
    def test_must_be_available(self) -> None:
        """Number Selection: a number from the available numbers must be selected."""
        assert legal(after(GAME, "5", "6")) == ["+1", "+2", "+3", "+4", "+7", "+8", "+9"]

    def test_only_once(self) -> None:
        """Number Selection: each number can be selected only once."""
        with pytest.raises(IllegalMoveError) as caught:
            after(GAME, "5", "5")
        assert caught.value.clause is Clause.NUMBER

    def test_exactly_31_wins(self) -> None:
        """Calculating the Total, Victory Condition: exactly 31 wins for whoever made the selection."""
        assert ended(after(GAME, "9", "8", "7", "6")) is None
        assert ended(after(GAME, "9", "8", "7", "6", "1")) == (1, "reached-target")
        assert ended(after(GAME, "9", "8", "7", "5", "1")) is None
        assert ended(after(GAME, "9", "8", "6", "5", "1", "2")) == (2, "reached-target")

    @pytest.mark.parametrize("number", [2, 3, 4, 5])
    def test_more_than_31_loses(self, number: int) -> None:
        """Calculating the Total, Defeat Condition: exceeding 31 loses immediately."""
        assert ended(after(GAME, "9", "8", "7", "6", str(number))) == (2, "overshot")

    def test_the_second_player_can_overshoot_too(self) -> None:
        """Losing the Game: the player who made the selection loses, whichever it is."""
        assert ended(after(GAME, "9", "8", "6", "5", "1", "3")) == (1, "overshot")

    def test_over(self) -> None:
        """Calculating the Total: nothing follows a win or a loss."""
        for over in (after(GAME, "9", "8", "7", "6", "1"), after(GAME, "9", "8", "7", "6", "2")):
            assert over.legal_moves() == ()


def every_position() -> set[Position]:
    """Return every position of the game."""
    found = {after(GAME)}
    frontier = list(found)
    while frontier:
        position = frontier.pop()
        for move in position.legal_moves():
            following = position.play(move)
            if following not in found:
                found.add(following)
                frontier.append(following)
    return found


class TestScoring:
    def test_win_or_loss(self) -> None:
        """Scoring, Win/Loss Outcome: one wins, the other loses; all that are reached end so, and in two ways only."""
        positions = every_position()
        ends = {ended(position) for position in positions if position.outcome is not None}
        assert ends == {(1, "reached-target"), (2, "reached-target"), (1, "overshot"), (2, "overshot")}
        assert all(position.legal_moves() for position in positions if position.outcome is None)

    def test_numbers_cannot_run_out(self) -> None:
        """Rules: nothing is said of an empty pool, for 31 is passed before: 1 to 9 less any one number is more."""
        pool = built_in(GAME).pool
        assert sum(pool) - max(pool) > built_in(GAME).target
        assert min(len(position.pool) for position in every_position()) > 0

    def test_multiple_games(self) -> None:
        """Scoring, Skill Recognition and Additional Notes, Game Repetition: several games make a series."""
        assert [Series("s", best_of).majority for best_of in (1, 3, 5)] == [1, 2, 3]


class TestExample:
    def test_playthrough(self) -> None:
        """Example Game Playthrough: 5, 6, 9, 8, 3, with the totals and pools after each turn."""
        told = (
            ("5", 5, (1, 2, 3, 4, 6, 7, 8, 9)),
            ("6", 11, (1, 2, 3, 4, 7, 8, 9)),
            ("9", 20, (1, 2, 3, 4, 7, 8)),
            ("8", 28, (1, 2, 3, 4, 7)),
            ("3", 31, (1, 2, 4, 7)),
        )
        position = after(GAME)
        for turn, (move, total, pool) in enumerate(told):
            assert position.seat == turn % 2 + 1
            assert position.outcome is None
            position = position.play(move)
            assert (position.totals, position.pool) == ((total,), pool)
        assert ended(position) == (1, "reached-target")


class TestAdditionalNotes:
    @pytest.mark.parametrize("answer", ["5", "0", "10", "-1", "31", "x", "", "5.0"])
    def test_prompted_again(self, answer: str) -> None:
        """Additional Notes, Invalid Moves: whoever selects what is not available is prompted to select again."""
        sitting = Sitting(GAME)
        sitting.say("5")
        before = sitting.position
        assert sitting.say(answer)
        assert sitting.position == before
        assert sitting.end is None
        assert sitting.say("6") is None
        assert sitting.position.totals == (11,)

    def test_exceeding_31(self) -> None:
        """Additional Notes, Exceeding 31: the loss is by the number 31 of the rules, not by running out."""
        rules = variant(GAME, pool=[1, 2])
        assert ended(after(rules, "1", "2")) == (2, "last-mover")
