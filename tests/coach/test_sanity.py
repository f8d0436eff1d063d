"""Whether rules make a game: what is remarked is true of every match, by playing all of them."""

from __future__ import annotations

import pytest

from tests.clauses.replay import variant
from zerosum.coach.sanity import Remark, RemarkKind, headline, remarks, say
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Reaching, Rules, Seat
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position, start_position
from zerosum.solver import solve

NOT = "This is not a game."
AT_ONCE = "This is over at once."


def found(rules: Rules) -> list[Remark]:
    return remarks(rules, solve(rules))


def ends(position: Position) -> set[tuple[Seat, Reason]]:
    """Return every end of a match, by playing all of them."""
    if position.outcome is not None:
        return {(position.outcome.winner, position.outcome.reason)}
    return {end for move in position.legal_moves() for end in ends(position.play(move))}


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_built_in_ones_are_games(game: str) -> None:
    kinds = [one.kind for one in found(built_in(game))]
    assert kinds == ([RemarkKind.LOST_AT_ONCE] if game == "sum-to-zero" else [])


@pytest.mark.parametrize(
    ("like", "changes", "word", "said"),
    [
        ("sum31", {"pool": [3]}, NOT, "There is never a choice: every turn has just one move."),
        ("sum31", {"pool": [2, 2, 2]}, NOT, "There is never a choice: every turn has just one move."),
        ("sum31", {"target": 100}, NOT, "No move matters: the first player wins whatever both do."),
        ("sum31", {"pool": [40, 50]}, NOT, "No move matters: the second player wins whatever both do."),
        ("sum31", {"target": 5}, AT_ONCE, "The first player can win with the very first move."),
        (
            "sum31",
            {"pool": [1, 2, 3, 4], "target": 5},
            AT_ONCE,
            "Whatever the first move is, the second player can win with the next.",
        ),
    ],
)
def test_what_is_no_game(like: str, changes: dict[str, object], word: str, said: str) -> None:
    rules = variant(like, **changes)
    flaws = [one for one in found(rules) if one.flaw]
    assert [say(one, rules) for one in flaws] == [said]
    assert headline(flaws) == word


@pytest.mark.parametrize(
    "rules",
    [
        variant("sum-to-zero", pool=[1, 2, 3, 4], target=100),
        variant("sum-to-zero", pool=[2, -2, 4, 6], target=3),
        variant("zero-sum-duel", pool=[1, 2, 4], target=0),
        variant("sequence-zero", pool=[1, 2, 9, 9], target=9, operations=["add"], start=[0, -30]),
        variant("sequence-zero", pool=[1, 2, 4], target=7),
        variant("sum31", pool=[1, 2, 3], target=6),
    ],
)
def test_remarks_hold_in_every_match(rules: Rules) -> None:
    every = ends(start_position(rules))
    told = {one.kind: one.seat for one in found(rules)}
    assert (RemarkKind.NOTHING_MATTERS in told) == (len({winner for winner, _ in every}) == 1)
    if RemarkKind.NOTHING_MATTERS in told:
        assert {winner for winner, _ in every} == {told[RemarkKind.NOTHING_MATTERS]}
    wins = rules.reaching is Reaching.WINS
    makers = {winner if wins else winner.other for winner, reason in every if reason is Reason.REACHED_TARGET}
    if RemarkKind.OUT_OF_REACH in told:
        nobody = told[RemarkKind.OUT_OF_REACH]
        assert makers.isdisjoint(Seat if nobody is None else {nobody})
    else:
        assert makers


def test_sudden_death_is_judged_by_what_can_come_back() -> None:
    even = variant("zero-sum-game", pool=[2, 4, -2], target=3)
    assert Remark(RemarkKind.OUT_OF_REACH) in remarks(even, None)
    assert Remark(RemarkKind.OUT_OF_REACH) not in remarks(variant("zero-sum-game", pool=[1, 1], target=50), None)
    assert Remark(RemarkKind.OUT_OF_REACH) in remarks(variant("zero-sum-game", pool=[1, 1], target=-5), None)


def test_what_would_take_long_is_left_out() -> None:
    large = variant("zero-sum-duel", pool=[3**n for n in range(12)] + [1_000_000 - n for n in range(40)])
    assert remarks(large, None) == []
