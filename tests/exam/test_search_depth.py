"""What a search of a few plies keeps, against one that really searches."""

from __future__ import annotations

from functools import cache

import pytest

from tests.each import each
from tests.exam.sets import drawn
from tests.full import FULL
from zerosum.exam.draw_items import has_rung
from zerosum.exam.items import DEPTHS, RUNGS, Item, ItemsError, depth_needed, kept_by_search, rung_of
from zerosum.exam.scoring import facts_of, keeping_moves
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import solution_of

ITEMS = [item for item in drawn("sum31,summit", 12, 0, 0).items if facts_of(item).real]


@cache
def seen(position: Position, depth: int) -> int:
    """Return 1 if whoever moves is seen to win within so many plies, -1 to lose, 0 if no end is seen."""
    if depth == 0:
        return 0
    return max(after(position, move, depth) for move in position.legal_moves())


def after(position: Position, move: Move, depth: int) -> int:
    there = position.play(move)
    if there.outcome is not None:
        return 1 if there.outcome.winner is position.seat else -1
    return -seen(there, depth - 1)


@each("item", ITEMS)
def test_a_search_that_really_searches_keeps_as_much(item: Item) -> None:
    position = item.position
    values = [option.value for option in solution_of(item.origin).options(position)]
    best = {*keeping_moves(item)}
    kept = []
    for depth in range(1, 10):
        found = {move: after(position, move, depth) for move in position.legal_moves()}
        chosen = [move for move in found if found[move] == max(found.values())]
        share = sum(position.text_of(move) in best for move in chosen) / len(chosen)
        assert kept_by_search(values, depth) == share, depth
        kept.append(share)
    needed = depth_needed(values)
    assert needed is not None
    assert all(share == 1.0 for share in kept[needed - 1 :])
    assert needed == 1 or kept[needed - 2] < 1.0
    facts = facts_of(item)
    assert facts.depth == needed
    assert facts.by_search == tuple(kept_by_search(values, depth) for depth in DEPTHS)


@pytest.mark.parametrize("rung", RUNGS)
def test_a_set_of_a_difficulty_has_nothing_else(rung: int) -> None:
    games = "sequence-zero,to-the-brim,summit,thin-ice" if FULL else "to-the-brim"
    found = drawn(games, 12, 1, 1, difficulty=rung)
    depths = [facts_of(item).depth for item in found.items]
    assert {rung_of(depth) for depth in depths} == {rung}
    assert all(depth in RUNGS[rung] for depth in depths)


def test_the_ladder_goes_on_until_a_search_of_six_plies_fails() -> None:
    """It keeps everything on the first three rungs, and less than 70 % on the last."""
    at = DEPTHS.index(6)
    for rung in RUNGS:
        found = [facts_of(item) for item in drawn("to-the-brim", 12, 1, 1, difficulty=rung).items]
        kept = sum(one.by_search[at] for one in found) / len(found)
        assert kept == 1.0 if rung < max(RUNGS) else kept < 0.7


def test_a_game_without_hard_choices_is_refused() -> None:
    assert not has_rung(built_in("zero-sum-duel"), 2, 1)
    assert not has_rung(built_in("sum31"), 4, 1)
    assert has_rung(built_in("summit"), 4, 10)
    with pytest.raises(ItemsError, match="Sum31 has too few different choices of difficulty 4"):
        drawn("sum31", 4, 0, 0, difficulty=4)
