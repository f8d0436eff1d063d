"""Counts of move sequences, golden for each game, and counted again by the plain second implementation."""

from __future__ import annotations

import pytest

from tests import naive
from tests.clauses.replay import variant
from tests.each import each
from zerosum.base import limits
from zerosum.rules.game_files import BUILT_IN_IDS, built_in
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.rules.position import TooManyPositionsError, perft

GOLDEN: dict[str, list[int]] = {
    "sum-to-zero": [1, 18, 306, 4608, 66240],
    "sequence-zero": [1, 18, 288, 4032, 48384],
    "zero-sum-duel": [1, 18, 288, 4032, 46080],
    "zero-sum-game": [1, 10, 90, 720, 4480],
    "sum31": [1, 9, 72, 504, 3024],
    "summit": [1, 11, 110, 990, 7920],
    "thin-ice": [1, 13, 156, 1716, 17040],
    "to-the-brim": [1, 11, 110, 990, 7920],
    "last-straw": [1, 10, 90, 720, 5040],
    "seventeen": [1, 8, 56, 336, 1680],
    "campfire": [1, 14, 168, 1680, 13120],
}
DEEPER: dict[str, dict[int, int]] = {
    "sum-to-zero": {5: 891_744, 6: 11_190_816},
    "sequence-zero": {5: 483_840},
    "zero-sum-duel": {5: 441_120, 7: 20_056_320, 9: 151_603_200, 10: 0},
    "zero-sum-game": {6: 110_880, 8: 1_142_784, 10: 1_986_432, 11: 19_864_320},
    "sum31": {5: 15_120, 6: 54_720, 7: 99_360, 8: 40_320, 9: 0},
    "summit": {5: 53_424, 6: 295_488, 10: 9_242_688, 11: 0},
    "thin-ice": {5: 143_154, 6: 984_288},
    "to-the-brim": {5: 55_440, 6: 330_624},
    "last-straw": {5: 30_240, 6: 144_000, 8: 468_720, 9: 0},
    "seventeen": {5: 6_720, 7: 24_480, 8: 7_344, 9: 0},
    "campfire": {5: 76_848, 7: 579_312, 8: 0},
}


@pytest.mark.parametrize("game", GOLDEN)
def test_golden(game: str) -> None:
    assert [perft(built_in(game), depth) for depth in range(5)] == GOLDEN[game]


@each("game", BUILT_IN_IDS)
@each("depth", range(5))
def test_every_game_is_counted_again(game: str, depth: int) -> None:
    assert perft(built_in(game), depth) == naive.count(naive.GAMES[game], depth)


@each(
    ("game", "depth", "sequences"), [(game, depth, n) for game, counts in DEEPER.items() for depth, n in counts.items()]
)
def test_golden_deeper(game: str, depth: int, sequences: int) -> None:
    """The last moves of the games, the ends that come earlier, and a round of sudden death."""
    assert perft(built_in(game), depth) == sequences


@pytest.mark.parametrize(("game", "depth"), [("sum31", 7), ("zero-sum-game", 6), ("zero-sum-duel", 5)])
def test_deeper_counts_one_by_one(game: str, depth: int) -> None:
    assert naive.count(naive.GAMES[game], depth) == DEEPER[game][depth]


@pytest.mark.parametrize(
    "rules",
    [
        variant("sum31", swap=True),
        variant("sum31", pool=[1, 1, 2, 2, 3]),
        variant("zero-sum-duel", pool=[1, 1, 2, -2], ban="mirror"),
        variant("zero-sum-duel", pool=[1, 1, 2, -2], ban="mirror", swap=True, target=3),
        variant("zero-sum-game", pool=[1, -1, 1], ban="mirror", swap=True, start=[4, -4]),
        variant("sequence-zero", pool=[2, 3, 3], start=[7, 1], target=2, overshoot="loses", reaching="loses"),
    ],
)
def test_variants(rules: Rules) -> None:
    game = naive.Variant(rules_to_dict(rules))
    for depth in range(6):
        assert perft(rules, depth) == naive.count(game, depth)


def test_ended_sequences_are_not_counted() -> None:
    """A sequence that ends earlier is not counted, the last move may end the game, depth 0 is 1."""
    rules = rules_from_dict({"format": 1, "id": "x", "name": "x", "pool": [1, 2], "target": 1})
    # +1 ends; +2 goes on to +1, which makes 3 and ends by the last move.
    assert [perft(rules, depth) for depth in range(4)] == [1, 2, 1, 0]


def test_equal_numbers_are_one_move() -> None:
    rules = variant("sum-to-zero", pool=[3, 3, 3])
    assert [perft(rules, depth) for depth in range(5)] == [1, 1, 1, 1, 0]


def test_swap_is_a_move() -> None:
    rules = variant("sum31", pool=[1, 2], swap=True)
    # +1 or +2; then the other number or swap; after swap the other number.
    assert [perft(rules, depth) for depth in range(5)] == [1, 2, 4, 2, 0]


def test_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PERFT_POSITIONS", 10)
    assert perft(built_in("sum31"), 1) == 9
    with pytest.raises(TooManyPositionsError, match=r"more than 10 positions.*Ask for a depth below 2"):
        perft(built_in("sum31"), 5)
